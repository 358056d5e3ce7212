import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Changes } from '@/lib/testing/changes';
import { Line } from '@/lib/testing/line';
import { LineProcess } from '@/lib/testing/line-processes';
import { startConnectedProduct } from '@/lib/testing/product';
import { HOUR_MS } from '@/lib/time';
import { freePort } from '../../scripts/port';

let line: Line;
let processes: LineProcess[] = [];

beforeAll(async () => {
  line = new Line(await startConnectedProduct());
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await line.story.product.stop();
});

test('every card is posted once while the clocks of web and worker step forward and back independently', async () => {
  await line.story.product.work();
  const changes = await Changes.begin(line);
  await changes.alsoComments();
  await line.story.product.rest();
  // A message counts in the period by its sender's clock; this makes all clocks agree on the period.
  await db().$executeRaw`update account set created_at = now() - interval '10 days'`;

  const port = await freePort();
  processes = [new LineProcess(port), new LineProcess(0)];
  await Promise.all(processes.map((each) => each.start()));
  line.story.product.sandbox.context.appUrl = `http://127.0.0.1:${port}`;
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
