import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { Channels, numbered } from '@/lib/testing/channels';
import { Pipeline } from '@/lib/testing/pipeline';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { startConnectedProduct } from '@/lib/testing/product';
import { MINUTE_MS } from '@/lib/time';

const CARDS = 20;
const GOLEM = 'Boss fight: ember golem';

let pipeline: Pipeline;
let channels: Channels;
const paused: PipelineProcess[] = [];

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  channels = new Channels(pipeline);
});
afterAll(async () => {
  await Promise.all(paused.map((each) => each.kill()));
  await pipeline.story.product.stop();
});

const waiting = () => db().message.count({ where: { state: 'waiting' } });
const reserved = () => db().message.count({ where: { usagePeriodStart: { not: null } } });

async function start(): Promise<PipelineProcess> {
  const each = new PipelineProcess(0);
  paused.push(each);
  await each.start();
  return each;
}

async function newestWorker(): Promise<number> {
  const { lockKey } = await db().workerProcess.findFirstOrThrow({ orderBy: { lockKey: 'desc' } });
  return lockKey;
}

/** Pauses a worker that sends to a channel, while one card's call is in progress and others are to follow. */
async function pauseSending(channel: string): Promise<PipelineProcess> {
  const slow = {
    target: 'discord',
    match: 'POST .*/messages',
    kind: 'slow',
    delayMs: 100,
    times: 0,
  } as const;
  pipeline.fault(slow);
  const worker = await start();
  await channels.waiting(channel, ...numbered(CARDS));
  await expect.poll(async () => (await pipeline.cards(channel)).length).toBeGreaterThan(1);
  worker.pause();
  pipeline.story.product.sandbox.context.faults.clear();
  return worker;
}

/** Pauses a worker that has asked for the reservations of its cards and is about to send them all. */
async function pausePlacing(channel: string): Promise<PipelineProcess> {
  const before = await reserved();
  const worker = await start();
  const holder = await databasePool().connect();
  await holder.query('begin; select 1 from usage_period for update');
  await channels.waiting(channel, ...numbered(CARDS));
  const blocked = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%usage_period%'`;
  await expect.poll(async () => (await databasePool().query(blocked)).rowCount).toBeGreaterThan(0);
  worker.pause();
  await holder.query('rollback');
  holder.release();
  await expect.poll(reserved).toBe(before + CARDS);
  expect(await pipeline.cards(channel)).toEqual([]);
  return worker;
}

/** Pauses a worker that has to search a channel for a card before sending it, and waits for a slot for that call. */
async function pauseLooking(channel: string): Promise<PipelineProcess> {
  await db().$executeRaw`update send_slot set free_at = now() + interval '1 hour'`;
  const worker = await start();
  const key = await newestWorker();
  await channels.waiting(channel, ...numbered(CARDS));
  await db().$executeRaw`
    update message set tried_at = now() - interval '10 minutes' where state = 'waiting' and tried_at is null`;
  const before = await reserved();
  // One card has its slot; the search needs another.
  await db().$executeRaw`update send_slot set free_at = now() where id = 1`;
  await expect.poll(() => db().channelTurn.count({ where: { leasedBy: key } })).toBe(1);
  await expect.poll(reserved).toBe(before + 1);
  await wait(500);
  worker.pause();
  expect(await pipeline.cards(channel)).toEqual([]);
  await db().$executeRaw`update send_slot set free_at = now()`;
  return worker;
}

test('every card is posted once when workers pause for longer than their leases and Discord’s memory', async () => {
  const { product } = pipeline.story;
  await pipeline.clear();
  const names = ['tasks', 'bugs', 'general'];
  const workers = [await pauseSending('tasks'), await pausePlacing('bugs'), await pauseLooking('general')];
  // Other workers send everything once the leases have ended, and Discord forgets the nonces.
  await product.work();
  await expect.poll(waiting).toBe(0);
  await product.rest();
  const clock = `${product.sandbox.context.urls.discord}/_sandbox/clock`;
  await fetch(clock, { method: 'POST', body: JSON.stringify({ advanceMs: 10 * MINUTE_MS }) });
  for (const worker of workers) worker.resume();
  // If the paused workers made further calls, those would come before newer ones.
  await channels.waiting('art-review', 'after all');
  await expect.poll(async () => (await pipeline.cards('art-review')).length).toBe(1);
  await wait(2000);

  for (const name of names) expect(await channels.contents(name)).toEqual(numbered(CARDS));
  expect(await channels.used()).toBe(names.length * CARDS + 1);
  await Promise.all(workers.map((worker) => worker.kill()));
});

test('a worker without progress for five minutes loses its work to others, and starts afresh', async () => {
  const { product } = pipeline.story;
  await product.work();
  await pipeline.idle();
  await pipeline.clear();
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  await pipeline.idle();
  await product.rest();

  const hanging = await start();
  const key = await newestWorker();
  pipeline.fault({ target: 'notion', match: 'GET /v1/pages/', kind: 'slow', delayMs: 9000 });
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await expect.poll(() => db().pageTurn.count({ where: { leasedBy: key } })).toBe(1);
  hanging.pause();
  // The paused process still counts as alive: its lock is held, and its leases last.
  await db()
    .$executeRaw`update page_turn set leased_until = now() + interval '1 hour' where leased_by = ${key}`;
  await product.work();
  product.sandbox.context.faults.release();
  await wait(1000);
  expect(await db().workerProcess.count({ where: { lockKey: key } })).toBe(1);
  expect(await pipeline.cards()).toEqual([]);
  await db()
    .$executeRaw`update worker_process set beat_at = beat_at - interval '5 minutes' where lock_key = ${key}`;
  await expect.poll(() => db().workerProcess.count({ where: { lockKey: key } })).toBe(0);
  await expect.poll(async () => (await pipeline.cards()).length).toBe(1);
  await pipeline.idle();
  await product.rest();

  hanging.resume();
  await expect.poll(() => db().workerProcess.count()).toBe(1);
  expect(await newestWorker()).not.toBe(key);
  await pipeline.edit(GOLEM, { Status: 'Cut' });
  await expect
    .poll(() => pipeline.lines())
    .toEqual([`${GOLEM}: Status: Backlog → Done`, `${GOLEM}: Status: Done → Cut`]);
  expect(await db().pageTurn.count({ where: { leasedBy: key } })).toBe(0);
  await hanging.kill();
});
