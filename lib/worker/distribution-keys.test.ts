import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, databasePool, db, statementPools } from '@/lib/db/database';
import { type Keys, readKeys, readWithoutKey } from '@/lib/testing/distribution-keys';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { explainEverything, type ObservedPlan, observePlans } from '@/lib/testing/query-plans';

/** The pipeline's statements, by their beginnings, with the tables that each reads without naming the account. */
const LINE: Record<string, string[]> = {
  // The door finds the connections of a bot id.
  'with told as': ['notion_workspace by bot_id', 'notion_workspace by notion_workspace_id'],
  'WITH woken AS': [],
  // Finds what is due, in all accounts.
  'with recursive oldest': ['page_turn'],
  'select t.index, u.unsettled': [],
  'with recursive up': [],
  'select t.nr, p.id': [],
  'with item as': [],
  'INSERT INTO channel_turn': [],
  // Finds what is due. A channel has one turn; apart from its account's messages, only its last account's may wait.
  'with recursive soon': ['channel_turn', 'channel_turn by channel_id', 'message by target_id'],
  'with asked as': [],
  'with sent as': [
    'channel_turn by channel_id',
    'channel_turn by channel_id, leased_until',
    'message by target_id',
  ],
  // Finds a channel's turn and messages by the channel. It is planned for its values, so its plan names no columns.
  'with wanted as': ['channel_turn', 'message'],
};

let pipeline: Pipeline;
let keys: Keys;
let plans: ObservedPlan[];

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.rule();
  await pipeline.rule({ eventType: 'page_created', watchedProperties: [], atOnce: true });
  await pipeline.rule({
    eventType: 'page_created',
    watchedProperties: [],
    channelId: pipeline.story.channel('build-log'),
  });
  await pipeline.ruleOfPage();
  keys = await readKeys(databasePool());
  await explainEverything(databasePool());
  await closeDatabase();
  plans = observePlans([databasePool(), ...statementPools()]);
});
afterAll(() => pipeline.story.product.stop());

const observed = () =>
  plans.splice(0).map(({ text, root }) => ({ text, tables: readWithoutKey(root, keys) }));

test('a statement that joins the rows of two accounts is noticed', async () => {
  const found = async (text: string) => {
    await databasePool().query(text);
    return observed().find((each) => each.text === text)?.tables;
  };
  await databasePool().query('select 1');
  const join = 'select 1 from card k join message m on m.id = k.message_id';
  expect(await found(`${join} where k.account_id = gen_random_uuid()`)).toEqual(['message']);
  expect(await found(`${join} and m.account_id = k.account_id`)).toEqual([]);
  expect(await found(`${join} and (m.account_id = k.account_id or m.attempts = 0)`)).toEqual([
    'card',
    'message',
  ]);
  expect(
    await found('select 1 from rule r where exists (select 1 from page_write where page_id = r.name)'),
  ).toEqual(['page_write by page_id', 'rule by name']);
  expect(await found('select 1 from rule r join notion_user u using (workspace_id)')).toEqual([]);
});

test('every other statement of the pipeline carries the account of each row that it reads', async () => {
  plans.splice(0);
  await pipeline.story.product.work();
  await pipeline.edit('Boss fight: ember golem', { Status: 'Done' });
  const { payload } = await pipeline.told(() =>
    pipeline.story.product.control('notion', 'POST', '/rows', {
      database: 'Sprint board',
      properties: { Name: 'Lava level' },
    }),
  );
  await pipeline.idle();
  await pipeline.edit(payload.entity.id, { Status: 'Done' });
  await pipeline.settle();
  await db().account.updateMany({ data: { trialEndsAt: new Date(0) } });
  await pipeline.edit('Boss fight: ember golem', { Status: 'Backlog' });
  await pipeline.idle();
  expect(await db().message.count({ where: { state: 'held' } })).toBeGreaterThan(0);

  const found = Object.fromEntries(Object.keys(LINE).map((beginning) => [beginning, new Set<string>()]));
  const seen = new Set<string>();
  for (const { text, tables } of observed()) {
    const beginning = Object.keys(LINE).find((each) => text.startsWith(each));
    if (!beginning) continue;
    seen.add(beginning);
    for (const table of tables) found[beginning]?.add(table);
  }
  expect([...seen].sort()).toEqual(Object.keys(LINE).sort());
  const sorted = Object.entries(found).map(([beginning, tables]) => [beginning, [...tables].sort()]);
  expect(Object.fromEntries(sorted)).toEqual(LINE);
});
