import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Chatter } from '@/lib/testing/chat';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';
import { WorkerProcess } from '@/lib/testing/worker-process';
import { freePort } from '../../scripts/port';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let mira: Chatter;
let running: { kill(): Promise<void> }[] = [];

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

async function rowsNamed(wanted: string): Promise<number> {
  const rows: { title: string }[] = await story.product.control(
    'notion',
    'GET',
    `/rows?database=${story.board.id}`,
  );
  return rows.filter(({ title }) => title === wanted).length;
}

async function startWorker(): Promise<WorkerProcess> {
  const worker = await WorkerProcess.start();
  running.push(worker);
  return worker;
}

test('when a worker is killed while Notion creates a task, another answers, and the task exists once', async () => {
  const { faults } = story.product.sandbox.context;
  const match = '^POST /v1/pages$';
  faults.add({ target: 'notion', kind: 'slow', match, times: 1, delayMs: 15_000, status: 500 });
  const first = await startWorker();
  const { interactionId } = await mira.run('task');
  await mira.submit(interactionId, { title: ['Survivor'] });
  await eventually(async () => faults.list()[0]?.hits === 1);
  await first.kill();
  // Notion carries out a call although nobody waits for its answer.
  faults.release();
  await startWorker();
  const created = async () => (await db().chatInteraction.count({ where: { pageId: { not: null } } })) === 1;
  await expect.poll(created).toBe(true);
  // Whoever waits long is told meanwhile that Notion has not confirmed it.
  await expect.poll(async () => (await mira.answer()).content).toMatch(/^Created \[Survivor\]/);
  expect(await rowsNamed('Survivor')).toBe(1);
});

test('an interaction that reaches two processes, many times at once and again later, does its work once', async () => {
  const ports = [await freePort(), await freePort()];
  const processes = ports.map((port) => new PipelineProcess(port));
  running.push(...processes);
  await Promise.all(processes.map((each) => each.start()));
  const title = { type: 18, component: { type: 4, custom_id: 'title', value: 'Came twice' } };
  const body = JSON.stringify({
    id: '1500000000000000001',
    type: 5,
    token: 'nobody-waits',
    guild_id: story.guild.id,
    channel_id: mira.channelId,
    member: { user: { id: mira.userId, username: 'mira' } },
    data: { custom_id: `task:${story.board.dataSourceId}:0`, components: [title] },
  });
  const post = (port: number) =>
    postToDiscordDoor(story.product, body, { url: `http://127.0.0.1:${port}` }).then((answer) =>
      answer.json(),
    );
  const answers = await Promise.all([...ports, ...ports, ...ports].map(post));
  expect(answers).toEqual(Array(6).fill({ type: 5, data: { flags: 64 } }));
  const finished = () =>
    db().chatInteraction.count({ where: { id: '1500000000000000001', finishedAt: { not: null } } });
  await expect.poll(finished).toBe(1);
  await Promise.all(ports.map(post));
  const jobs = async () => {
    const [row] = await db().$queryRaw<{ n: number }[]>`
      select count(*)::int as n from graphile_worker.jobs where task_identifier = 'finish-interaction'`;
    return row?.n;
  };
  await expect.poll(jobs).toBe(0);
  expect(await rowsNamed('Came twice')).toBe(1);
});
