import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, test } from 'vitest';
import { db } from '@/lib/db/database';
import { CountedChanges } from '@/lib/testing/counted-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { startConnectedProduct } from '@/lib/testing/product';
import { HOUR_MS } from '@/lib/time';
import { freePort } from '../../scripts/port';

let pipeline: Pipeline;
let processes: PipelineProcess[] = [];

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await pipeline.story.product.stop();
});

test('every card is posted once while the clocks of web and worker step forward and back independently', async () => {
  await pipeline.story.product.work();
  const changes = await CountedChanges.begin(pipeline);
  await changes.alsoComments();
  await pipeline.story.product.rest();
  // A message counts in the period by its sender's clock; this makes all clocks agree on the period.
  await db().$executeRaw`update account set created_at = now() - interval '10 days'`;

  const port = await freePort();
  processes = [new PipelineProcess(port), new PipelineProcess(0)];
  await Promise.all(processes.map((each) => each.start()));
  pipeline.story.product.sandbox.context.appUrl = `http://127.0.0.1:${port}`;
  const going = changes.keepGoing(60);
  for (const steps of [
    [HOUR_MS, -HOUR_MS],
    [-2 * HOUR_MS, 2 * HOUR_MS],
    [24 * HOUR_MS, -24 * HOUR_MS],
    [-24 * HOUR_MS, 24 * HOUR_MS],
    [HOUR_MS, -HOUR_MS],
  ]) {
    await wait(500);
    for (const [index, process] of processes.entries()) process.stepClock(steps[index] ?? 0);
  }
  await wait(500);
  await going.stop();
  await changes.everyCardOnce();
});
