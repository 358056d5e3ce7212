import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databasePool, db, inBackground } from '@/lib/db/database';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { whileLocked } from '@/lib/testing/while-locked';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import { openSnapshot, type Snapshot, sealSnapshot } from '../matching/snapshot';
import { readSnapshots } from '../snapshots/stored-snapshots';
import { captureBaseline } from './baseline';

const PAGES = 230;
const GOLEM = 'Boss fight: ember golem';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.control('notion', 'POST', '/flood', {
    database: 'Sprint board',
    count: PAGES,
    kind: 'create',
  });
  await eventually(
    async () => (await pipeline.events()).filter(({ state }) => state === 'sent').length === PAGES,
  );
  await db().$executeRaw`delete from notion_event`;
});
afterAll(() => pipeline.story.product.stop());

async function snapshotOf(pageId: string): Promise<Snapshot> {
  const { workspaceId } = await db().rule.findFirstOrThrow();
  return (await readSnapshots(workspaceId, [pageId])).get(pageId)?.values ?? {};
}

test('a first change has its old value, however many pages the database has', async () => {
  await pipeline.rule({ watchedProperties: ['Status', 'Name'] });
  const snapshots = () => db().pageSnapshot.count();
  expect(await snapshots()).toBe(100);
  await pipeline.story.product.work();
  await pipeline.idle();
  const calls = await pipeline.story.product.control('notion', 'GET', '/calls');
  expect(calls[`POST /v1/data_sources/${pipeline.story.board.dataSourceId}/query`]).toBe(3);
  await pipeline.edit(GOLEM, { Status: 'Cut' });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: In progress → Cut`]);
});

test('a baseline locks pages in the order in which turns that are saved together do', async () => {
  await pipeline.story.product.rest();
  const { workspaceId, databaseId } = await db().rule.findFirstOrThrow();
  const since = new Date(Date.now() + 5 * MINUTE_MS).toISOString();
  const job = { workspaceId, databaseId: databaseId ?? '', propertyIds: ['title'], since };
  const [first, ...others] = await db().pageSnapshot.findMany({ orderBy: { pageId: 'asc' } });
  const ends: Promise<unknown>[] = [];
  await whileLocked(
    `select 1 from page_snapshot where page_id = '${first?.pageId}' for update`,
    async (blocked) => {
      ends.push(captureBaseline(job));
      await blocked(1);
      const free = await databasePool().query('select 1 from page_snapshot for update skip locked');
      expect(free.rowCount).toBe(others.length);
    },
  );
  expect(await Promise.all(ends)).toEqual([{ done: true }]);
});

test('a rule is saved although a process lacks the key of a page’s values, or they are damaged', async () => {
  const locked = await db().pageSnapshot.findFirst({ where: { pageId: await pipeline.pageId(GOLEM) } });
  const damaged = await db().pageSnapshot.findFirst({ orderBy: { updatedAt: 'asc' } });
  const change = async (pageId: string | undefined, at: number) => {
    await db().$executeRaw`
      update page_snapshot set sealed_values = set_byte(sealed_values, ${at}, get_byte(sealed_values, ${at}) # 255)
      where page_id = ${pageId}`;
  };
  await change(locked?.pageId, 1);
  await change(damaged?.pageId, 40);
  await pipeline.rule({ watchedProperties: ['Priority'] });
  await change(locked?.pageId, 1);
  const { workspaceId } = await db().rule.findFirstOrThrow();
  const known = await readSnapshots(workspaceId, [locked?.pageId ?? '', damaged?.pageId ?? '']);
  expect(known.get(locked?.pageId ?? '')?.values).toEqual(
    openSnapshot(locked?.sealedValues ?? new Uint8Array(), workspaceId, locked?.pageId ?? ''),
  );
  expect(Object.values(known.get(damaged?.pageId ?? '')?.values ?? {})).toMatchObject([{ name: 'Priority' }]);
});

test('a baseline goes on after a pause that Notion asks for, not from its beginning', async () => {
  await pipeline.story.product.rest();
  const { workspaceId, databaseId } = await db().rule.findFirstOrThrow();
  const since = new Date(Date.now() + 5 * MINUTE_MS).toISOString();
  const job = { workspaceId, databaseId: databaseId ?? '', propertyIds: ['title'], since };
  const match = 'POST /v1/data_sources/.*/query';
  pipeline.fault({ target: 'notion', kind: 'fail', match, status: 429, retryAfterSeconds: 1, after: 2 });
  await pipeline.story.product.control('notion', 'DELETE', '/calls');
  const paused = await captureBaseline(job);
  expect(paused).toMatchObject({ retryInMs: 1000, rest: { ...job, cursor: expect.any(String) } });
  // Until then nobody asks for the workspace.
  expect(await captureBaseline(job)).toMatchObject({ rest: job });
  await db().rateLimit.deleteMany();
  expect(await captureBaseline('rest' in paused ? paused.rest : job)).toEqual({ done: true });
  const calls = await pipeline.story.product.control('notion', 'GET', '/calls');
  expect(calls[`POST /v1/data_sources/${pipeline.story.board.dataSourceId}/query`]).toBe(4);
});

test('a baseline goes on after a list in an unknown shape, but not for more than a day', async () => {
  await pipeline.story.product.rest();
  const { workspaceId, databaseId } = await db().rule.findFirstOrThrow();
  const jobOf = (sinceMs: number) => ({
    workspaceId,
    databaseId: databaseId ?? '',
    propertyIds: ['title'],
    since: new Date(Date.now() - sinceMs).toISOString(),
  });
  const match = 'POST /v1/data_sources/.*/query';
  pipeline.fault({ target: 'notion', kind: 'reshape', match, times: 2 });
  const job = jobOf(MINUTE_MS);
  expect(await captureBaseline(job)).toEqual({ retryInMs: expect.any(Number), rest: job });
  expect(await captureBaseline(jobOf(DAY_MS))).toEqual({ done: true });
});

/** Takes the baseline as a worker does, which waits long for a row, and asks again when Notion's answer comes too late. */
async function captureAll(job: Parameters<typeof captureBaseline>[0]): Promise<void> {
  const end = await inBackground(() => captureBaseline(job));
  if ('rest' in end) await captureAll(end.rest);
}

/** Begins the baseline of a rule for the status, and holds the answer to its query. */
async function beginHeld() {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  await pipeline.idle();
  const { workspaceId, databaseId } = await db().rule.findFirstOrThrow();
  const propertyId = pipeline.story.property('Status');
  const propertyIds = [propertyId];
  const since = new Date(Date.now() + 5 * MINUTE_MS).toISOString();
  const { answers, end } = await HeldAnswers.begin();
  answers.hold(/^POST .*query$/);
  const captured = captureAll({ workspaceId, databaseId: databaseId ?? '', propertyIds, since });
  await eventually(async () => answers.isHolding);
  return { captured, answers, end, workspaceId, databaseId, propertyId };
}

test('a baseline puts no older value over one that was told meanwhile', async () => {
  await pipeline.clear();
  await pipeline.story.product.work();
  const { captured, answers, end, propertyId } = await beginHeld();
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  answers.release();
  await captured;
  end();
  expect((await snapshotOf(await pipeline.pageId(GOLEM)))[propertyId]?.text).toBe('Done');
});

test.each([
  { row: 'its row', isFirst: false },
  { row: 'the first row of its page', isFirst: true },
])('a value that was saved while the baseline waited for $row stays', async ({ isFirst }) => {
  await pipeline.clear();
  const { captured, answers, end, workspaceId, databaseId, propertyId } = await beginHeld();
  const pageId = await pipeline.pageId(GOLEM);
  const before = await snapshotOf(pageId);
  const later = { ...before, [propertyId]: { ...before[propertyId], text: 'Done' } };
  if (isFirst) await db().pageSnapshot.deleteMany({ where: { pageId } });
  const other = await databasePool().connect();
  await other.query('begin');
  await other.query(
    `insert into page_snapshot (workspace_id, page_id, database_id, sealed_values) values ($1, $2, $3, $4)
    on conflict (workspace_id, page_id) do update set sealed_values = excluded.sealed_values, updated_at = now()`,
    [workspaceId, pageId, databaseId, sealSnapshot(later as Snapshot, workspaceId, pageId)],
  );
  answers.release();
  const blocked = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%page_snapshot%'`;
  await eventually(async () => (await databasePool().query(blocked)).rowCount);
  // Longer than Notion took to answer.
  await sleep(SECOND_MS);
  await other.query('commit');
  other.release();
  await captured;
  end();
  expect((await snapshotOf(pageId))[propertyId]?.text).toBe('Done');
});
