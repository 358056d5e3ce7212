const PONG = 1;
const CHANNEL_MESSAGE = 4;
const EPHEMERAL = 1 << 6;

/** The answer to Discord's own check of the door. */
export const pong = { type: PONG };

/** A reply that only the person who acted can see. It mentions nobody. */
export function privateReply(content: string) {
  return {
    type: CHANNEL_MESSAGE,
    data: { content, flags: EPHEMERAL, allowed_mentions: { parse: [] } },
  };
}
