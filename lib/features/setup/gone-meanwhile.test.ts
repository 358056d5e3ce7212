import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { readNotionAnew } from '@/lib/testing/read-notion-anew';
import { untilBlocked } from '@/lib/testing/while-locked';

const CHANNELS = 'GET .*/guilds/\\d+/channels';
const SEARCH = 'POST .*/search';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;

beforeAll(async () => {
  story = await startConnectedProduct();
});
afterAll(() => story.product.stop());
beforeEach(async () => {
  story.product.sandbox.context.faults.clear();
  await story.product.installBot('mira', story.guild.id);
  await story.product.connectNotion('mira', [story.board.id, story.docs.id]);
  await db().discordServer.updateMany({ data: { channelsCheckedAt: new Date(0) } });
  await readNotionAnew();
});

const call = (method: string, path: string, body?: unknown) =>
  story.product.call('mira', method, `/api/app/${path}`, body);

/** Makes a call, and disconnects one side while the call waits for a slow answer. */
async function whileDisconnecting(
  side: 'discord' | 'notion',
  match: string,
  begin: () => ReturnType<typeof call>,
) {
  const { faults } = story.product.sandbox.context;
  faults.add({ target: side, kind: 'slow', match, times: 1, status: 500, delayMs: 9000 });
  const going = begin();
  await eventually(async () => faults.list()[0]?.hits === 1);
  const path = side === 'discord' ? 'discord/server' : 'notion/workspace';
  expect((await call('DELETE', path)).status).toBe(200);
  faults.release();
  return going;
}

test('a server that is disconnected while it is read is shown as not connected', async () => {
  const shown = await whileDisconnecting('discord', CHANNELS, () => call('GET', 'discord/server'));
  expect(shown).toMatchObject({ status: 200, body: null });
});

test('a workspace that is disconnected while it is read is shown as not connected', async () => {
  const shown = await whileDisconnecting('notion', SEARCH, () => call('GET', 'notion/workspace'));
  expect(shown).toMatchObject({ status: 200, body: null });
});

test.each(['discord/server', 'notion/workspace'])(
  'DELETE %s also drops the reply for a task that is just being made from a message',
  async (path) => {
    const made = await databasePool().connect();
    await made.query('begin');
    const { rows } = await made.query(
      `insert into task_echo (workspace_id, page_id, account_id, server_id, database_id, channel_id, message_id, author_id)
     select w.id, '1', s.account_id, s.id, $1, '1', '1', '1' from discord_server s join notion_workspace w using (account_id)
     returning id, account_id as "accountId"`,
      [story.board.dataSourceId],
    );
    const [{ id: sourceId, accountId }] = rows;
    const going = call('DELETE', path);
    await untilBlocked(1);
    const reply = { accountId, sourceId, at: new Date(), targetId: '1', sealedBody: new Uint8Array(1) };
    await db().message.create({ data: reply });
    await made.query('commit');
    made.release();
    expect((await going).status).toBe(200);
    expect(await db().message.count()).toBe(0);
  },
);

test('a rule that pings a role is refused when the server is disconnected while it is checked', async () => {
  const { roles } = (await call('GET', 'discord/server')).body;
  await db().discordServer.updateMany({ data: { channelsCheckedAt: new Date(0) } });
  const rule = {
    databaseId: story.board.dataSourceId,
    dbType: 'task',
    channelId: story.channel('tasks'),
    eventType: 'page_created',
    watchedProperties: [],
    mentions: { people: 'none', roleIds: [roles[0].id], userIds: [] },
  };
  const refused = await whileDisconnecting('discord', CHANNELS, () => call('POST', 'rules', rule));
  expect(refused).toMatchObject({ status: 409, body: { error: 'No Discord server is connected.' } });
});

const ruleOf = () => ({
  databaseId: story.board.dataSourceId,
  dbType: 'task',
  channelId: story.channel('tasks'),
  eventType: 'page_created',
  watchedProperties: [],
});
const DATABASE = 'GET .*/data_sources/.*';

test('whoever changes something while their account is deleted is told so', async () => {
  await db().accountLink.deleteMany();
  const { faults } = story.product.sandbox.context;
  faults.add({ target: 'notion', kind: 'slow', match: DATABASE, times: 1, status: 500, delayMs: 9000 });
  const going = call('POST', 'rules', ruleOf());
  await eventually(async () => faults.list()[0]?.hits === 1);
  await db().account.deleteMany();
  faults.release();
  expect(await going).toMatchObject({ status: 401, body: { error: expect.stringMatching(/was deleted/) } });
});

test.each([
  ['its workspace is read anew', SEARCH, 'notion/workspace/refresh', () => undefined],
  ['a rule is created', DATABASE, 'rules', ruleOf],
  ['a rule is previewed', DATABASE, 'rules/preview', ruleOf],
  ['a rule is tried', DATABASE, 'rules/try', () => ({ rule: ruleOf() })],
])('%s while the workspace is disconnected, and hears so', async (_, match, path, body) => {
  const answer = await whileDisconnecting('notion', match, () => call('POST', path, body()));
  expect(answer).toMatchObject({ status: 409, body: { error: expect.any(String) } });
});
