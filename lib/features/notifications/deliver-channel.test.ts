import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { drainTurns } from '@/lib/testing/drain-turns';
import { Line } from '@/lib/testing/line';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { channelTurns } from './deliver-channel';
import { sealMessage } from './sealed-message';

const SEND_MESSAGES = String(1n << 11n);
let line: Line;

beforeAll(async () => {
  line = new Line(await startConnectedProduct());
});
afterAll(() => line.story.product.stop());
beforeEach(async () => {
  await line.story.product.rest();
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  await line.clear();
  told = await directMessages();
});

const channelOf = (name: string) => line.story.channel(name);

/** Cards that wait for a channel under a rule of its own. Returns the rule's id. */
async function waiting(channel: string, ...contents: string[]): Promise<string> {
  const { id } = await line.rule({ channelId: channelOf(channel) });
  await addCardsOfRule(id, contents);
  return id;
}

const drain = () => drainTurns(channelTurns(null));

async function deliver(): Promise<void> {
  await line.story.product.work();
  await line.idle();
}

const contents = async (channel: string): Promise<string[]> =>
  (await line.cards(channel)).map(({ content }) => content);
let told = 0;
const directMessages = async (): Promise<number> =>
  (await line.story.product.control('discord', 'GET', '/direct-messages/208917000000000101')).messages.length;
/** The calls with cards; that a channel refuses them is told in a message of its own. */
const sends = async () => {
  const { calls, invalidAnswers } = await line.story.product.control('discord', 'GET', '/calls');
  const warnings = (await directMessages()) - told;
  return { calls: (calls['POST /channels/:id/messages'] ?? 0) - warnings, invalidAnswers };
};
const states = async () => {
  const rows = await db().delivery.findMany({ orderBy: { sequence: 'asc' } });
  return rows.map(({ state, reason }) => [state, reason]);
};
const used = async () =>
  (await line.story.product.call('mira', 'GET', '/api/app/me')).body.subscription.notificationsUsed;
const lastDelivery = async (ruleId: string) => {
  const { body } = await line.story.product.call('mira', 'GET', '/api/app/rules');
  return body.find(({ id }: { id: string }) => id === ruleId).lastDelivery;
};
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `card ${index + 1}`);

test('the cards of a channel leave in their order, more than one run can take too', async () => {
  const cards = numbered(60);
  await waiting('tasks', ...cards);
  await deliver();
  expect(await contents('tasks')).toEqual(cards);
  expect(await used()).toBe(60);
});

describe('a failure that passes', () => {
  test.each([
    ['answers 500', { kind: 'fail', status: 500 }],
    ['answers 503', { kind: 'fail', status: 503 }],
    ['hangs up after it took the card', { kind: 'hangup' }],
  ] as const)('keeps the order and sends every card once when Discord %s', async (_, fault) => {
    await waiting('tasks', 'one', 'two', 'three');
    line.fault({ target: 'discord', match: 'POST .*/messages', times: 2, ...fault });
    await deliver();
    expect(await contents('tasks')).toEqual(['one', 'two', 'three']);
    expect(await states()).toEqual(Array(3).fill(['sent', null]));
    expect(await used()).toBe(3);
    expect((await sends()).calls).toBe(5);
  });

  test('shows why the card waits, and until then holds back the ones behind it', async () => {
    const rule = await waiting('tasks', 'one', 'two');
    line.fault({ target: 'discord', match: 'POST .*/messages', times: 0, status: 503, kind: 'fail' });
    await drain();
    const [first] = await db().delivery.findMany({ orderBy: { sequence: 'asc' } });
    expect(first?.nextTryAt?.getTime()).toBeGreaterThan(Date.now());
    expect(await states()).toEqual([
      ['waiting', 'Discord had a problem of its own (503).'],
      ['waiting', null],
    ]);
    await drain();
    expect((await sends()).calls).toBe(1);
    expect(await lastDelivery(rule)).toMatchObject({ state: 'waiting', reason: null });
  });

  test('is given up after a day, with the reason', async () => {
    const rule = await waiting('tasks', 'old');
    await db().delivery.updateMany({ data: { triedAt: new Date(Date.now() - 25 * 3_600_000) } });
    line.fault({ target: 'discord', match: 'POST .*/messages', times: 0, status: 500, kind: 'fail' });
    await deliver();
    expect(await lastDelivery(rule)).toMatchObject({
      state: 'failed',
      reason: 'Discord had a problem of its own (500).',
    });
  });

  test('of our own bot token keeps the cards waiting and does not ask again at once', async () => {
    await waiting('tasks', 'one', 'two');
    line.fault({ target: 'discord', match: 'POST .*/messages', times: 0, status: 401, kind: 'fail' });
    await drain();
    await drain();
    expect((await states())[0]).toEqual([
      'waiting',
      'Discord does not accept the bot. Pagewire has to mend this.',
    ]);
    expect((await sends()).calls).toBe(1);
  });
});

describe('a rate limit', () => {
  test('is learnt from the headers: more cards than fit all arrive, and Discord never has to refuse one', async () => {
    await line.story.product.control('discord', 'PUT', '/limits', { limits: 'on' });
    const cards = numbered(7);
    await waiting('tasks', ...cards);
    await deliver();
    await line.story.product.control('discord', 'PUT', '/limits', { limits: 'off' });
    expect(await contents('tasks')).toEqual(cards);
    expect(await sends()).toEqual({ calls: 7, invalidAnswers: 0 });
  });

  test('that Discord answers with is obeyed: nothing is sent before its end, and no card is lost', async () => {
    await waiting('tasks', 'one', 'two');
    line.fault({ target: 'discord', match: 'POST .*/messages', status: 429, kind: 'fail' });
    await deliver();
    expect(await contents('tasks')).toEqual(['one', 'two']);
    // However often the job looked, one refused call and one for each card.
    expect((await sends()).calls).toBe(3);
  });

  test('of one channel does not stop another', async () => {
    await waiting('tasks', 'held back');
    await waiting('bugs', 'free');
    const key = `discord:${channelOf('tasks')}`;
    await db().rateLimit.create({ data: { key, blockedUntil: new Date(Date.now() + 3_600_000) } });
    await line.story.product.work();
    await expect.poll(() => contents('bugs'), { timeout: 10_000 }).toEqual(['free']);
    expect(await contents('tasks')).toEqual([]);
    await db().rateLimit.deleteMany();
    await line.idle();
    expect(await contents('tasks')).toEqual(['held back']);
  });

  test('of the whole bot stops every channel', async () => {
    await waiting('tasks', 'one');
    await waiting('bugs', 'two');
    await db().rateLimit.create({ data: { key: 'discord', blockedUntil: new Date(Date.now() + 3_600_000) } });
    await drain();
    expect((await sends()).calls).toBe(0);
  });
});

describe('a refusal for good', () => {
  const close = () =>
    line.story.product.control('discord', 'PUT', `/channels/${channelOf('tasks')}/overwrite`, {
      deny: SEND_MESSAGES,
    });
  const REASON = 'The bot may not send messages in the channel.';

  test('stops the channel with one call: every waiting card has failed with the reason', async () => {
    const rule = await waiting('tasks', 'one', 'two', 'three');
    await close();
    await deliver();
    expect(await states()).toEqual(Array(3).fill(['failed', REASON]));
    expect((await sends()).calls).toBe(1);
    expect(await lastDelivery(rule)).toMatchObject({ state: 'failed', reason: REASON });
    expect(await used()).toBe(0);
  });

  test('is not asked for again by later cards, and leaves other channels and the rule alone', async () => {
    const rule = await waiting('tasks', 'one');
    await close();
    await deliver();
    await addCardsOfRule(rule, ['two']);
    await waiting('bugs', 'free');
    await line.idle();
    expect((await states())[1]).toEqual(['failed', REASON]);
    expect(await contents('bugs')).toEqual(['free']);
    expect((await sends()).calls).toBe(2);
    const { body } = await line.story.product.call('mira', 'GET', '/api/app/rules');
    expect(body.every(({ enabled }: { enabled: boolean }) => enabled)).toBe(true);
  });

  test('ends when the bot is seen to have access again', async () => {
    const rule = await waiting('tasks', 'one');
    await close();
    await deliver();
    await line.story.product.control('discord', 'PUT', `/channels/${channelOf('tasks')}/overwrite`, {});
    await db().channelProblem.updateMany({ data: { since: new Date(Date.now() - 120_000) } });
    await addCardsOfRule(rule, ['two']);
    await line.idle();
    expect(await contents('tasks')).toEqual(['two']);
    expect(await db().channelProblem.count()).toBe(0);
  });

  test('of a channel that is gone says so', async () => {
    await waiting('bugs', 'one', 'two');
    line.fault({ target: 'discord', match: 'POST .*/messages', status: 404, kind: 'fail' });
    await deliver();
    expect(await states()).toEqual(Array(2).fill(['failed', 'The channel was deleted.']));
    expect((await sends()).calls).toBe(1);
  });

  test('of a single card fails that card alone', async () => {
    await waiting('tasks', 'one', 'x'.repeat(2001), 'three');
    await deliver();
    expect(await contents('tasks')).toEqual(['one', 'three']);
    expect(await states()).toEqual([
      ['sent', null],
      ['failed', expect.stringContaining('Discord refused the card: Invalid Form Body (50035).')],
      ['sent', null],
    ]);
  });
});

describe('an attempt whose outcome is unknown', () => {
  const MINUTES_MS = 60_000;

  /** Discord takes the card and hangs up; the next attempt comes when it has forgotten the nonce. */
  async function lostAnswer(...cards: string[]): Promise<void> {
    await waiting('tasks', ...cards);
    line.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
    await drain();
    await db().$executeRaw`update delivery set tried_at = tried_at - interval '10 minutes'`;
    const clock = `${line.story.product.sandbox.context.urls.discord}/_sandbox/clock`;
    await fetch(clock, { method: 'POST', body: JSON.stringify({ advanceMs: 10 * MINUTES_MS }) });
  }

  test('is looked up in the channel when Discord no longer knows the nonce: no second card', async () => {
    await lostAnswer('lost and found', 'behind it');
    await deliver();
    expect(await contents('tasks')).toEqual(['lost and found', 'behind it']);
    const [first] = await line.cards();
    const [sent] = await db().delivery.findMany({ orderBy: { sequence: 'asc' } });
    expect(sent).toMatchObject({ state: 'sent', messageId: first.id, sealedMessage: null });
    expect(await used()).toBe(2);
  });

  test('was sent and counts once, also when the trial ends before the next attempt', async () => {
    await waiting('tasks', 'posted', 'never posted');
    line.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
    await drain();
    const where = { subject: { endsWith: '101' } };
    const { trialEndsAt } = await db().account.findFirstOrThrow({ where });
    await db().account.updateMany({ where, data: { trialEndsAt: new Date(Date.now() - 1000) } });
    await deliver();
    await db().account.updateMany({ where, data: { trialEndsAt } });
    const [card, notice, ...more] = await contents('tasks');
    expect([card, more]).toEqual(['posted', []]);
    expect(notice).toContain('1 notification was held back');
    expect(await states()).toEqual([
      ['sent', null],
      ['held', 'The trial has ended. Posting resumes with a subscription.'],
    ]);
    expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: 1, reserved: 1 });
  });

  test('was sent, also when the other places of the period are used before the next attempt', async () => {
    await waiting('tasks', 'posted', 'never posted');
    line.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
    await drain();
    await addCardsOfRule((await db().rule.findFirstOrThrow()).id, ['too late']);
    await db().usagePeriod.updateMany({ data: { reserved: 1000, sent: 998 } });
    await deliver();
    expect((await contents('tasks')).slice(0, 2)).toEqual(['posted', 'never posted']);
    expect((await states()).map(([state]) => state)).toEqual(['sent', 'sent', 'held']);
    expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: 1000, reserved: 1000 });
  });

  test('of two cards that say the same is looked up for each', async () => {
    await lostAnswer('twin', 'twin');
    await deliver();
    expect(await contents('tasks')).toEqual(['twin', 'twin']);
    expect(await states()).toEqual(Array(2).fill(['sent', null]));
    expect(await used()).toBe(2);
  });

  test('is not taken for another card that says the same', async () => {
    await waiting('tasks', 'same');
    await deliver();
    await line.story.product.rest();
    line.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 500 });
    await waiting('tasks', 'same');
    await drain();
    await db().$executeRaw`update delivery set tried_at = tried_at - interval '10 minutes'`;
    await deliver();
    expect(await contents('tasks')).toEqual(['same', 'same']);
  });

  test('counts when its message was deleted before the next attempt', async () => {
    await waiting('tasks', 'one');
    line.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
    await drain();
    const [{ id }] = await line.cards();
    const { discord } = line.story.product.sandbox.context.credentials;
    await fetch(`${process.env['DISCORD_API_URL']}/channels/${channelOf('tasks')}/messages/${id}`, {
      method: 'DELETE',
      headers: {
        authorization: `Bot ${discord.botToken}`,
        'user-agent': 'DiscordBot (https://a.example, 1.0)',
      },
    });
    await deliver();
    expect(await states()).toEqual([['sent', null]]);
    expect(await db().channelProblem.count()).toBe(0);
    expect(await used()).toBe(1);
  });
});

test('a card that is changed while it is on its way becomes in place what it should be', async () => {
  await waiting('tasks', 'older');
  line.fault({ target: 'discord', match: 'POST .*/messages', kind: 'slow', delayMs: 500 });
  const sending = drain();
  await expect.poll(async () => (await sends()).calls).toBe(1);
  const { id } = await db().delivery.findFirstOrThrow();
  await db().delivery.updateMany({ data: { sealedMessage: sealMessage(id, { content: 'newer' }) } });
  await sending;
  await deliver();
  expect(await contents('tasks')).toEqual(['newer']);
  expect(await db().delivery.findFirst()).toMatchObject({ state: 'sent', sealedMessage: null });
});

test('two workers at the same channel send and count every card once', async () => {
  const cards = numbered(10);
  await waiting('tasks', ...cards);
  await Promise.all([drain(), drain(), drain()]);
  await deliver();
  expect(await contents('tasks')).toEqual(cards);
  expect(await used()).toBe(10);
});

describe('the cards of a deleted rule', () => {
  test('are not sent any more', async () => {
    const rule = await waiting('tasks', 'one');
    await line.story.product.call('mira', 'DELETE', `/api/app/rules/${rule}`);
    await deliver();
    expect(await contents('tasks')).toEqual([]);
  });

  test.each([
    ['the rule is deleted', (rule: string) => `/api/app/rules/${rule}`],
    ['the workspace is disconnected', () => '/api/app/notion/workspace'],
  ])('that wait for their next attempt give their place back when %s', async (_, path) => {
    const rule = await waiting('tasks', 'one', 'two');
    line.fault({ target: 'discord', match: 'POST .*/messages', times: 0, status: 503, kind: 'fail' });
    await drain();
    expect((await db().usagePeriod.findFirst())?.reserved).toBeGreaterThan(0);
    line.story.product.sandbox.context.faults.clear();
    await line.story.product.call('mira', 'DELETE', path(rule));
    await deliver();
    expect(await contents('tasks')).toEqual([]);
    expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: 0, reserved: 0 });
    expect(await db().delivery.count()).toBe(0);
    if (path(rule).endsWith('workspace'))
      await line.story.product.connectNotion('mira', [line.story.board.id]);
  });

  test('count when Discord confirms one that was on its way', async () => {
    const rule = await waiting('tasks', 'one');
    line.fault({ target: 'discord', match: 'POST .*/messages', kind: 'slow', delayMs: 500 });
    const sending = drain();
    await expect.poll(async () => (await sends()).calls).toBe(1);
    await line.story.product.call('mira', 'DELETE', `/api/app/rules/${rule}`);
    await sending;
    expect(await contents('tasks')).toEqual(['one']);
    expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: 1, reserved: 1 });
  });
});

test('a sent card tells when it was confirmed, and its rule shows it', async () => {
  const rule = await waiting('tasks', 'one');
  await deliver();
  const { finishedAt, messageId } = await db().delivery.findFirstOrThrow();
  const [message] = await line.cards('tasks');
  expect(messageId).toBe(message.id);
  expect(await lastDelivery(rule)).toEqual({ state: 'sent', reason: null, at: finishedAt?.toISOString() });
});

test('what waits is sealed: no text of a card stands in the database', async () => {
  await waiting('tasks', 'a secret plan');
  const { sealedMessage } = await db().delivery.findFirstOrThrow();
  expect(Buffer.from(sealedMessage ?? []).toString('latin1')).not.toContain('secret');
});
