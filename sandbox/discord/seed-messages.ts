import { MessageType } from 'discord-api-types/v10';
import type { StoredMessage } from './state';

const MINUTE_MS = 60_000;
const DISCORD_EPOCH_MS = 1_420_070_400_000;
const SNOWFLAKE_STEP = 4_194_304n;

const MIRA = '208917000000000101';
const JONAS = '208917000000000102';
const VERA = '208917000000000103';
const INES = '208917000000000201';
const TOMAS = '208917000000000202';

/** Channel, author, minutes before now, text. */
const SAID: [string, string, number, string][] = [
  [
    '1101000000000000201',
    MIRA,
    2900,
    'Emberfall goes to **playtest on Friday**. Feature freeze is Wednesday evening.',
  ],
  ['1101000000000000202', JONAS, 190, 'Morning. I keep finding out about finished tasks by asking around.'],
  ['1101000000000000202', INES, 186, 'Same. Could the board simply tell us here?'],
  ['1101000000000000202', MIRA, 181, 'On it. There is a bot for that, I will add it today.'],
  ['1101000000000000204', TOMAS, 95, 'Build 412 is green. Lantern flicker is down to `0.4 ms` per frame.'],
  [
    '1101000000000000205',
    JONAS,
    60,
    'The save slot shows the *wrong* chapter after a reload. Writing it up in Notion.',
  ],
  ['1101000000000000207', INES, 45, 'New lantern shader is ready for a look. Notes are on the board.'],
  ['1101000000000000209', MIRA, 1500, 'Publisher call moved to Thursday.'],
  ['1103000000000000201', TOMAS, 400, 'Testers, keys go out tomorrow.'],
  ['1102000000000000201', VERA, 300, 'Beeswax delivery is late again.'],
];

export function seedMessages(nowMs: number): Record<string, StoredMessage[]> {
  const byChannel: Record<string, StoredMessage[]> = {};
  for (const [index, [channelId, authorId, minutesAgo, content]] of SAID.entries()) {
    const atMs = nowMs - minutesAgo * MINUTE_MS;
    const message: StoredMessage = {
      id: String(BigInt(atMs - DISCORD_EPOCH_MS) * SNOWFLAKE_STEP + BigInt(index)),
      channelId,
      authorId,
      type: MessageType.Default,
      content,
      embeds: [],
      components: [],
      flags: 0,
      createdAt: new Date(atMs).toISOString(),
      editedAt: null,
      edits: 0,
      version: 0,
      nonce: null,
      pings: { users: [], roles: [], everyone: false },
      replyTo: null,
      ephemeralFor: null,
      interactionId: null,
      interaction: null,
    };
    byChannel[channelId] = [...(byChannel[channelId] ?? []), message];
  }
  return byChannel;
}
