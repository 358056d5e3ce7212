import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import { blockedForMs, connectionLimit } from '../calls/call-limits';

const GOLEM = 'Boss fight: ember golem';
const READ = { target: 'notion', kind: 'fail', status: 429, match: 'GET /v1/pages/' } as const;
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.idle();
  await pipeline.clear();
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
});

const workspace = async () =>
  (await pipeline.story.product.call('mira', 'GET', '/api/app/notion/workspace')).body;
/** For how long Notion is not asked any more, once it has refused a call. */
const refusedForMs = async () => {
  const { id } = await db().notionWorkspace.findFirstOrThrow();
  return eventually(() => blockedForMs(connectionLimit(id)));
};

test('a connection that Notion has blocked is left alone for hours, says so, and loses nothing', async () => {
  pipeline.fault({ ...READ, retryAfterSeconds: 1, limitReason: 'public_api_request_blocked' });
  const event = await pipeline.edit(GOLEM, { Status: 'Done' });
  expect(await refusedForMs()).toBeGreaterThan(5 * HOUR_MS);
  await pipeline.story.product.control('notion', 'DELETE', '/calls');
  await db().notionWorkspace.updateMany({
    data: { catalogCheckedAt: new Date(0), catalogAskedAt: new Date(0) },
  });
  expect((await workspace()).problem).toBe(
    'Notion has blocked this connection for now. Nothing is posted until Pagewire asks again, in about 6 hours.',
  );
  expect(await pipeline.story.product.control('notion', 'GET', '/calls')).toEqual({});

  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  expect(await pipeline.fetches(event.payload.entity.id)).toBe(1);
  expect((await workspace()).problem).toBeNull();
});

test('Notion may say in the body alone when it can be asked again', async () => {
  pipeline.fault({ ...READ, retryAfterSeconds: 600, isHeaderless: true });
  await pipeline.edit(GOLEM, { Status: 'Done' });
  const refused = await refusedForMs();
  expect(refused).toBeGreaterThan(MINUTE_MS);
  expect(refused).toBeLessThan(600 * SECOND_MS + MINUTE_MS);
});
