import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, databasePool, db, statementPools } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { explainEverything, type ObservedPlan, observePlans, rowsRead } from '@/lib/testing/query-plans';

const GOLEM = 'Boss fight: ember golem';
const WAITING = 3000;
const MAX_ROWS = 1500;
const SHOWN = 400;

let pipeline: Pipeline;
let plans: ObservedPlan[];

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  await databasePool().query('analyze');
  await explainEverything(databasePool());
  await closeDatabase();
  plans = observePlans(statementPools());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());

/**
 * Adds turns of other accounts that are due in an hour. The database's statistics do not include them yet, and it keeps
 * the plans that it has made.
 */
async function fillTurns(): Promise<void> {
  const { id, accountId } = await db().notionWorkspace.findFirstOrThrow();
  await db().$executeRaw`
    insert into page_turn (workspace_id, page_id, due_at)
    select ${id}::uuid, 'page ' || nr, now() + interval '1 hour' from generate_series(1, ${WAITING}::int) as nr`;
  await db().$executeRaw`
    insert into channel_turn (channel_id, account_id, due_at)
    select 'channel ' || nr, ${accountId}::uuid, now() + interval '1 hour'
    from generate_series(1, ${WAITING}::int) as nr`;
}

test('a plan that was made while little waited is still good when much waits', async () => {
  const statuses = ['In progress', 'In review', 'Done', 'Backlog'];
  for (const [index, Status] of statuses.entries()) {
    await pipeline.edit(GOLEM, { Status });
    await expect.poll(() => pipeline.lines()).toHaveLength(index + 1);
  }
  await fillTurns();
  plans.splice(0);
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await expect.poll(() => pipeline.lines()).toHaveLength(statuses.length + 1);
  await pipeline.story.product.rest();
  expect(tooMuchRead()).toEqual([]);
});

test('and when much is due', async () => {
  const { accountId } = await db().notionWorkspace.findFirstOrThrow();
  plans.splice(0);
  await db().$executeRaw`
    insert into channel_turn (channel_id, account_id)
    select 'due ' || nr, ${accountId}::uuid from generate_series(1, ${WAITING}::int) as nr`;
  await pipeline.story.product.work();
  await expect.poll(() => db().channelTurn.count({ where: { channelId: { startsWith: 'due ' } } })).toBe(0);
  await pipeline.story.product.rest();
  expect(tooMuchRead()).toEqual([]);
});

function tooMuchRead(): string[] {
  expect(plans.length).toBeGreaterThan(0);
  return plans.filter(({ scans }) => rowsRead(scans) > MAX_ROWS).map(({ text }) => text.slice(0, SHOWN));
}
