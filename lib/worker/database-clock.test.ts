import { afterAll, beforeAll, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { followDatabaseClock } from '@/lib/queue/database-clock';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { whileLocked } from '@/lib/testing/while-locked';
import { HOUR_MS, SECOND_MS } from '@/lib/time';
import { TABLES } from './tables';

const GOLEM = 'Boss fight: ember golem';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

const everyTable = TABLES.times;

/** Has the effect of setting the clock back by an hour: everything that was stored before is an hour ahead. */
async function putBackByAnHour(): Promise<void> {
  for (const { table, moves } of everyTable) {
    const later = moves.map((column) => `${column} = ${column} + interval '1 hour'`);
    if (later.length > 0) await databasePool().query(`update ${table} set ${later}`);
  }
  await databasePool().query(`update seen_clock set at = at + interval '1 hour'`);
}

test('every time column of the database is declared to move, or not, when the clock is set back', async () => {
  const { rows } = await databasePool().query<{ name: string }>(`
    select attrelid::regclass || '.' || attname as name
    from pg_attribute a join pg_class c on c.oid = attrelid and relkind in ('r', 'p') and not relispartition
    where atttypid in ('timestamptz'::regtype, 'timestamptz[]'::regtype) and not attisdropped
      and relnamespace::regnamespace::text in ('public', 'graphile_worker') and relname <> '_prisma_migrations'`);
  const answered = everyTable.flatMap(({ table, moves, movesEach, stays }) =>
    [...moves, ...movesEach, ...stays].map((column) => `${table}.${column}`),
  );
  expect(answered.sort()).toEqual(rows.map(({ name }) => name).sort());
});

test('of a list of times, those move that something waits for', async () => {
  await pipeline.story.product.work();
  const { id: ruleId, channelId } = await pipeline.rule();
  await pipeline.story.product.rest();
  const { id: accountId } = await db().account.findFirstOrThrow();
  const [past, ahead] = [new Date(Date.now() - HOUR_MS), new Date(Date.now() + HOUR_MS)];
  const pace = { ruleId, channelId, accountId, came: 2, admitted: 2, recent: [past, ahead] };
  await db().postingPace.create({ data: pace });
  await db().$executeRaw`update seen_clock set at = now() + interval '1 hour'`;
  await followDatabaseClock(TABLES.times);
  const { recent } = await db().postingPace.findFirstOrThrow({ where: { ruleId } });
  const [before, moved] = recent;
  expect(before).toEqual(past);
  expect(moved?.getTime()).toBeLessThan(ahead.getTime() - HOUR_MS / 2);
});

const newPage = (title: string) =>
  pipeline.told(() =>
    pipeline.story.product.control('notion', 'POST', '/rows', {
      database: 'Sprint board',
      properties: { Name: title, Status: 'Backlog' },
    }),
  );

test('nothing waits for an hour when the database’s clock is set back by one', async () => {
  await pipeline.clear();
  await pipeline.story.product.work();
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  await pipeline.rule({
    eventType: 'page_created',
    watchedProperties: [],
    channelId: pipeline.story.channel('build-log'),
  });
  await newPage('A page that has just been made');
  await pipeline.idle();
  const later = await pipeline.rule({
    channelId: pipeline.story.channel('bugs'),
    watchedProperties: ['Priority'],
  });
  await pipeline.idle();
  await pipeline.story.product.rest();
  // Waiting: a page with an event, a new page that settles, a card for its next attempt, and every call of the bot.
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await addCardsOfRule(later.id, ['tried again']);
  await db().message.updateMany({
    where: { targetId: later.channelId },
    data: { notBefore: new Date(Date.now() + 1000) },
  });
  await pipeline.age(2.5);
  await db().$executeRaw`update send_slot set free_at = now() + interval '1 second'`;
  await db().rateLimit.create({ data: { key: 'discord', blockedUntil: new Date(Date.now() + 1000) } });
  await putBackByAnHour();
  await pipeline.story.product.work();
  await expect.poll(() => pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  await expect.poll(async () => (await pipeline.cards('build-log')).length).toBe(1);
  const contents = async () => (await pipeline.cards('bugs')).map(({ content }) => content);
  await expect.poll(contents).toEqual(['tried again']);
});

test('a running worker notices it too', async () => {
  await pipeline.clear();
  await pipeline.story.product.work();
  const rule = await pipeline.rule();
  await pipeline.story.product.rest();
  await addCardsOfRule(rule.id, ['one']);
  await pipeline.story.product.work();
  await expect.poll(async () => (await pipeline.cards()).length).toBe(1);
  await db().$executeRaw`update send_slot set free_at = now()`;
  await putBackByAnHour();
  await addCardsOfRule(rule.id, ['two']);
  await expect.poll(async () => (await pipeline.cards()).length).toBe(2);
});

test('waits for what is being written without holding the turns that it needs next', async () => {
  await pipeline.story.product.work();
  await pipeline.story.product.rest();
  await pipeline.clear();
  await addCardsOfRule((await pipeline.rule()).id, ['one']);
  await db().$executeRaw`update message set tried_at = now() + interval '1 hour'`;
  await db().$executeRaw`update channel_turn set due_at = now() + interval '1 hour'`;
  await db().$executeRaw`update seen_clock set at = now() + interval '1 hour'`;
  const ends: Promise<void>[] = [];
  await whileLocked('select 1 from message for update', async (blocked) => {
    ends.push(followDatabaseClock(TABLES.times));
    await blocked(1);
    expect(await db().$queryRaw`select 1 from channel_turn for update skip locked`).toHaveLength(1);
  });
  await Promise.all(ends);
  expect(await db().channelTurn.count({ where: { dueAt: { gt: new Date(Date.now() + HOUR_MS / 2) } } })).toBe(
    0,
  );
});

test('an account that used up its calls of a minute may call again a minute later', async () => {
  await pipeline.story.product.work();
  await pipeline.story.product.rest();
  const { id: accountId } = await db().account.findFirstOrThrow();
  const endsAt = new Date(Date.now() + HOUR_MS + SECOND_MS);
  const spent = { accountId, kind: 'calls', used: 600, endsAt };
  await db().callCount.deleteMany();
  await db().callCount.create({ data: spent });
  await db().$executeRaw`update seen_clock set at = now() + interval '1 hour'`;
  const status = async () => (await pipeline.story.product.call('mira', 'GET', '/api/app/me')).status;
  expect(await status()).toBe(429);
  await pipeline.story.product.work();
  await expect.poll(status).toBe(200);
});
