import { randomUUID } from 'node:crypto';
import { ChannelType } from 'discord-api-types/v10';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Channels, numbered } from '@/lib/testing/channels';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { whileLocked } from '@/lib/testing/while-locked';
import { HOUR_MS } from '@/lib/time';
import type { PostBody } from '../forums/post-shape';
import { queueEdit } from '../messages/queue-edit';
import { sealMessage } from '../messages/sealed-body';

const SEND_MESSAGES = String(1n << 11n);
let pipeline: Pipeline;
let channels: Channels;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  channels = new Channels(pipeline);
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.rest();
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  await pipeline.clear();
  told = await directMessages();
});

const channelOf = (name: string) => pipeline.story.channel(name);

let told = 0;
const directMessages = async (): Promise<number> =>
  (await pipeline.story.product.control('discord', 'GET', '/direct-messages/208917000000000101')).messages
    .length;
/** The calls that post cards, without those that warn of a refused channel in a direct message. */
const sends = async () => {
  const { calls, invalidAnswers } = await pipeline.story.product.control('discord', 'GET', '/calls');
  const warnings = (await directMessages()) - told;
  return { calls: (calls['POST /channels/:id/messages'] ?? 0) - warnings, invalidAnswers };
};
const lastDelivery = async (ruleId: string) => {
  const { body } = await pipeline.story.product.call('mira', 'GET', '/api/app/rules');
  return body.find(({ id }: { id: string }) => id === ruleId).lastDelivery;
};

test('the cards of a channel are sent in order, also when there are more than one turn sends', async () => {
  const cards = numbered(60);
  await channels.waiting('tasks', ...cards);
  await channels.deliver();
  expect(await channels.contents('tasks')).toEqual(cards);
  expect(await channels.used()).toBe(60);
});

describe('what has to follow from the end of a card is saved with it', () => {
  /** Sends while no job can be added. */
  async function sendWithoutJobs(look: () => Promise<void>): Promise<void> {
    let sending: Promise<void> | undefined;
    await whileLocked('lock table graphile_worker._private_jobs in share mode', async (blocked) => {
      sending = channels.drain();
      await blocked(1);
      await look();
    });
    await sending;
  }
  const states = async () => (await db().message.findMany()).map(({ state }) => state);

  test('the warning, when a channel stops', async () => {
    await channels.waiting('tasks', 'one', 'two');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 403 });
    await sendWithoutJobs(async () => {
      expect([await db().channelProblem.count(), await states()]).toEqual([0, ['waiting', 'waiting']]);
    });
    expect([await db().channelProblem.count(), await states()]).toEqual([1, ['failed', 'failed']]);
  });

  test('the notice, when cards are held', async () => {
    await channels.waiting('tasks', 'one', 'two');
    await db().account.updateMany({ data: { trialEndsAt: new Date(0) } });
    try {
      await sendWithoutJobs(async () => expect(await states()).toEqual(['waiting', 'waiting']));
      expect(await states()).toEqual(['held', 'held']);
    } finally {
      await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() + 24 * HOUR_MS) } });
    }
  });
});

describe('a rule that is switched off', () => {
  const turn = (ruleId: string, enabled: boolean) =>
    pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${ruleId}`, { enabled });

  test('posts only the waiting cards that Discord may have, and holds up no other rule', async () => {
    const off = await channels.waiting('tasks', 'one', 'two', 'three');
    await channels.waiting('tasks', 'of another rule');
    const tried = await db().message.findFirstOrThrow({ orderBy: { sequence: 'asc' }, skip: 1 });
    await db().message.updateMany({ where: { id: tried.id }, data: { triedAt: new Date() } });
    await turn(off, false);
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['two', 'of another rule']);
    expect(await channels.states()).toEqual([
      ['skipped', 'rule_off'],
      ['sent', null],
      ['skipped', 'rule_off'],
      ['sent', null],
    ]);
    expect(await channels.used()).toBe(2);
    expect(await db().card.count()).toBe(2);
    const { body } = await pipeline.story.product.call('mira', 'GET', `/api/app/rules/${off}/deliveries`);
    expect(body.deliveries[0]).toMatchObject({ state: 'skipped', reason: 'The rule was switched off.' });
  });

  test('and on again before their turn comes posts all of them', async () => {
    const rule = await channels.waiting('tasks', 'one', 'two');
    await turn(rule, false);
    await turn(rule, true);
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['one', 'two']);
  });

  test('posts none of a long line', async () => {
    const off = await channels.waiting('tasks', ...numbered(60));
    await channels.waiting('tasks', 'of another rule');
    await turn(off, false);
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['of another rule']);
  });

  test('still edits the cards that it has posted', async () => {
    const off = await channels.waiting('tasks', 'posted');
    await channels.deliver();
    await pipeline.story.product.rest();
    const { id, at } = await db().message.findFirstOrThrow();
    await queueEdit({ id, at }, { content: 'edited' });
    await turn(off, false);
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['edited']);
  });
});

describe('a failure that passes', () => {
  test.each([
    ['answers 500', { kind: 'fail', status: 500 }],
    ['answers 503', { kind: 'fail', status: 503 }],
    ['hangs up after it took the card', { kind: 'hangup' }],
    ['answers with a page after it took the card', { kind: 'garble' }],
  ] as const)('keeps the order and sends every card once when Discord %s', async (_, fault) => {
    await channels.waiting('tasks', 'one', 'two', 'three');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', times: 2, ...fault });
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['one', 'two', 'three']);
    expect(await channels.states()).toEqual(Array(3).fill(['sent', null]));
    expect(await channels.used()).toBe(3);
    expect((await sends()).calls).toBe(5);
  });

  test('that denies a server which Discord lists fails no card, and stops no channel', async () => {
    await channels.waiting('tasks', 'one', 'two');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 404, code: 10004 });
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['one', 'two']);
    expect(await db().channelProblem.count()).toBe(0);
  });

  test.each([
    ['Discord had a problem of its own (503).', { kind: 'fail', status: 503 }],
    ['Discord did not answer.', { kind: 'garble' }],
  ] as const)(
    'shows why the card waits, and until then holds back the ones behind it: %s',
    async (why, fault) => {
      const rule = await channels.waiting('tasks', 'one', 'two');
      pipeline.fault({ target: 'discord', match: 'POST .*/messages', times: 0, ...fault });
      const before = Date.now();
      await channels.drain();
      const [first] = await db().message.findMany({ orderBy: { sequence: 'asc' } });
      expect(first?.notBefore?.getTime()).toBeGreaterThan(before);
      expect(await channels.states()).toEqual([
        ['waiting', why],
        ['waiting', null],
      ]);
      // The wait is short; so that it is not over yet.
      await db().$executeRaw`update message set not_before = not_before + interval '1 hour'`;
      await db().$executeRaw`update channel_turn set due_at = due_at + interval '1 hour'`;
      await channels.drain();
      expect((await sends()).calls).toBe(1);
      expect(await lastDelivery(rule)).toMatchObject({ state: 'waiting', reason: null });
    },
  );

  test('is given up after a day, with the reason', async () => {
    const rule = await channels.waiting('tasks', 'old');
    await db().message.updateMany({ data: { postponedAt: new Date(Date.now() - 25 * HOUR_MS) } });
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', times: 0, status: 500, kind: 'fail' });
    await channels.deliver();
    expect(await lastDelivery(rule)).toMatchObject({
      state: 'failed',
      reason: 'Discord had a problem of its own (500). The card may have been posted.',
    });
  });

  test('because of an error of our own waits like any other, and after a day lets those behind it pass', async () => {
    const guild = `/guilds/${pipeline.story.guild.id}/channels`;
    const forum = { name: 'board', type: ChannelType.GuildForum };
    const { id: channelId } = await pipeline.story.product.control('discord', 'POST', guild, forum);
    await pipeline.lookAnew();
    const rule = await pipeline.rule({ channelId, destination: { kind: 'forum' } });
    await addCardsOfRule(rule.id, ['broken', 'behind']);
    const [broken, behind] = await db().message.findMany({ orderBy: { sequence: 'asc' } });
    const id = broken?.id ?? '';
    const posts: [string, object][] = [
      [id, {}],
      [behind?.id ?? '', { name: 'behind', tags: [], isClosed: false, pageId: null }],
    ];
    for (const [each, post] of posts) {
      const sealedBody = sealMessage(each, { content: 'told', post } as PostBody);
      await db().message.updateMany({ where: { id: each }, data: { sealedBody } });
    }
    await channels.drain();
    expect(await channels.states()).toEqual([
      ['waiting', 'Pagewire had a problem of its own.'],
      ['waiting', null],
    ]);
    const [waiting] = await db().message.findMany({ where: { id } });
    expect(waiting).toMatchObject({ attempts: 1, notBefore: expect.any(Date) });
    const postponedAt = new Date(Date.now() - 25 * HOUR_MS);
    await db().message.updateMany({ where: { id }, data: { postponedAt, notBefore: null } });
    await channels.deliver();
    expect(await channels.states()).toEqual([
      ['failed', 'Pagewire had a problem of its own. The card may have been posted.'],
      ['sent', null],
    ]);
  });

  test('is tried again for a day, however long ago an attempt was that nothing is known of', async () => {
    await channels.waiting('tasks', 'tried long ago');
    await db().message.updateMany({ data: { triedAt: new Date(Date.now() - 25 * HOUR_MS) } });
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', status: 500, kind: 'fail' });
    await channels.drain();
    const [failed] = await db().message.findMany();
    expect(failed).toMatchObject({ state: 'waiting', postponedAt: expect.any(Date) });
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['tried long ago']);
  });

  test.each([
    ['with a page', { kind: 'block' }],
    ['with a code', { kind: 'fail', status: 403, code: 40333 }],
  ] as const)(
    'at the network edge, which answers %s, stops no channel: all cards wait for a minute',
    async (_, fault) => {
      const rule = await channels.waiting('tasks', 'one', 'two');
      pipeline.fault({ target: 'discord', match: 'POST .*/messages', times: 0, ...fault });
      await channels.drain();
      await channels.waiting('bugs', 'three');
      await channels.drain();
      expect(await channels.states()).toEqual([
        ['waiting', 'Discord did not answer.'],
        ['waiting', null],
        ['waiting', null],
      ]);
      expect((await sends()).calls).toBe(1);
      expect(await lastDelivery(rule)).toMatchObject({ state: 'waiting' });
      pipeline.story.product.sandbox.context.faults.clear();
      await db().rateLimit.deleteMany();
      await channels.deliver();
      expect(await channels.contents('tasks')).toEqual(['one', 'two']);
      expect(await channels.contents('bugs')).toEqual(['three']);
      expect(await db().channelProblem.count()).toBe(0);
    },
  );

  test('of our own bot token keeps the cards waiting and does not ask again at once', async () => {
    await channels.waiting('tasks', 'one', 'two');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', times: 0, status: 401, kind: 'fail' });
    await channels.drain();
    await channels.drain();
    expect((await channels.states())[0]).toEqual([
      'waiting',
      'Discord does not accept the bot. Pagewire has to fix this.',
    ]);
    expect((await sends()).calls).toBe(1);
  });
});

describe('while Discord asks to wait for long, a card says so, and so does its rule', () => {
  const ofBot = 'Discord takes no calls from Pagewire at the moment. The card is sent as soon as it does.';
  const ofChannel = 'Discord asks the bot to wait in the channel. The card is sent when that ends.';
  test.each([
    ['in a channel', ofChannel, { kind: 'fail', status: 429, retryAfterSeconds: 600 }],
    ['anywhere', ofBot, { kind: 'fail', status: 429, retryAfterSeconds: 600, isGlobal: true }],
    ['because its network edge blocks us', ofBot, { kind: 'block', status: 429 }],
  ] as const)('%s', async (_, reason, fault) => {
    const rule = await channels.waiting('tasks', 'one', 'two');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', ...fault });
    await channels.drain();
    const { body } = await pipeline.story.product.call('mira', 'GET', '/api/app/rules');
    const { health } = body.find(({ id }: { id: string }) => id === rule);
    expect(health).toMatchObject({ state: 'waiting', reason });
    expect(new Date(health.until).getTime()).toBeGreaterThan(Date.now());
    const activity = await pipeline.story.product.call('mira', 'GET', '/api/app/activity');
    expect(activity.body.items).toMatchObject(Array(2).fill({ outcome: 'waiting', reason }));
    const log = await pipeline.story.product.call('mira', 'GET', `/api/app/rules/${rule}/deliveries`);
    expect(log.body.deliveries).toMatchObject(Array(2).fill({ reason, nextTryAt: health.until }));
    await db().rateLimit.deleteMany();
    await db().channelTurn.updateMany({ data: { dueAt: new Date() } });
    await channels.drain();
    expect(await channels.states()).toEqual(Array(2).fill(['sent', null]));
  });
});

test('a long limit of a channel holds back no other channel', async () => {
  await channels.waiting('tasks', 'one');
  await channels.waiting('general', 'two');
  const match = `POST .*/${channelOf('tasks')}/messages`;
  pipeline.fault({ target: 'discord', match, kind: 'fail', status: 429, retryAfterSeconds: 600 });
  await channels.drain();
  expect(await channels.contents('tasks')).toEqual([]);
  expect(await channels.contents('general')).toEqual(['two']);
});

describe('a rate limit', () => {
  test('is read from the headers: more cards than it allows all arrive, and Discord never has to refuse one', async () => {
    await pipeline.story.product.control('discord', 'PUT', '/limits', { limits: 'on' });
    const cards = numbered(7);
    await channels.waiting('tasks', ...cards);
    await channels.deliver();
    await pipeline.story.product.control('discord', 'PUT', '/limits', { limits: 'off' });
    expect(await channels.contents('tasks')).toEqual(cards);
    expect(await sends()).toEqual({ calls: 7, invalidAnswers: 0 });
  });

  test('that Discord answers with is obeyed: nothing is sent before its end, and no card is lost', async () => {
    await channels.waiting('tasks', 'one', 'two');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', status: 429, kind: 'fail' });
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['one', 'two']);
    // One refused call and one for each card, however often the turn ran.
    expect((await sends()).calls).toBe(3);
  });

  test('of edits of old cards, which no header shows, holds back no new card', async () => {
    const rule = await channels.waiting('tasks', ...numbered(5));
    await channels.deliver();
    await pipeline.story.product.rest();
    await pipeline.story.product.control('discord', 'POST', `/channels/${channelOf('tasks')}/age`, {
      minutes: 61,
    });
    await pipeline.story.product.control('discord', 'PUT', '/limits', { limits: 'on' });
    for (const { id, at } of await db().message.findMany({ orderBy: { sequence: 'asc' } })) {
      await queueEdit({ id, at }, { content: 'newer' });
    }
    await addCardsOfRule(rule, ['new']);
    await channels.drain();
    const cards = ['card 4', 'card 5', 'new'];
    expect(await channels.contents('tasks')).toEqual(['newer', 'newer', 'newer', ...cards]);
    await channels.deliver();
    await pipeline.story.product.control('discord', 'PUT', '/limits', { limits: 'off' });
    expect(await channels.contents('tasks')).toEqual([...Array(5).fill('newer'), 'new']);
  });

  test('of one channel does not stop another', async () => {
    await channels.waiting('tasks', 'held back');
    await channels.waiting('bugs', 'free');
    const key = `discord:${channelOf('tasks')}`;
    await db().rateLimit.create({ data: { key, blockedUntil: new Date(Date.now() + 3_600_000) } });
    await pipeline.story.product.work();
    await expect.poll(() => channels.contents('bugs')).toEqual(['free']);
    expect(await channels.contents('tasks')).toEqual([]);
    await db().rateLimit.deleteMany();
    await pipeline.idle();
    expect(await channels.contents('tasks')).toEqual(['held back']);
  });

  test('of the whole bot stops every channel', async () => {
    await channels.waiting('tasks', 'one');
    await channels.waiting('bugs', 'two');
    await db().rateLimit.create({ data: { key: 'discord', blockedUntil: new Date(Date.now() + 3_600_000) } });
    await channels.drain();
    expect((await sends()).calls).toBe(0);
  });
});

describe('a refusal for good', () => {
  const close = () =>
    pipeline.story.product.control('discord', 'PUT', `/channels/${channelOf('tasks')}/overwrite`, {
      deny: SEND_MESSAGES,
    });
  const REASON = 'The bot may not send messages in the channel.';

  test('stops the channel with one call: every waiting card has failed with the reason', async () => {
    const rule = await channels.waiting('tasks', 'one', 'two', 'three');
    await close();
    await channels.deliver();
    expect(await channels.states()).toEqual(Array(3).fill(['failed', REASON]));
    expect((await sends()).calls).toBe(1);
    expect(await lastDelivery(rule)).toMatchObject({ state: 'failed', reason: REASON });
    expect(await channels.used()).toBe(0);
  });

  test('stops later cards without a call, and affects neither other channels nor the rule', async () => {
    const rule = await channels.waiting('tasks', 'one');
    await close();
    await channels.deliver();
    await addCardsOfRule(rule, ['two']);
    await channels.waiting('bugs', 'free');
    await pipeline.idle();
    expect((await channels.states())[1]).toEqual(['failed', REASON]);
    expect(await channels.contents('bugs')).toEqual(['free']);
    expect((await sends()).calls).toBe(2);
    const { body } = await pipeline.story.product.call('mira', 'GET', '/api/app/rules');
    expect(body.every(({ enabled }: { enabled: boolean }) => enabled)).toBe(true);
  });

  test.each([
    ['', -120_000],
    [', also after the clock was set back by an hour', 3_600_000],
  ])('ends when the bot is seen to have access again%s', async (_, checkedInMs) => {
    const rule = await channels.waiting('tasks', 'one');
    await close();
    await channels.deliver();
    await pipeline.story.product.control('discord', 'PUT', `/channels/${channelOf('tasks')}/overwrite`, {});
    await db().channelProblem.updateMany({ data: { since: new Date(Date.now() + checkedInMs) } });
    await pipeline.lookAnew();
    await addCardsOfRule(rule, ['two']);
    await pipeline.idle();
    expect(await channels.contents('tasks')).toEqual(['two']);
    expect(await db().channelProblem.count()).toBe(0);
  });

  test('ends in a channel that no rule uses any more, too', async () => {
    await channels.waiting('tasks', 'older');
    await channels.deliver();
    await pipeline.story.product.rest();
    const channelId = channelOf('tasks');
    const since = new Date(Date.now() - 120_000);
    await db().channelProblem.create({ data: { channelId, reason: REASON, since } });
    await db().rule.updateMany({ data: { channelId: channelOf('general') } });
    await queueEdit(await db().message.findFirstOrThrow(), { content: 'newer' });
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['newer']);
    expect(await db().channelProblem.count()).toBe(0);
  });

  test('of a channel that is gone shows that reason', async () => {
    await channels.waiting('bugs', 'one', 'two');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', status: 404, kind: 'fail' });
    await channels.deliver();
    expect(await channels.states()).toEqual(Array(2).fill(['failed', 'The channel was deleted.']));
    expect((await sends()).calls).toBe(1);
  });

  test.each([403, 404])('that says nothing about the channel fails its card alone (%i)', async (status) => {
    await channels.waiting('tasks', 'one', 'two');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status, code: 0 });
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['two']);
    expect(await channels.states()).toEqual([
      ['failed', `Discord refused the card: ${status}: Refused (${status}).`],
      ['sent', null],
    ]);
  });

  test('of a single card fails that card alone', async () => {
    await channels.waiting('tasks', 'one', 'x'.repeat(2001), 'three');
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['one', 'three']);
    expect(await channels.states()).toEqual([
      ['sent', null],
      ['failed', expect.stringContaining('Discord refused the card: Invalid Form Body (50035).')],
      ['sent', null],
    ]);
  });
});

test('an edit that is replaced while it is being sent is not the last one, and is not counted', async () => {
  await channels.waiting('tasks', 'older');
  await channels.deliver();
  await pipeline.story.product.rest();
  const { id, at, accountId, sourceId, targetId, discordMessageId } = await db().message.findFirstOrThrow();
  const editId = randomUUID();
  const sealedBody = sealMessage(editId, { content: 'newer' });
  const edit = { accountId, sourceId, targetId, discordMessageId, kind: 'edit', sealedBody } as const;
  await db().message.create({ data: { id: editId, at: new Date(), ...edit } });
  await db().$executeRaw`select wake_channels(array[${targetId}], array[${accountId}::uuid])`;
  pipeline.fault({ target: 'discord', match: 'PATCH .*/messages', kind: 'slow', delayMs: 9000 });
  const edits = async () => {
    const { calls } = await pipeline.story.product.control('discord', 'GET', '/calls');
    return calls['PATCH /channels/:id/messages/:id'] ?? 0;
  };
  const sending = channels.drain();
  await expect.poll(edits).toBe(1);
  await queueEdit({ id, at }, { content: 'newest' });
  pipeline.story.product.sandbox.context.faults.release();
  await sending;
  await channels.deliver();
  expect(await channels.contents('tasks')).toEqual(['newest']);
  expect(await channels.used()).toBe(1);
  expect(await db().message.count({ where: { kind: 'edit' } })).toBe(1);
});

test('two workers at the same channel send and count every card once', async () => {
  const cards = numbered(10);
  await channels.waiting('tasks', ...cards);
  await Promise.all([channels.drain(), channels.drain(), channels.drain()]);
  await channels.deliver();
  expect(await channels.contents('tasks')).toEqual(cards);
  expect(await channels.used()).toBe(10);
});

describe('the cards of a deleted rule', () => {
  test('are not sent any more', async () => {
    const rule = await channels.waiting('tasks', 'one');
    await pipeline.story.product.call('mira', 'DELETE', `/api/app/rules/${rule}`);
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual([]);
  });

  test.each([
    ['the rule is deleted', (rule: string) => `/api/app/rules/${rule}`],
    ['the workspace is disconnected', () => '/api/app/notion/workspace'],
  ])('that wait for their next attempt release their reservation when %s', async (_, path) => {
    const rule = await channels.waiting('tasks', 'one', 'two');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', times: 0, status: 503, kind: 'fail' });
    await channels.drain();
    expect((await db().usagePeriod.findFirst())?.reserved).toBeGreaterThan(0);
    pipeline.story.product.sandbox.context.faults.clear();
    await pipeline.story.product.call('mira', 'DELETE', path(rule));
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual([]);
    expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: 0, reserved: 0 });
    expect(await db().message.count()).toBe(0);
    if (path(rule).endsWith('workspace'))
      await pipeline.story.product.connectNotion('mira', [pipeline.story.board.id]);
  });

  test('count when Discord confirms one that was being sent', async () => {
    const rule = await channels.waiting('tasks', 'one');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'slow', delayMs: 9000 });
    const sending = channels.drain();
    await expect.poll(async () => (await sends()).calls).toBe(1);
    await pipeline.story.product.call('mira', 'DELETE', `/api/app/rules/${rule}`);
    pipeline.story.product.sandbox.context.faults.release();
    await sending;
    expect(await channels.contents('tasks')).toEqual(['one']);
    expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: 1, reserved: 1 });
  });
});

test('a sent card shows when it was confirmed, and so does its rule', async () => {
  const rule = await channels.waiting('tasks', 'one');
  await channels.deliver();
  const { finishedAt, discordMessageId: messageId } = await db().message.findFirstOrThrow();
  const [message] = await pipeline.cards('tasks');
  expect(messageId).toBe(message.id);
  expect(await lastDelivery(rule)).toEqual({ state: 'sent', reason: null, at: finishedAt?.toISOString() });
});

test('waiting cards are sealed: the database contains none of their texts', async () => {
  await channels.waiting('tasks', 'a secret plan');
  const { sealedBody } = await db().message.findFirstOrThrow();
  expect(Buffer.from(sealedBody ?? []).toString('latin1')).not.toContain('secret');
});

// The last test, because the bot does not come back.
test('cards of a server without the bot fail, also those that come long after it left', async () => {
  const rule = await channels.waiting('tasks', 'one');
  await pipeline.story.product.control('discord', 'DELETE', `/guilds/${pipeline.story.guild.id}/bot`);
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 404, code: 10004 });
  await channels.drain();
  await db().channelProblem.updateMany({ data: { since: new Date(Date.now() - 120_000) } });
  await addCardsOfRule(rule, ['two']);
  await channels.drain();
  expect(await channels.states()).toEqual(Array(2).fill(['failed', 'The bot is no longer in the server.']));
});
