import { afterAll, beforeAll, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { Line } from '@/lib/testing/line';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';

const GOLEM = 'Boss fight: ember golem';
const PATIENCE = { timeout: 30_000 };
let line: Line;

beforeAll(async () => {
  line = new Line(await startConnectedProduct());
});
afterAll(() => line.story.product.stop());

/** Leaves behind what the step of the database's clock does: all that was stored before lies an hour ahead. */
async function putBackByAnHour(): Promise<void> {
  for (const [table, ...columns] of [
    ['seen_clock', 'at'],
    ['page_turn', 'due_at'],
    ['channel_turn', 'due_at'],
    ['send_slot', 'free_at'],
    ['rate_limit', 'blocked_until'],
    ['message', 'not_before', 'tried_at', 'postponed_at'],
    ['decision', 'created_at'],
    ['card', 'page_read_at'],
    ['notion_event', 'received_at'],
    ['notion_workspace', 'reconcile_at'],
    ['notion_database', 'checkpoint_at'],
    ['graphile_worker._private_jobs', 'run_at'],
    ['worker_process', 'started_at'],
  ]) {
    const later = columns.map((column) => `${column} = ${column} + interval '1 hour'`);
    await databasePool().query(`update ${table} set ${later}`);
  }
}

const newPage = (title: string) =>
  line.told(() =>
    line.story.product.control('notion', 'POST', '/rows', {
      database: 'Sprint board',
      properties: { Name: title, Status: 'Backlog' },
    }),
  );

test('the database’s clock is put back by an hour: nothing waits for an hour', async () => {
  await line.story.product.work();
  await line.clear();
  await line.prepare(GOLEM, { Status: 'Backlog' });
  await line.rule();
  await line.rule({
    eventType: 'page_created',
    watchedProperties: [],
    channelId: line.story.channel('build-log'),
  });
  await newPage('A page that has just been made');
  await line.idle();
  const later = await line.rule({
    channelId: line.story.channel('bugs'),
    watchedProperties: ['Priority'],
  });
  await line.idle();
  await line.story.product.rest();
  // Waiting: a page to be looked at, a new page to settle, a card for its next attempt, and every call of the bot.
  await line.edit(GOLEM, { Status: 'Done' });
  await addCardsOfRule(later.id, ['tried again']);
  await db().message.updateMany({
    where: { targetId: later.channelId },
    data: { notBefore: new Date(Date.now() + 1000) },
  });
  await db().$executeRaw`update notion_event set received_at = received_at - interval '150 seconds'`;
  await db().$executeRaw`update decision set created_at = created_at - interval '150 seconds'`;
  await db().$executeRaw`update page_turn set due_at = now()`;
  await db().$executeRaw`update send_slot set free_at = now() + interval '1 second'`;
  await db().rateLimit.create({ data: { key: 'discord', blockedUntil: new Date(Date.now() + 1000) } });
  await putBackByAnHour();
  await line.story.product.work();
  await expect.poll(() => line.lines(), PATIENCE).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  await expect.poll(async () => (await line.cards('build-log')).length, PATIENCE).toBe(1);
  const contents = async () => (await line.cards('bugs')).map(({ content }) => content);
  await expect.poll(contents, PATIENCE).toEqual(['tried again']);
});

test('while a worker runs it is noticed too', async () => {
  await line.story.product.work();
  await line.clear();
  const rule = await line.rule();
  await line.story.product.rest();
  await addCardsOfRule(rule.id, ['one']);
  await line.story.product.work();
  await expect.poll(async () => (await line.cards()).length, PATIENCE).toBe(1);
  await db().$executeRaw`update send_slot set free_at = now()`;
  await putBackByAnHour();
  await addCardsOfRule(rule.id, ['two']);
  await expect.poll(async () => (await line.cards()).length, PATIENCE).toBe(2);
});
