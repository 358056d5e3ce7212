import { runStatement } from '@/lib/db/database';
import { fillTimes } from '@/lib/discord-text';
import { type MessageBody, sendMessage } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { blockCallsSql, channelLimit } from '../calls/call-limits';
import { isMessageGone } from '../calls/discord-refusal';
import { nonceOf } from '../messages/sealed-body';
import { findPosted } from '../sending/find-posted';
import type { Conversation } from './conversation';
import { noteAttempt, type WaitingDirect } from './direct-message';

export interface PostedDirect {
  /** Null when somebody has deleted it since. */
  discordMessageId: string | null;
  /** How long the channel's rate limit stays exhausted. */
  exhaustedForMs: number;
}

/**
 * Posts a message unless an earlier attempt has. Null when it must not be sent. Throws DiscordError and CallTooLate.
 */
export async function postDirect(
  conversation: Conversation & { channelId: string },
  message: WaitingDirect,
  body: MessageBody,
): Promise<PostedDirect | null> {
  const { accountId, channelId, leaseLeft } = conversation;
  let attempt = await noteAttempt(message, conversation, { anew: false });
  if (attempt?.isOld) {
    const said = asSentAt(body, attempt.triedAt);
    const discordMessageId = await findPosted(accountId, channelId, attempt.triedAt, said);
    if (discordMessageId) return { discordMessageId, exhaustedForMs: 0 };
    attempt = await noteAttempt(message, conversation, { anew: true });
  }
  if (!attempt) return null;
  try {
    const said = { ...asSentAt(body, attempt.triedAt), nonce: nonceOf(message.id) };
    const sent = await sendMessage(channelId, said, { accountId }, leaseLeft);
    const { messageId: discordMessageId, exhaustedForMs } = sent;
    await noteLimit(channelLimit(channelId), exhaustedForMs);
    return { discordMessageId, exhaustedForMs };
  } catch (error) {
    if (!(error instanceof DiscordError && isMessageGone(error))) throw error;
    return { discordMessageId: null, exhaustedForMs: 0 };
  }
}

/** Makes all processes wait while a limit is exhausted. */
export async function noteLimit(key: string, exhaustedForMs: number): Promise<void> {
  if (exhaustedForMs <= 0) return;
  const until = performance.now() + exhaustedForMs;
  await runStatement(blockCallsSql([{ key, until }]));
}

const asSentAt = (body: MessageBody, at: Date): MessageBody => ({
  ...body,
  content: fillTimes(body.content ?? '', at),
});
