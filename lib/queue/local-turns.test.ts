import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db, Prisma } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { localLoopFor, withoutNotify } from './local-turns';
import { runTurns, type TurnTable } from './run-turns';
import { listenForTurns, type TurnNotifications } from './turn-notifications';

const GOLEM = 'Boss fight: ember golem';

let pipeline: Pipeline;
let notifications: TurnNotifications;
let rings: string[] = [];

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  notifications = await listenForTurns();
  for (const name of ['page_turn', 'channel_turn', 'end'])
    notifications.onNotify(name, () => rings.push(name));
});
beforeEach(() => {
  rings = [];
});
afterAll(async () => {
  await notifications.stop();
  await pipeline.story.product.stop();
});

/** What the database has announced so far. Announcements arrive in the order of their transactions. */
async function heardSoFar(): Promise<string[]> {
  await db().$executeRaw`select pg_notify('pagewire_turns', 'end')`;
  await expect.poll(() => rings).toContain('end');
  return rings.filter((name) => name !== 'end');
}

test('what a process works itself is announced to no other, and becomes a card all the same', async () => {
  await pipeline.story.product.work();
  await pipeline.edit(GOLEM, { Status: 'In progress' });
  await expect.poll(() => pipeline.lines()).toHaveLength(1);
  expect(await heardSoFar()).toEqual([]);
  await pipeline.story.product.rest();
});

test('a process that does not work announces what came in at its door', async () => {
  await pipeline.edit(GOLEM, { Status: 'Done' });
  expect(await heardSoFar()).toEqual(['page_turn']);
});

test('what is made due without being heard is announced', async () => {
  const { id: accountId } = await db().account.findFirstOrThrow();
  const wake = (channelId: string, condition: Prisma.Sql) =>
    db().$queryRaw`
      with first as materialized (select ${channelId}::text as id where ${condition})
      select wake_channels(array[id], array[${accountId}::uuid])::text from first`;
  await wake('one', withoutNotify({ hasRoom: () => true, wake: () => {} }));
  expect(await heardSoFar()).toEqual([]);
  rings = [];
  await wake('two', withoutNotify(undefined));
  await wake('three', Prisma.sql`true`);
  expect(await heardSoFar()).toEqual(['channel_turn', 'channel_turn']);
});

test('only a loop with room hears, and only until it is stopped', async () => {
  let end = () => {};
  const table: TurnTable<string> = {
    name: 'test_turn',
    capacity: 1,
    claim: async () => ['only'],
    work: () =>
      new Promise((resolve) => {
        end = () => resolve(null);
      }),
    release: async () => {},
    nextDueInMs: async () => null,
  };
  expect(localLoopFor('test_turn')).toBeUndefined();
  const silent: TurnNotifications = { onNotify: () => () => {}, stop: async () => {} };
  const loop = runTurns(table, silent);
  expect(localLoopFor('test_turn')).toBeDefined();
  await expect.poll(() => localLoopFor('test_turn')).toBeUndefined();
  const stopped = loop.stop();
  end();
  await stopped;
  expect(localLoopFor('test_turn')).toBeUndefined();
});
