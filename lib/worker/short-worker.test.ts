import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { schedulerKey } from '@/lib/http/scheduler-route';
import { isAnybodyWorking } from '@/lib/queue/due-work';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { workAfterResponse, workShift } from './short-worker';

const TITLES = ['Boss fight: ember golem', 'Dodge window tuning'];
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await workShift();
  await pipeline.clear();
  for (const title of TITLES) await pipeline.edit(title, { Status: 'Backlog' });
  await workShift();
  await pipeline.rule();
  await workShift();
});

const call = (authorization?: string) =>
  fetch(`${pipeline.story.product.url}/api/jobs/run`, {
    method: 'POST',
    headers: authorization ? { authorization } : {},
  });
const finishAll = async () => {
  for (const title of TITLES) await pipeline.edit(title, { Status: 'Done' });
};
const everyCardOnce = async () =>
  expect((await pipeline.lines()).sort()).toEqual(TITLES.map((title) => `${title}: Status: Backlog → Done`));

test('without the key no work is done', async () => {
  await finishAll();
  const key = schedulerKey();
  const wrong = [undefined, 'Bearer ', `Bearer ${'0'.repeat(64)}`, key, `Bearer ${key}0`, `Basic ${key}`];
  for (const header of wrong) {
    const answer = await call(header);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error: expect.any(String), code: 'unauthorized' });
  }
  expect(await pipeline.cards()).toEqual([]);
  await workShift();
  await everyCardOnce();
});

test('a call with the key works what is due, says how much it was, and leaves no worker', async () => {
  await finishAll();
  const answer = await call(`Bearer ${schedulerKey()}`);
  expect(answer.status).toBe(200);
  const { found, left } = await answer.json();
  expect(found.pages + found.jobs).toBeGreaterThanOrEqual(TITLES.length);
  expect(left).toMatchObject({ pages: 0, channels: 0 });
  await everyCardOnce();
  // When a minute begins, the crontab adds jobs, which the next call does.
  const leftBy = async (run: Response) => (await run.json()).left;
  await expect.poll(async () => leftBy(await call(`Bearer ${schedulerKey()}`))).toMatchObject({ jobs: 0 });
  expect(await isAnybodyWorking()).toBe(false);
});

test('two calls at once send every card once', async () => {
  await finishAll();
  const key = `Bearer ${schedulerKey()}`;
  const answers = await Promise.all([call(key), call(key), call(key)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await everyCardOnce();
});

test('a call stops when its time is up, and the next one continues', async () => {
  await finishAll();
  const slow = { target: 'notion', kind: 'slow', match: 'GET /v1/pages/', times: 2, delayMs: 1500 } as const;
  pipeline.fault(slow);
  await workShift(300);
  await workShift();
  await everyCardOnce();
});

test('after an answer due work is done if no worker is alive, once for any number of answers', async () => {
  await finishAll();
  await Promise.all([workAfterResponse(), workAfterResponse(), workAfterResponse()]);
  await everyCardOnce();
  expect(await isAnybodyWorking()).toBe(false);
});

test('after an answer due work is left to a worker that is alive', async () => {
  await pipeline.story.product.work();
  expect(await isAnybodyWorking()).toBe(true);
  await finishAll();
  await workAfterResponse();
  await pipeline.idle();
  await everyCardOnce();
  await pipeline.story.product.rest();
});
