import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Chatter } from '@/lib/testing/chat';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { WorkerProcess } from '@/lib/testing/worker-process';

const SLOW_MS = 3000;
const LIMITS = { timeout: 120_000 };
const PATIENCE = { timeout: 60_000 };
let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let mira: Chatter;
let running: WorkerProcess[] = [];

beforeAll(async () => {
  story = await startConnectedProduct();
  mira = new Chatter(story.product, 'mira', story.channel('tasks'));
  await story.product.work();
  await eventually(async () => !(await mira.run('help')).error);
  await story.product.rest();
});
afterEach(async () => {
  await Promise.all(running.map((worker) => worker.kill()));
  running = [];
});
afterAll(() => story.product.stop());

function startWorker(): WorkerProcess {
  const worker = WorkerProcess.start();
  running.push(worker);
  return worker;
}

test(
  'a worker killed while Notion creates a task: another answers, and the task is there once',
  LIMITS,
  async () => {
    const { faults } = story.product.sandbox.context;
    const match = '^POST /v1/pages$';
    faults.add({ target: 'notion', kind: 'slow', match, times: 1, delayMs: SLOW_MS, status: 500 });
    const first = startWorker();
    const { interactionId } = await mira.run('task');
    await mira.submit(interactionId, { title: ['Survivor'] });
    const started = () => db().chatInteraction.count({ where: { createStartedAt: { not: null } } });
    await expect.poll(started, PATIENCE).toBe(1);
    await first.kill();
    startWorker();
    const created = async () =>
      (await db().chatInteraction.count({ where: { pageId: { not: null } } })) === 1;
    await expect.poll(created, PATIENCE).toBe(true);
    expect((await mira.answer()).content).toMatch(/^Created \[Survivor\]/);
    const rows: { title: string }[] = await story.product.control(
      'notion',
      'GET',
      `/rows?database=${story.board.id}`,
    );
    expect(rows.filter(({ title }) => title === 'Survivor')).toHaveLength(1);
  },
);
