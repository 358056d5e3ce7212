import { expect, test } from 'vitest';
import { answerAt } from '@/lib/testing/answer-at';

const BOT = '208917000000000900';
const NEWEST = 1_400_000_000_000_000_250n;
const IDS = Array.from({ length: 250 }, (_, index) => String(NEWEST - BigInt(index)));

let order: (ids: string[]) => string[];
answerAt('DISCORD_API_URL', ({ url = '' }, response) => {
  const after = new URL(url, 'http://discord').searchParams.get('after');
  const ids = IDS.filter((id) => BigInt(id) > BigInt(after ?? 0)).slice(-100);
  const messages = order(ids).map((id) => ({ id, content: id, author: { id: BOT }, embeds: [] }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(url.includes('/messages') ? messages : { id: BOT }));
});

test.each<[string, typeof order]>([
  ['newest first', (ids) => ids],
  ['oldest first', (ids) => ids.toReversed()],
])('all messages are read when Discord lists them %s', async (_, listed) => {
  order = listed;
  const { listOwnMessages } = await import('./discord-messages');
  const posted = await listOwnMessages('account', '208917000000000901', new Date(0));
  expect(posted.map(({ id }) => id)).toEqual(IDS.toReversed());
});
