import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { CountedChanges } from '@/lib/testing/counted-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { startConnectedProduct } from '@/lib/testing/product';
import { freePort } from '../../scripts/port';

const RESTARTS = 2;
const EVERY_MS = 100;

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

test('web and worker restarted one after the other under load: every card once, and nothing left to take over', async () => {
  const { product } = pipeline.story;
  await product.work();
  const changes = await CountedChanges.begin(pipeline);
  await product.rest();
  const { context } = product.sandbox;
  const { appUrl } = context;
  const port = await freePort();
  context.appUrl = `http://127.0.0.1:${port}`;
  const [web, worker] = [new PipelineProcess(port), new PipelineProcess(0)];
  await Promise.all([web.start(), worker.start()]);
  const going = changes.keepGoing(EVERY_MS);

  for (let restart = 0; restart < RESTARTS; restart += 1) {
    for (const each of [worker, web]) {
      expect(await each.end()).toBe(0);
      await each.start();
    }
  }
  await going.stop();
  expect([await web.end(), await worker.end()]).toEqual([0, 0]);
  expect(await leased()).toBe(0);

  context.appUrl = appUrl;
  await product.work();
  await changes.redeliverFailed();
  await changes.everyCardOnce();
});

/** The number of leases of a process that has ended, for which others have to wait. */
async function leased(): Promise<number> {
  const [{ count } = { count: -1 }] = await db().$queryRaw<{ count: number }[]>`
    select (select count(*) from page_turn where leased_until > now())::int
      + (select count(*) from channel_turn where leased_until > now())::int
      + (select count(*) from graphile_worker.jobs where locked_at is not null)::int
      + (select count(*) from worker_process)::int as count`;
  return count;
}
