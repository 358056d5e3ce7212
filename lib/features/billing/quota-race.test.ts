import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { WorkerProcess } from '@/lib/testing/worker-process';
import { STARTER } from './plan';

// Each process runs ten jobs at a time, so that there are more workers than channels to send to.
const PROCESSES = 4;
const ROOM = 10;
const PAGES = 5;
const SEND_AND_EMBED = String((1 << 10) | (1 << 11) | (1 << 14));
const POLLING = { interval: 200 };

let pipeline: Pipeline;
let till: StripeSteps;
let running: WorkerProcess[] = [];

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  till = new StripeSteps(pipeline.story.product);
});
afterEach(async () => {
  await Promise.all(running.map((worker) => worker.kill()));
  running = [];
});
afterAll(() => pipeline.story.product.stop());

/** Lets the bot into the channels that were closed to it. Returns all channels in which it may post. */
async function openChannels(): Promise<{ id: string; name: string }[]> {
  const { product, guild } = pipeline.story;
  for (const name of ['announcements', 'watercooler', 'leads']) {
    const path = `/channels/${pipeline.story.channel(name)}/overwrite`;
    await product.control('discord', 'PUT', path, { allow: SEND_AND_EMBED });
  }
  await db().discordServer.updateMany({ data: { channelsCheckedAt: new Date(0) } });
  const { body } = await product.call('mira', 'GET', '/api/app/discord/server');
  const open = new Set(
    body.channels
      .filter((each: { botHasAccess: boolean; kind: string }) => each.botHasAccess && each.kind !== 'forum')
      .map(({ id }: { id: string }) => id),
  );
  return guild.channels.filter(({ id }) => open.has(id));
}

async function setDue(at: Date): Promise<void> {
  await db().$executeRaw`update graphile_worker._private_jobs set run_at = ${at}::timestamptz`;
  await db().pageTurn.updateMany({ data: { dueAt: at } });
}

/** Starts workers that have nothing to do until the last of them has started. */
async function startAtOnce(processes: number): Promise<void> {
  await setDue(new Date(Date.now() + 3_600_000));
  running = await Promise.all(Array.from({ length: processes }, () => WorkerProcess.start()));
  await expect.poll(() => db().workerProcess.count(), POLLING).toBe(processes);
  await setDue(new Date());
}

test('of fifty cards for many channels, several worker processes send the last ten of the period and not one more', async () => {
  const { product, board } = pipeline.story;
  const channels = await openChannels();
  expect(channels.length).toBeGreaterThanOrEqual(8);
  const rows: { title: string }[] = await product.control('notion', 'GET', '/rows?database=Sprint%20board');
  const titles = rows.map(({ title }) => title).slice(0, PAGES);
  await pipeline.clear();
  await product.work();
  for (const title of titles) await pipeline.prepare(title, { Status: 'Backlog' });
  await product.rest();
  for (let rule = 0; rule < STARTER.rules; rule += 1) {
    await pipeline.rule({ databaseId: board.dataSourceId, channelId: channels[rule % channels.length]?.id });
  }
  await till.use(STARTER.notifications - ROOM);
  for (const title of titles) await pipeline.edit(title, { Status: 'Done' });
  // Slow enough that every process makes its own call before it sees another's message.
  pipeline.fault({ target: 'discord', kind: 'slow', match: 'POST .*/messages', times: 0, delayMs: 400 });

  await startAtOnce(PROCESSES);
  const used = async () =>
    (await product.call('mira', 'GET', '/api/app/me')).body.subscription.notificationsUsed;
  await expect.poll(used, POLLING).toBeGreaterThanOrEqual(STARTER.notifications);
  // Every channel gets a notice of what was held; by then nothing is left to send.
  const posted = async () => (await Promise.all(channels.map(({ name }) => pipeline.cards(name)))).flat();
  const heldBack = async () =>
    (await posted())
      .map(({ content }) => /^(\d+) notifications? (was|were) held back/.exec(content)?.[1] ?? 0)
      .reduce<number>((sum, count) => sum + Number(count), 0);
  await expect.poll(() => till.isDrained(), POLLING).toBe(true);
  const cards = (await posted()).filter(({ embeds }) => embeds.length > 0);
  expect(cards).toHaveLength(ROOM);
  expect(new Set(cards.map(({ id }) => id)).size).toBe(ROOM);
  expect(await used()).toBe(STARTER.notifications);
  expect(await heldBack()).toBeGreaterThan(0);
  const { body: periods } = await product.call('mira', 'GET', '/api/app/billing/periods');
  const path = `/api/app/billing/periods/${periods[0].periodStart}`;
  const { body: ledger } = await product.call('mira', 'GET', path);
  expect(ledger.map(({ messageId }: { messageId: string }) => messageId).sort()).toEqual(
    cards.map(({ id }) => id).sort(),
  );
});
