import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { listDeliveryRows } from '@/lib/testing/deliveries';
import { Pipeline } from '@/lib/testing/pipeline';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { startConnectedProduct } from '@/lib/testing/product';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';

const GOLEM = 'Boss fight: ember golem';
const ASH = 'Ash storm weather effect';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

const newPage = (title: string) =>
  pipeline.told(() =>
    pipeline.story.product.control('notion', 'POST', '/rows', {
      database: 'Sprint board',
      properties: { Name: title, Status: 'Backlog' },
    }),
  );
const onCreate = (changes: Record<string, unknown> = {}) =>
  pipeline.rule({ eventType: 'page_created', watchedProperties: [], ...changes });
const states = async () => (await listDeliveryRows()).map(({ state }) => state);

/** Lets this many seconds pass, by making everything so far older. */
async function letPass(seconds: number): Promise<void> {
  await db()
    .$executeRaw`update notion_event set received_at = received_at - ${seconds} * interval '1 second'`;
  await db().$executeRaw`update decision set created_at = created_at - ${seconds} * interval '1 second'`;
  await db().$executeRaw`update page_turn set due_at = due_at - ${seconds} * interval '1 second'`;
}

/** Checks that a wait of this length began at a moment between `since` and now. */
function expectWait(waitMs: number, since: number, until: Date | undefined): void {
  const beganAt = (until?.getTime() ?? 0) - waitMs;
  expect(beganAt).toBeGreaterThanOrEqual(since);
  expect(beganAt).toBeLessThanOrEqual(Date.now());
}

describe.each([
  ['behind', -30 * SECOND_MS],
  ['ahead of', 30 * SECOND_MS],
])('a worker whose clock is half a minute %s the database’s', (_, aheadMs) => {
  const worker = new PipelineProcess(0, aheadMs);
  let startedAt: number;

  beforeAll(async () => {
    startedAt = Date.now();
    await worker.start();
  });
  afterAll(() => worker.kill());
  beforeEach(async () => {
    await pipeline.idle();
    await pipeline.clear();
  });

  test('has a start time that the database recognises', async () => {
    const noted = await db().workerProcess.findFirstOrThrow({ orderBy: { lockKey: 'desc' } });
    expectWait(0, startedAt, noted.startedAt);
  });

  test('posts a new page once it has settled, and reads it twice', async () => {
    await onCreate();
    const { payload } = await newPage('Lava level');
    await expect.poll(states).toEqual(['settling']);
    await letPass(18);
    await expect.poll(states).toEqual(['sent']);
    expect(await pipeline.cards()).toHaveLength(1);
    expect(await pipeline.fetches(payload.entity.id)).toBe(2);
  });

  test('waits as long as Notion says', async () => {
    for (const title of [GOLEM, ASH]) await pipeline.prepare(title, { Status: 'Backlog' });
    await pipeline.rule();
    const since = Date.now();
    const limit = { target: 'notion', match: 'GET /v1/pages/', kind: 'fail', retryAfterSeconds: 60 } as const;
    pipeline.fault({ ...limit, status: 429 });
    const first = await pipeline.edit(GOLEM, { Status: 'Done' });
    await expect.poll(() => db().rateLimit.count()).toBe(1);
    const second = await pipeline.edit(ASH, { Status: 'Done' });
    const { blockedUntil } = await db().rateLimit.findFirstOrThrow();
    expectWait(MINUTE_MS, since, blockedUntil);
    const due = async () => (await db().pageTurn.findMany()).map(({ dueAt }) => dueAt);
    await expect.poll(due).toEqual([blockedUntil, blockedUntil]);
    expect(await pipeline.fetches(first.payload.entity.id)).toBe(1);
    expect(await pipeline.fetches(second.payload.entity.id)).toBe(0);
    await pipeline.idle();
    expect(await pipeline.lines()).toHaveLength(2);
  });

  test('asks Discord once for a card whose answer the database does not take at first', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.rule();
    // Sequences keep their values when a transaction is rolled back.
    for (const statement of [
      'create sequence refused',
      `create function refuse_sent() returns trigger language plpgsql as $$
       begin perform nextval('refused'); raise exception 'away'; end $$`,
      `create trigger away before update on message for each row when (new.state = 'sent') execute function refuse_sent()`,
    ])
      await databasePool().query(statement);
    await pipeline.edit(GOLEM, { Status: 'Done' });
    const refused = async () =>
      (await databasePool().query('select is_called from refused')).rows[0].is_called;
    await expect.poll(refused).toBe(true);
    await databasePool().query('drop function refuse_sent cascade; drop sequence refused');
    await expect.poll(states).toEqual(['sent']);
    const { calls } = await pipeline.story.product.control('discord', 'GET', '/calls');
    expect(calls['POST /channels/:id/messages']).toBe(1);
  });

  test('waits as long as Discord says before it completes a card', async () => {
    await onCreate({ atOnce: true });
    await newPage('Lava level');
    await expect.poll(states).toEqual(['sent']);
    const since = Date.now();
    // The stand-in then asks for a wait of a second.
    pipeline.fault({ target: 'discord', match: 'PATCH .*/messages', kind: 'fail', status: 429 });
    await letPass(150);
    const limits = () => db().rateLimit.findMany({ where: { key: { startsWith: 'discord:' } } });
    await expect.poll(limits).toHaveLength(1);
    const [limit] = await limits();
    expectWait(SECOND_MS, since, limit?.blockedUntil);
    await pipeline.idle();
    expect((await pipeline.cards()).map(({ edits }) => edits)).toEqual([1]);
    expect(await db().decision.count({ where: { isEarly: true } })).toBe(0);
  });
});
