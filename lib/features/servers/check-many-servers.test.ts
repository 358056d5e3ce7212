import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { answerAt } from '@/lib/testing/answer-at';
import { connectToOwnDatabase } from '@/lib/testing/own-database';
import { addPastTenant } from '@/lib/testing/past-tenant';

// More than the parameters of a statement.
const LISTED = Array.from({ length: 40_000 }, (_, nr) => ({ id: String(nr + 2) }));

answerAt('DISCORD_API_URL', ({ url }, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(url?.endsWith('after=0') ? LISTED : []));
});
connectToOwnDatabase();

test('however many servers the bot is in, those that it was removed from are marked until it is back', async () => {
  const { databasePool, db } = await import('@/lib/db/database');
  const { checkServers } = await import('./check-servers');
  const [account, workspace, server] = [randomUUID(), randomUUID(), randomUUID()];
  const tenant = { account, workspace, server, rules: [], channelId: '1' };
  await addPastTenant((text, values) => databasePool().query(text, values), tenant);
  const problem = async () => (await db().discordServer.findFirstOrThrow()).problem;
  await checkServers();
  expect(await problem()).toBe('The bot is no longer in this server. Connect the server again.');
  await db().discordServer.updateMany({ data: { guildId: '40001' } });
  await checkServers();
  expect(await problem()).toBeNull();
});
