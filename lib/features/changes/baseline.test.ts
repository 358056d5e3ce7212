import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { Line } from '@/lib/testing/line';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { MINUTE_MS } from '@/lib/time';
import { readSnapshots } from '../snapshots/stored-snapshots';
import { captureBaseline } from './baseline';

const PAGES = 230;
const GOLEM = 'Boss fight: ember golem';
let line: Line;

beforeAll(async () => {
  line = new Line(await startConnectedProduct());
  await line.story.product.control('notion', 'POST', '/flood', {
    database: 'Sprint board',
    count: PAGES,
    kind: 'create',
  });
  await eventually(
    async () => (await line.events()).filter(({ state }) => state === 'sent').length === PAGES,
  );
  await db().$executeRaw`delete from notion_event`;
});
afterAll(() => line.story.product.stop());

test('a first change has its old value, however many pages the database has', async () => {
  await line.rule({ watchedProperties: ['Status', 'Name'] });
  const snapshots = () => db().pageSnapshot.count();
  expect(await snapshots()).toBe(100);
  await line.story.product.work();
  await line.idle();
  const calls = await line.story.product.control('notion', 'GET', '/calls');
  expect(calls[`POST /v1/data_sources/${line.story.board.dataSourceId}/query`]).toBe(3);
  await line.edit(GOLEM, { Status: 'Cut' });
  await line.idle();
  expect(await line.lines()).toEqual([`${GOLEM}: Status: In progress → Cut`]);
});

test('a baseline goes on after a pause that Notion asks for, not from its beginning', async () => {
  await line.story.product.rest();
  const { workspaceId, databaseId } = await db().rule.findFirstOrThrow();
  const since = new Date(Date.now() + 5 * MINUTE_MS).toISOString();
  const job = { workspaceId, databaseId: databaseId ?? '', propertyIds: ['title'], since };
  const match = 'POST /v1/data_sources/.*/query';
  line.fault({ target: 'notion', kind: 'fail', match, status: 429, retryAfterSeconds: 1, after: 2 });
  await line.story.product.control('notion', 'DELETE', '/calls');
  const paused = await captureBaseline(job);
  expect(paused).toMatchObject({ retryInMs: 1000, rest: { ...job, cursor: expect.any(String) } });
  // Until then nobody asks for the workspace.
  expect(await captureBaseline(job)).toMatchObject({ rest: job });
  await db().rateLimit.deleteMany();
  expect(await captureBaseline('rest' in paused ? paused.rest : job)).toEqual({ done: true });
  const calls = await line.story.product.control('notion', 'GET', '/calls');
  expect(calls[`POST /v1/data_sources/${line.story.board.dataSourceId}/query`]).toBe(4);
});

test('a baseline puts no older value over one that was told meanwhile', async () => {
  await line.story.product.work();
  await line.clear();
  await line.prepare(GOLEM, { Status: 'Backlog' });
  await line.rule();
  await line.idle();
  const { workspaceId, databaseId } = await db().rule.findFirstOrThrow();
  const propertyIds = [line.story.property('Status')];
  const since = new Date(Date.now() + 5 * MINUTE_MS).toISOString();
  const { answers, end } = await HeldAnswers.begin();
  answers.hold(/^POST .*query$/);
  const captured = captureBaseline({ workspaceId, databaseId: databaseId ?? '', propertyIds, since });
  await eventually(async () => answers.isHolding);
  await line.edit(GOLEM, { Status: 'Done' });
  await line.idle();
  answers.letGo();
  expect(await captured).toEqual({ done: true });
  end();
  const stored = await readSnapshots(workspaceId, [await line.pageId(GOLEM)]);
  const [snapshot] = [...stored.values()];
  expect(snapshot?.[propertyIds[0] ?? '']?.text).toBe('Done');
});
