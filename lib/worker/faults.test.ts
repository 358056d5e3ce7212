import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { CountedChanges } from '@/lib/testing/counted-changes';
import { hurry } from '@/lib/testing/hurry';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';

// A minute of trouble passes in seconds, because later attempts are brought forward.
const TROUBLE_MS = 2500;
const EVERY_MS = 40;

let pipeline: Pipeline;
let changes: CountedChanges;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  changes = await CountedChanges.begin(pipeline);
});

const sandbox = () => pipeline.story.product.sandbox.context;
const until = { times: 0 };

/** Keeps making changes before, during and after the trouble, and brings attempts forward. */
async function duringTrouble(begin: () => unknown, end: () => unknown): Promise<void> {
  const going = changes.keepGoing(EVERY_MS);
  await wait(500);
  await begin();
  for (const start = Date.now(); Date.now() - start < TROUBLE_MS; await wait(100)) await hurry();
  await end();
  await wait(500);
  await going.stop();
}

test('Discord answers 500 for a while', async () => {
  await duringTrouble(
    () =>
      pipeline.fault({ target: 'discord', kind: 'fail', match: 'POST .*/messages', status: 500, ...until }),
    () => sandbox().faults.clear(),
  );
  await changes.everyCardOnce();
});

test('Discord hangs up after it has accepted each message', async () => {
  await duringTrouble(
    () => pipeline.fault({ target: 'discord', kind: 'hangup', match: 'POST .*/messages', ...until }),
    () => sandbox().faults.clear(),
  );
  await changes.everyCardOnce();
});

test('Discord hangs up after it has accepted, and is asked again when it has forgotten the nonce', async () => {
  pipeline.fault({ target: 'discord', kind: 'hangup', match: 'POST .*/messages', ...until });
  await changes.everyPage();
  await expect.poll(() => db().message.count({ where: { attempts: { gt: 0 }, state: 'waiting' } })).toBe(1);
  await pipeline.story.product.rest();
  sandbox().faults.clear();
  await fetch(`${sandbox().urls.discord}/_sandbox/clock`, {
    method: 'POST',
    body: JSON.stringify({ advanceMs: 10 * 60_000 }),
  });
  await db()
    .$executeRaw`update message set tried_at = tried_at - interval '10 minutes' where tried_at is not null`;
  await pipeline.story.product.work();
  await changes.everyCardOnce();
});

test('Notion answers 503 and 429 with a minute to wait', async () => {
  const underWay = () => db().pageTurn.count({ where: { leasedUntil: { gt: new Date() } } });
  await duringTrouble(
    async () => {
      pipeline.fault({ target: 'notion', kind: 'fail', match: 'GET /v1/pages/', status: 503, times: 3 });
      const limit = {
        target: 'notion',
        kind: 'fail',
        match: 'GET /v1/pages/',
        status: 429,
        ...until,
      } as const;
      pipeline.fault({ ...limit, retryAfterSeconds: 60 });
      await expect.poll(() => db().rateLimit.count({ where: { key: { startsWith: 'notion:' } } })).toBe(1);
      // Calls that were made before Notion announced its limit.
      await expect.poll(underWay, { interval: 5 }).toBe(0);
      await pipeline.story.product.control('notion', 'DELETE', '/calls');
    },
    async () => {
      const calls: Record<string, number> = await pipeline.story.product.control('notion', 'GET', '/calls');
      expect(Object.keys(calls).filter((call) => call.startsWith('GET /v1/pages/'))).toEqual([]);
      sandbox().faults.clear();
    },
  );
  await changes.everyCardOnce();
});

test('Notion hangs up on every second read of a page', async () => {
  await duringTrouble(
    () => pipeline.fault({ target: 'notion', kind: 'hangup', match: 'GET /v1/pages/', times: 40 }),
    () => sandbox().faults.clear(),
  );
  await changes.everyCardOnce();
});

const WRITTEN = [
  'notion_event',
  'page_turn',
  'page_snapshot',
  'decision',
  'message',
  'card',
  'channel_turn',
  'usage_period',
];

test('the disk is full for a while', async () => {
  await databasePool().query(`
    create or replace function refuse_write() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
  await duringTrouble(
    async () => {
      for (const table of WRITTEN) {
        await databasePool().query(`create trigger disk_full before insert or update on ${table}
          for each statement execute function refuse_write()`);
      }
    },
    async () => {
      for (const table of WRITTEN) await databasePool().query(`drop trigger disk_full on ${table}`);
    },
  );
  await changes.everyCardOnce();
});

test('every connection to the database breaks, again and again', async () => {
  const going = changes.keepGoing(EVERY_MS);
  for (let round = 0; round < 5; round += 1) {
    await wait(400);
    await databasePool()
      .query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      .catch(() => {});
  }
  await going.stop();
  await changes.everyCardOnce();
});

test('webhooks arrive twice, late, out of order or not at all', async () => {
  for (const kind of ['duplicate', 'delay', 'reorder', 'drop', 'duplicate', 'reorder', 'drop'] as const) {
    pipeline.fault({ target: 'notion.webhook', kind, times: 6, delayMs: 400 });
  }
  const going = changes.keepGoing(EVERY_MS);
  await wait(TROUBLE_MS);
  await going.stop();
  await changes.idle();
  // A pass finds what was never reported. Notion rounds the times of edits down, so the edits must be a while ago.
  const missed = new MissedChanges(pipeline);
  await changes.editedLongAgo();
  await missed.lookedAt(15);
  await missed.pass();
  await changes.everyCardOnce();
});
