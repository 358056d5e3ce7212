import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, runStatement } from '@/lib/db/database';
import type { Message } from '@/lib/db/generated/client';
import { metrics } from '@/lib/metrics';
import { enqueue } from '@/lib/queue/enqueue';
import { drainTurns } from '@/lib/testing/drain-turns';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { currentPeriod } from '../billing/period';
import { STARTER } from '../billing/plan';
import { warnUsageJob } from '../billing/quota';
import { resendSql } from '../deliveries/resend-sql';
import { channelTurns } from '../sending/channel-turns';
import type { ConfirmedMessage } from './confirm-sql';
import { dropOrphans, endMessages } from './end-messages';
import { recordCalls } from './record-calls';
import { reserveNotification } from './reserve-notification';

const LIMIT = STARTER.notifications;
const MIRA = '208917000000000101';
let pipeline: Pipeline;
let sequence = 0;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.rest();
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  await pipeline.clear();
  await db().heldNotice.deleteMany();
  const trialEndsAt = new Date(Date.now() + 86_400_000);
  await db().account.updateMany({
    data: { status: 'trial', trialEndsAt, paidPeriodStart: null, paidPeriodEnd: null },
  });
});

const product = () => pipeline.story.product;
const account = () => db().account.findFirstOrThrow({ where: { discordUserId: MIRA } });
const billing = async () => (await product().call('mira', 'GET', '/api/app/billing')).body;
const contents = async (channel: string) =>
  (await pipeline.cards(channel)).map(({ content }) => content as string);
/** The states of all cards, without the messages that tell the account holder and the channel of the limit. */
const states = async () =>
  (await db().message.findMany({ where: { kind: { notIn: ['direct', 'notice'] } } })).map(
    ({ state }) => state,
  );

async function use(sent: number): Promise<Date> {
  const { id, ...rest } = await account();
  const { start, end } = currentPeriod(rest, new Date());
  await db().usagePeriod.create({
    data: { accountId: id, startsAt: start, endsAt: end, sent, reserved: sent },
  });
  return start;
}

/** How many messages the metrics say this process has sent. */
async function countedSent(): Promise<number> {
  const { values } = await metrics.deliveries.get();
  return values.find(({ labels }) => labels['state'] === 'sent')?.value ?? 0;
}

const confirmSent = (sent: ConfirmedMessage) =>
  recordCalls({
    sent: [sent],
    slots: [],
    blocks: [],
    ended: null,
    resumeAt: 0,
  });

async function queue(channelId: string, count: number): Promise<void> {
  const { id } = await pipeline.rule({ channelId });
  const cards = Array.from({ length: count }, () => {
    sequence += 1;
    return `card ${sequence}`;
  });
  await addCardsOfRule(id, cards);
}

async function deliver(): Promise<void> {
  await product().work();
  await eventually(async () => !(await states()).includes('waiting'));
}

test('twenty workers that race for the last ten messages send exactly ten', async () => {
  await use(LIMIT - 10);
  const { body: server } = await product().call('mira', 'GET', '/api/app/discord/server');
  type Listed = { id: string; name: string; botHasAccess: boolean; kind: string };
  const usable: Listed[] = server.channels.filter(
    ({ botHasAccess, kind }: Listed) => botHasAccess && kind !== 'forum',
  );
  const targets: string[] = usable.map(({ id }) => id);
  expect(targets.length).toBeGreaterThan(1);
  for (const channelId of targets) await queue(channelId, 12);
  const work = () => drainTurns(channelTurns(null));
  await Promise.all(Array.from({ length: 20 }, work));
  await work();

  const rows = await db().message.groupBy({ by: ['state'], _count: true });
  expect(Object.fromEntries(rows.map(({ state, _count }) => [state, _count]))).toEqual({
    sent: 10,
    held: targets.length * 12 - 10,
  });
  const posted = await Promise.all(usable.map(({ name }) => contents(name)));
  expect(posted.flat().filter((text) => text.startsWith('card '))).toHaveLength(10);
  expect((await billing()).usage.notificationsUsed).toBe(LIMIT);
  expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: LIMIT, reserved: LIMIT });
});

describe('over the quota', () => {
  test('cards are held, the channel is told once with their number, and that does not count', async () => {
    await use(LIMIT - 1);
    await queue(pipeline.story.channel('tasks'), 4);
    await deliver();
    const notice = await eventually(async () =>
      (await contents('tasks')).find((text) => !text.startsWith('card')),
    );
    expect(notice).toBe(
      '3 notifications were held back in this channel and will not be posted later. The 1,000 notifications of the trial are used. Posting resumes with a subscription.',
    );
    await queue(pipeline.story.channel('tasks'), 2);
    await eventually(async () => !(await states()).includes('waiting'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await contents('tasks')).toHaveLength(2);
    expect((await billing()).usage.notificationsUsed).toBe(LIMIT);

    // The cards held since are reported a day later.
    await db()
      .$executeRaw`update held_notice set posted_at = posted_at - interval '1 day', told_at = told_at - interval '1 day'`;
    await db()
      .$executeRaw`update message set finished_at = finished_at - interval '1 day' where sequence <= (select min(sequence) + 3 from message)`;
    await db().$executeRaw`update graphile_worker._private_jobs set run_at = now() where locked_at is null`;
    const later = await eventually(async () => (await contents('tasks'))[2]);
    expect(later).toMatch(/^2 notifications were held back/);
  });

  test('the next period starts at zero, and held cards stay held', async () => {
    await use(LIMIT);
    await queue(pipeline.story.channel('tasks'), 2);
    await deliver();
    const start = new Date();
    await db().account.updateMany({
      where: { discordUserId: MIRA },
      data: {
        status: 'active',
        paidPeriodStart: start,
        paidPeriodEnd: new Date(start.getTime() + 30 * 86_400_000),
      },
    });
    await queue(pipeline.story.channel('tasks'), 1);
    await deliver();
    expect((await contents('tasks')).filter((text) => text.startsWith('card'))).toHaveLength(1);
    expect((await states()).sort()).toEqual(['held', 'held', 'sent']);
    expect((await billing()).usage).toMatchObject({
      notificationsUsed: 1,
      periodStart: start.toISOString(),
    });
  });
});

test.each([
  ['trial', -1, 'The trial has ended. Posting resumes with a subscription.'],
  ['past_due', 1, 'A payment is overdue. Posting resumes once it is made.'],
  ['canceled', 1, 'The subscription has ended. Posting resumes with a new one.'],
])(
  'with the status %s and the trial ending %d days from now, cards are held',
  async (status, days, reason) => {
    const trialEndsAt = new Date(Date.now() + days * 86_400_000);
    await db().account.updateMany({ where: { discordUserId: MIRA }, data: { status, trialEndsAt } });
    await queue(pipeline.story.channel('tasks'), 1);
    await deliver();
    const card = await db().message.findFirst({ where: { kind: 'post' } });
    expect(card).toMatchObject({ state: 'held', reason });
    expect(await db().rule.count()).toBe(1);
  },
);

test('a card that Discord refused for good releases its reservation', async () => {
  await use(LIMIT - 1);
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 400 });
  await queue(pipeline.story.channel('tasks'), 2);
  await deliver();
  expect((await states()).sort()).toEqual(['failed', 'sent']);
  expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: LIMIT, reserved: LIMIT });
});

describe('a card that a worker has posted before it was held up for longer than its lease', () => {
  const drop = async (card: Message) => {
    await db().message.updateMany({ data: { sourceId: null } });
    await dropOrphans([card]);
  };
  const sendAgain = async ({ id, sourceId }: Message) => {
    await endMessages({ messageId: id }, 'failed', 'refused', 'refused');
    await runStatement(resendSql((await account()).id, sourceId ?? '', id));
  };

  test.each([
    ['its rule was deleted', drop],
    ['it was given up and is sent again', sendAgain],
    [
      'it was given up, and is sent again in another period',
      async (card: Message) => {
        await sendAgain(card);
        const paidPeriodStart = new Date();
        const paidPeriodEnd = new Date(Date.now() + 30 * 86_400_000);
        await db().account.updateMany({ data: { status: 'active', paidPeriodStart, paidPeriodEnd } });
        const again = await db().message.findFirstOrThrow();
        await reserveNotification(await account(), again);
      },
    ],
  ])('counts once, although %s meanwhile', async (_, happen) => {
    await queue(pipeline.story.channel('tasks'), 1);
    const card = await db().message.findFirstOrThrow();
    const reservation = await reserveNotification(await account(), card);
    if (!reservation || !('periodStart' in reservation)) throw new Error('no reservation');
    await happen(card);
    await confirmSent({ ...card, discordMessageId: '1', periodStart: reservation.periodStart });
    expect((await billing()).usage.notificationsUsed).toBe(1);
    const counts = await db().usagePeriod.findMany();
    expect(counts.map(({ sent, reserved }) => [sent, reserved]).filter(([sent]) => sent !== 0)).toEqual([
      [1, 1],
    ]);
    expect(counts.filter(({ sent, reserved }) => sent !== reserved)).toEqual([]);
  });
});

test('the ledger lists the messages behind the count of a period', async () => {
  await queue(pipeline.story.channel('tasks'), 3);
  await deliver();
  const { body: periods } = await product().call('mira', 'GET', '/api/app/billing/periods');
  expect(periods).toMatchObject([{ notificationsUsed: 3, notificationsLimit: LIMIT }]);
  const path = `/api/app/billing/periods/${periods[0].periodStart}`;
  const { body: ledger } = await product().call('mira', 'GET', path);
  expect(ledger).toHaveLength(3);
  expect(ledger[0]).toMatchObject({
    channelId: pipeline.story.channel('tasks'),
    messageId: expect.any(String),
  });
  expect((await product().call('vera', 'GET', path)).status).toBe(404);
});

async function directMessages(): Promise<string[]> {
  const { urls, credentials } = product().sandbox.context;
  const response = await fetch(`${urls.discord}/api/v10/users/@me/channels`, {
    method: 'POST',
    headers: {
      authorization: `Bot ${credentials.discord.botToken}`,
      'content-type': 'application/json',
      'user-agent': 'DiscordBot (https://pagewire.example, 1.0)',
    },
    body: JSON.stringify({ recipient_id: MIRA }),
  });
  const { id } = (await response.json()) as { id: string };
  return (await product().messages(id)).map(({ content }) => content);
}

test('the account holder is warned at 80 % and at 100 %, once each, even when Discord refuses', async () => {
  await use(LIMIT * 0.8 - 1);
  await queue(pipeline.story.channel('tasks'), 1);
  await deliver();
  await pipeline.idle();
  expect((await db().usagePeriod.findFirstOrThrow()).warnedMostAt).not.toBeNull();
  expect((await directMessages()).at(-1)).toMatch(
    /^800 of the 1,000 Pagewire notifications of this trial are used: http/,
  );
  await db().usagePeriod.updateMany({ data: { sent: LIMIT - 1, reserved: LIMIT - 1 } });
  await db().conversation.updateMany({ data: { channelId: null } });
  pipeline.fault({ target: 'discord', match: '@me/channels', kind: 'fail', status: 403 });
  await queue(pipeline.story.channel('tasks'), 1);
  await pipeline.idle();
  const { accountId, startsAt, warnedAllAt } = await db().usagePeriod.findFirstOrThrow();
  expect(warnedAllAt).not.toBeNull();
  const calls = async () => {
    const { calls: counted } = await product().control('discord', 'GET', '/calls');
    return ['POST /users/@me/channels', 'POST /channels/:id/messages'].map((name) => counted[name]);
  };
  const before = await calls();
  await enqueue(db(), warnUsageJob, { accountId, periodStart: startsAt.toISOString() });
  await pipeline.idle();
  expect(await calls()).toEqual(before);
});

test('in any order of attempts and turns of the period, the counts equal what was sent and never pass the limit', async () => {
  await queue(pipeline.story.channel('tasks'), 30);
  const all = await db().message.findMany();
  const move = fc.record({
    card: fc.nat(29),
    how: fc.constantFrom('try', 'send', 'fail', 'twice', 'send', 'turn'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { maxLength: 60 }),
      fc.integer({ min: 1, max: 12 }),
      async (moves, room) => {
        await db().usagePeriod.deleteMany();
        await db().message.updateMany({
          data: { state: 'waiting', usagePeriodStart: null, finishedAt: null, discordMessageId: null },
        });
        await turnTo(new Date(Date.now() - 86_400_000));
        const first = await use(LIMIT - room);
        const counted = await countedSent();
        // Eight workers at once.
        for (let at = 0; at < moves.length; at += 8) await Promise.all(moves.slice(at, at + 8).map(make));
        for (const period of await db().usagePeriod.findMany()) {
          const of = { usagePeriodStart: period.startsAt };
          const sent = await db().message.count({ where: { ...of, state: 'sent' } });
          const open = await db().message.count({ where: { ...of, state: 'waiting' } });
          const before = period.startsAt.getTime() === first.getTime() ? LIMIT - room : 0;
          expect(period.sent).toBe(before + sent);
          expect(period.reserved).toBe(period.sent + open);
          expect(period.reserved).toBeLessThanOrEqual(LIMIT);
        }
        expect((await countedSent()) - counted).toBe(await db().message.count({ where: { state: 'sent' } }));
      },
    ),
    { numRuns: 40 },
  );

  async function turnTo(start: Date): Promise<void> {
    const paidPeriodEnd = new Date(start.getTime() + 30 * 86_400_000);
    await db().account.updateMany({
      where: { discordUserId: MIRA },
      data: { status: 'active', paidPeriodStart: start, paidPeriodEnd },
    });
  }

  async function make({ card, how }: { card: number; how: string }): Promise<void> {
    if (how === 'turn') return turnTo(new Date(Date.now() + card * 86_400_000));
    const delivery = await db().message.findFirstOrThrow({ where: { id: all[card]?.id ?? '' } });
    if (delivery.state !== 'waiting') return;
    const reservation = await reserveNotification(await account(), delivery);
    if (!reservation || !('periodStart' in reservation)) return;
    if (how === 'fail') await endMessages({ messageId: delivery.id }, 'failed', 'refused', 'refused');
    const sent = { ...delivery, discordMessageId: '1', periodStart: reservation.periodStart };
    if (how === 'send') await confirmSent(sent);
    if (how === 'twice') await Promise.all([confirmSent(sent), confirmSent(sent)]);
  }
});

test('after a payment, cards are posted again', async () => {
  const till = new StripeSteps(product());
  await db().account.updateMany({
    where: { discordUserId: MIRA },
    data: { trialEndsAt: new Date(Date.now() - 1000) },
  });
  await queue(pipeline.story.channel('tasks'), 1);
  await deliver();
  await till.buy();
  await eventually(async () => (await till.subscription()).status === 'active');
  await queue(pipeline.story.channel('tasks'), 1);
  await deliver();
  expect((await states()).sort()).toEqual(['held', 'sent']);
});
