import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Line } from '@/lib/testing/line';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import { blockedForMs, connectionLimit } from '../calls/call-limits';

const GOLEM = 'Boss fight: ember golem';
const READ = { target: 'notion', kind: 'fail', status: 429, match: 'GET /v1/pages/' } as const;
let line: Line;

beforeAll(async () => {
  line = new Line(await startConnectedProduct());
  await line.story.product.work();
});
afterAll(() => line.story.product.stop());
beforeEach(async () => {
  await line.idle();
  await line.clear();
  await line.prepare(GOLEM, { Status: 'Backlog' });
  await line.rule();
});

const workspace = async () =>
  (await line.story.product.call('mira', 'GET', '/api/app/notion/workspace')).body;
/** For how long Notion is not asked any more, once it has refused a call. */
const refusedForMs = async () => {
  const { id } = await db().notionWorkspace.findFirstOrThrow();
  return eventually(() => blockedForMs(connectionLimit(id)));
};

test('a connection that Notion has blocked is left alone for hours, says so, and loses nothing', async () => {
  line.fault({ ...READ, retryAfterSeconds: 1, limitReason: 'public_api_request_blocked' });
  const event = await line.edit(GOLEM, { Status: 'Done' });
  expect(await refusedForMs()).toBeGreaterThan(5 * HOUR_MS);
  await line.story.product.control('notion', 'DELETE', '/calls');
  await db().notionWorkspace.updateMany({
    data: { catalogCheckedAt: new Date(0), catalogAskedAt: new Date(0) },
  });
  expect((await workspace()).problem).toBe(
    'Notion has blocked this connection for now. Nothing is posted until Pagewire asks again, in about 6 hours.',
  );
  expect(await line.story.product.control('notion', 'GET', '/calls')).toEqual({});

  await line.idle();
  expect(await line.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  expect(await line.fetches(event.payload.entity.id)).toBe(1);
  expect((await workspace()).problem).toBeNull();
});

test('Notion may say in the body alone when it can be asked again', async () => {
  line.fault({ ...READ, retryAfterSeconds: 600, isHeaderless: true });
  await line.edit(GOLEM, { Status: 'Done' });
  const refused = await refusedForMs();
  expect(refused).toBeGreaterThan(MINUTE_MS);
  expect(refused).toBeLessThan(600 * SECOND_MS + MINUTE_MS);
});
