import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { WorkerProcess } from '@/lib/testing/worker-process';

const SLOW_MS = 3000;
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
    delayMs: SLOW_MS,
  });
  const first = await startWorker();
  for (const title of titles) await pipeline.edit(title, { Status: 'Done' });
  await expect
    .poll(() => db().pageTurn.count({ where: { leasedUntil: { gt: new Date() } } }))
    .toBeGreaterThan(0);
  await first.kill();
  expect(await pipeline.cards()).toEqual([]);
  await startWorker();
  await everyCardOnce();
});

test('after a worker is killed while it sends a card, another sends the rest, and that card not twice', async () => {
  pipeline.fault({ target: 'discord', kind: 'slow', match: 'POST .*/messages', times: 1, delayMs: SLOW_MS });
  const first = await startWorker();
  for (const title of titles) await pipeline.edit(title, { Status: 'Done' });
  const sends = async () => {
    const { calls } = await pipeline.story.product.control('discord', 'GET', '/calls');
    return calls['POST /channels/:id/messages'];
  };
  await expect.poll(sends).toBe(1);
  await first.kill();
  await startWorker();
  await everyCardOnce();
});

test('events that arrive while no worker runs are processed later, by two workers without duplicates', async () => {
  for (const title of titles) await pipeline.edit(title, { Status: 'Done' });
  await Promise.all([startWorker(), startWorker()]);
  await everyCardOnce();
});
