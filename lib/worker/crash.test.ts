import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { WorkerProcess } from '@/lib/testing/worker-process';

let pipeline: Pipeline;
let titles: string[];
let running: WorkerProcess[] = [];

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  const rows: { title: string }[] = await pipeline.story.product.control(
    'notion',
    'GET',
    '/rows?database=Sprint%20board',
  );
  titles = rows.map(({ title }) => title).slice(0, 5);
});
afterEach(async () => {
  await Promise.all(running.map((worker) => worker.kill()));
  running = [];
});
afterAll(() => pipeline.story.product.stop());

beforeEach(async () => {
  await pipeline.clear();
  for (const title of titles) await pipeline.prepare(title, { Status: 'Backlog' });
  await pipeline.rule();
});

async function startWorker(): Promise<WorkerProcess> {
  const worker = await WorkerProcess.start();
  running.push(worker);
  return worker;
}

const faults = () => pipeline.story.product.sandbox.context.faults;
const hits = () => faults().list()[0]?.hits ?? 0;

/** Ends the fault. What was called before is done, although nobody waits for the answer. */
function goOn(): void {
  faults().clear();
  faults().release();
}

async function everyCardOnce(): Promise<void> {
  await expect.poll(async () => (await pipeline.lines()).length).toBe(titles.length);
  await pipeline.idle();
  expect((await pipeline.lines()).sort()).toEqual(
    titles.map((title) => `${title}: Status: Backlog → Done`).sort(),
  );
  const me = await pipeline.story.product.call('mira', 'GET', '/api/app/me');
  expect(me.body.subscription.notificationsUsed).toBe(titles.length);
}

test('after a worker is killed while it reads pages, another sends every card once', async () => {
  pipeline.fault({
    target: 'notion',
    kind: 'slow',
    match: 'GET /v1/pages/',
    times: titles.length,
    delayMs: 15_000,
  });
  for (const title of titles) await pipeline.edit(title, { Status: 'Done' });
  const first = await startWorker();
  await eventually(async () => hits() > 0);
  await first.kill();
  expect(await pipeline.cards()).toEqual([]);
  goOn();
  await startWorker();
  await everyCardOnce();
});

test('after a worker is killed while it sends a card, another sends the rest, and that card not twice', async () => {
  pipeline.fault({ target: 'discord', kind: 'slow', match: 'POST .*/messages', times: 1, delayMs: 9000 });
  for (const title of titles) await pipeline.edit(title, { Status: 'Done' });
  const first = await startWorker();
  await eventually(async () => hits() > 0);
  await first.kill();
  goOn();
  await startWorker();
  await everyCardOnce();
});

test('events that arrive while no worker runs are processed later, by two workers without duplicates', async () => {
  for (const title of titles) await pipeline.edit(title, { Status: 'Done' });
  await Promise.all([startWorker(), startWorker()]);
  await everyCardOnce();
});
