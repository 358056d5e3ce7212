import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Line } from '@/lib/testing/line';
import { eventually, startConnectedProduct } from '@/lib/testing/product';

const PAGES = 230;
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
  const oldest = 'Boss fight: ember golem';
  await line.edit(oldest, { Status: 'Cut' });
  await line.idle();
  expect(await line.lines()).toEqual([`${oldest}: Status: In progress → Cut`]);
});
