import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Chatter } from '@/lib/testing/chat';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { whileLocked } from '@/lib/testing/while-locked';
import { HOUR_MS } from '@/lib/time';
import { currentPeriod } from '../billing/period';
import { BOT_TIMED_OUT } from '../calls/discord-refusal';
import { movedCard } from '../cards/moved-card';

const PAGE = 'Boss fight: ember golem';
const VIEW_CHANNEL = String(1n << 10n);
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());

beforeEach(async () => {
  await pipeline.clear();
  await control('PUT', '/threads', { most: 1000 });
  await pipeline.prepare(PAGE, { Status: 'Backlog', Estimate: 3 });
});

const control = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.control('discord', method, path, body);

const living = (more: Record<string, unknown> = {}) => pipeline.rule({ card: 'living', ...more });

async function change(properties: Record<string, unknown>, page = PAGE) {
  await pipeline.edit(page, properties, 'jonas');
  await pipeline.idle();
}

async function move(where: 'trash' | 'restore', page = PAGE) {
  await pipeline.told(() =>
    pipeline.story.product.control('notion', 'POST', `/rows/${where}`, {
      page,
      as: 'jonas',
      database: 'Sprint board',
    }),
  );
  await pipeline.idle();
}

/** The lines in a card's thread; null without a thread. */
async function thread(card: { id: string }) {
  const found = await pipeline.story.product.messages(card.id).catch(() => null);
  return found ? found.map(({ content }: { content: string }) => content) : null;
}

const log = async (ruleId: string) =>
  (await pipeline.story.product.call('mira', 'GET', `/api/app/rules/${ruleId}/deliveries`)).body.deliveries;

const used = async () =>
  (await pipeline.story.product.call('mira', 'GET', '/api/app/me')).body.subscription.notificationsUsed;

test('the life of a card: posted once, edited, told in its thread, trashed, restored', async () => {
  const rule = await living({ displayedFields: ['Estimate'] });
  expect(rule.card).toBe('living');
  await change({ Status: 'In progress' });
  const [card] = await pipeline.cards();
  expect(card.content).toBe(`Jonas Brandt changed Status of ${PAGE} to In progress`);
  expect(card.embeds[0].description).toContain('Status: In progress\n');
  expect(await thread(card)).toBeNull();

  await change({ Status: 'In review' });
  await change({ Status: 'Done' });
  const [now, ...others] = await pipeline.cards();
  expect(others).toEqual([]);
  expect(now.id).toBe(card.id);
  expect(now.embeds[0].description).toContain('Status: Done\n');
  expect(now.content).toBe(`Jonas Brandt changed Status of ${PAGE} to Done`);
  expect(await thread(card)).toEqual([
    `Jonas Brandt changed Status of ${PAGE} to In review`,
    `Jonas Brandt changed Status of ${PAGE} to Done`,
  ]);
  // The card and the first line of its thread count.
  expect(await used()).toBe(2);

  // A property that is shown but not watched changes the card, and has no line.
  await change({ Estimate: 8 });
  const [shown] = await pipeline.cards();
  expect(shown.embeds[0].fields).toEqual([expect.objectContaining({ name: 'Estimate', value: '8' })]);
  expect(await thread(card)).toHaveLength(2);

  await move('trash');
  const [trashed] = await pipeline.cards();
  expect(trashed.embeds[0].description).toContain('Moved to the trash');
  await move('restore');
  const [restored] = await pipeline.cards();
  expect(restored.embeds[0].description).toContain('Restored');
  expect(restored.embeds[0].description).toContain('Status: Done\n');
  expect(await used()).toBe(2);

  expect(
    (await log(rule.id)).map(({ state, changes }: never) => [
      state,
      (changes as { after: string }[])[0]?.after,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['sent', 'In progress'],
      ['sent', 'In review'],
      ['sent', 'Done'],
    ]),
  );
  expect(await db().livingCard.count()).toBe(1);
});

test('a change from the card’s own thread edits the card, and is told only in other channels', async () => {
  await living();
  await pipeline.rule({ channelId: pipeline.story.channel('general') });
  await change({ Status: 'In progress' });
  await change({ Status: 'In review' });
  const [card] = await pipeline.cards();
  const mira = new Chatter(pipeline.story.product, 'mira', card.id);
  await mira.run('find', { title: PAGE });
  await mira.choose(await mira.answer(), PAGE);
  await mira.press(await mira.answer(), 'Change status');
  await pipeline.told(async () => mira.choose(await mira.answer(), 'Done'));
  await pipeline.idle();
  const [shown, ...others] = await pipeline.cards();
  expect([shown.id, others]).toEqual([card.id, []]);
  expect(shown.embeds[0].description).toContain('Status: Done\n');
  expect(await thread(card)).toEqual([`Jonas Brandt changed Status of ${PAGE} to In review`]);
  expect((await pipeline.cards('general')).at(-1).content).toBe(
    `Mira Castellan changed Status of ${PAGE} to Done`,
  );
});

test('a button of the card leaves on it what it shows, also what is empty', async () => {
  const page = 'Lantern upgrade screen';
  await pipeline.prepare(page, { Status: 'Backlog', Estimate: 3 });
  await living({ watchedProperties: ['Status', 'Estimate'] });
  await change({ Status: 'In progress', Estimate: null }, page);
  const [card] = await pipeline.cards();
  expect(card.embeds[0].description).toContain('Status: In progress\nEstimate: empty\n');
  const mira = new Chatter(pipeline.story.product, 'mira', pipeline.story.channel('tasks'));
  await pipeline.told(() => mira.press(card, 'Assign to me'));
  await pipeline.idle();
  const [shown] = await pipeline.cards();
  expect(shown.embeds[0].description).toMatch(/^Assignee: .*<@\d+>$/m);
  expect(shown.embeds[0].description).toContain('Estimate: empty\n');
});

test('lines of several events of one turn, and a quiet card that says only the newest', async () => {
  const terms = { eventType: 'comment_created', watchedProperties: [] };
  const [loud, quiet] = [
    await living(terms),
    await pipeline.rule({ ...terms, card: 'quiet', channelId: pipeline.story.channel('general') }),
  ];
  const comment = (text: string) =>
    pipeline.told(() =>
      pipeline.story.product.control('notion', 'POST', '/comments', {
        page: PAGE,
        text,
        as: 'jonas',
        database: 'Sprint board',
      }),
    );
  await pipeline.story.product.rest();
  for (const text of ['One', 'Two', 'Three']) await comment(text);
  await pipeline.story.product.work();
  await pipeline.idle();
  const [card, ...others] = await pipeline.cards();
  expect(others).toEqual([]);
  expect(card.embeds[0].description).toContain('> One');
  expect(await thread(card)).toEqual([
    `Jonas Brandt commented on ${PAGE}: Two`,
    `Jonas Brandt commented on ${PAGE}: Three`,
  ]);
  const [still, ...more] = await pipeline.cards('general');
  expect(more).toEqual([]);
  expect(still.embeds[0].description).toContain('> Three');
  expect((await log(loud.id)).map(({ state }: { state: string }) => state)).toEqual(['sent', 'sent', 'sent']);
  expect(
    (await log(quiet.id)).map(({ state, reasonCode }: Record<string, string>) => reasonCode ?? state),
  ).toEqual(['sent', 'merged', 'merged']);
  await comment('Four');
  await pipeline.idle();
  expect((await pipeline.cards('general'))[0].embeds[0].description).toContain('> Four');
  expect((await log(quiet.id))[0]).toMatchObject({
    state: 'sent',
    messageUrl: expect.stringContaining(still.id),
  });
  expect(await thread(still)).toBeNull();
});

test('a card that somebody deleted is posted anew by the next event, once, and the log says why', async () => {
  const rule = await living();
  await change({ Status: 'In progress' });
  await change({ Status: 'In review' });
  const [card] = await pipeline.cards();
  await control('DELETE', `/messages/${card.channelId}/${card.id}`);
  await change({ Status: 'Done' });
  const [anew, ...others] = await pipeline.cards();
  expect(others).toEqual([]);
  expect(anew.id).not.toBe(card.id);
  expect(anew.content).toContain('to Done');
  // The new card says it, so its thread does not.
  expect(await thread(anew)).toBeNull();
  expect((await log(rule.id))[0]).toMatchObject({
    state: 'sent',
    reason: expect.stringContaining('deleted in Discord'),
  });
  await change({ Status: 'Backlog' });
  expect(await pipeline.cards()).toHaveLength(1);
  expect(await thread(anew)).toEqual([expect.stringContaining('to Backlog')]);
  expect(await used()).toBe(4);
});

test('a first line whose card was deleted before its thread could start was certainly not posted', async () => {
  const rule = await living();
  await change({ Status: 'In progress' });
  for (const fault of [
    { status: 429, times: 1 },
    { status: 404, code: 10008, times: 1 },
  ])
    pipeline.fault({ target: 'discord', kind: 'fail', match: 'POST .*/threads$', ...fault });
  await change({ Status: 'In review' });
  expect((await log(rule.id))[0]).toMatchObject({
    state: 'failed',
    reason: 'The card of the page is not in Discord. The next event posts a new one.',
  });
  expect(await used()).toBe(1);
});

test('a thread that was deleted, locked or refused leaves the card as it is, and the log says so', async () => {
  const rule = await living();
  const newest = async () => (await log(rule.id))[0];
  await change({ Status: 'In progress' });
  const [card] = await pipeline.cards();
  await control('PUT', '/threads', { most: 0 });
  await change({ Status: 'In review' });
  expect(await newest()).toMatchObject({
    state: 'sent',
    reason: expect.stringContaining('as many active threads'),
  });
  expect((await pipeline.cards())[0].embeds[0].description).toContain('Status: In review');
  expect(await thread(card)).toBeNull();
  expect(await used()).toBe(1);
  await control('PUT', '/threads', { most: 1000 });
  // No thread is asked for again within a minute.
  await change({ Status: 'Done' });
  expect(await thread(card)).toBeNull();
  await db()
    .$executeRaw`update living_card set thread_problem_at = thread_problem_at - interval '65 seconds'`;
  await change({ Status: 'Backlog' });
  expect(await thread(card)).toEqual([expect.stringContaining('to Backlog')]);
  expect(await used()).toBe(2);

  await control('PATCH', `/threads/${card.id}`, { isArchived: true });
  await change({ Status: 'In progress' });
  expect(await thread(card)).toHaveLength(2);
  await control('PATCH', `/threads/${card.id}`, { isArchived: true, isLocked: true });
  await change({ Status: 'In review' });
  expect(await newest()).toMatchObject({ state: 'sent', reason: expect.stringContaining('locked') });
  await control('PATCH', `/threads/${card.id}`, { isArchived: false, isLocked: false });
  await db()
    .$executeRaw`update living_card set thread_problem_at = thread_problem_at - interval '65 seconds'`;
  await change({ Status: 'Done' });
  expect(await thread(card)).toHaveLength(3);
  await control('DELETE', `/channels/${card.id}`);
  await change({ Status: 'Backlog' });
  expect(await newest()).toMatchObject({
    state: 'sent',
    reason: expect.stringContaining('thread was deleted'),
  });
  expect(await pipeline.cards()).toHaveLength(1);
  expect((await pipeline.cards())[0].embeds[0].description).toContain('Status: Backlog');
  expect(await db().channelProblem.count()).toBe(0);
});

test('while the bot is timed out, a line waits, whether it has a thread yet or not', async () => {
  const other = 'Dodge window tuning';
  await pipeline.prepare(other, { Status: 'Backlog' });
  const rule = await living();
  const newest = async () => (await log(rule.id))[0];
  const timeOut = (until: Date | null) =>
    control('PUT', `/guilds/${pipeline.story.guild.id}/bot/timeout`, { until: until?.toISOString() ?? null });
  await change({ Status: 'In progress' });
  await change({ Status: 'In review' });
  await change({ Status: 'In progress' }, other);
  await timeOut(new Date(Date.now() + HOUR_MS));
  for (const page of [other, PAGE]) {
    const told = await pipeline.edit(page, { Status: 'Done' }, 'jonas');
    const pageId = told.payload.entity.id;
    const waits = { state: 'waiting', reason: BOT_TIMED_OUT } as const;
    await expect
      .poll(() => db().message.findFirst({ where: { pageId, kind: { not: 'edit' }, ...waits } }))
      .not.toBeNull();
    expect(await newest()).toMatchObject(waits);
  }
  await pipeline.turnsEnded();
  await timeOut(null);
  await pipeline.lookAnew();
  await pipeline.story.product.call('mira', 'POST', `/api/app/rules/${rule.id}/check`);
  await pipeline.idle();
  const [card, second] = await pipeline.cards();
  expect(await thread(card)).toEqual([
    expect.stringContaining('to In review'),
    expect.stringContaining('to Done'),
  ]);
  expect(await thread(second)).toEqual([expect.stringContaining('to Done')]);
  expect(await newest()).toMatchObject({ state: 'sent', reason: null });
});

test('a line in a channel that is hidden from the bot fails and stops the channel, until it is shown again', async () => {
  const rule = await living();
  const newest = async () => (await log(rule.id))[0];
  const channelId = pipeline.story.channel('tasks');
  await change({ Status: 'In progress' });
  await change({ Status: 'In review' });
  await control('PUT', `/channels/${channelId}/overwrite`, { deny: VIEW_CHANNEL });
  const fails = { state: 'failed', reason: 'The bot cannot see the channel.' };
  await change({ Status: 'Done' });
  expect(await newest()).toMatchObject(fails);
  expect(await db().channelProblem.findMany()).toMatchObject([{ channelId }]);
  await control('DELETE', '/calls');
  await change({ Status: 'Backlog' });
  expect(await newest()).toMatchObject(fails);
  expect((await control('GET', '/calls')).invalidAnswers).toBe(0);

  await control('PUT', `/channels/${channelId}/overwrite`, {});
  await db().rateLimit.deleteMany();
  await pipeline.lookAnew();
  await pipeline.story.product.call('mira', 'POST', `/api/app/rules/${rule.id}/check`);
  await change({ Status: 'In progress' });
  expect(await newest()).toMatchObject({ state: 'sent', reason: null });
  const [card] = await pipeline.cards();
  expect(await thread(card)).toEqual([
    expect.stringContaining('to In review'),
    expect.stringContaining('to In progress'),
  ]);
});

test('once the bot is installed again in a server that it was removed from, cards and lines arrive at once', async () => {
  const rule = await living();
  const { guild, product } = pipeline.story;
  const [tasks, waits] = [
    pipeline.story.channel('tasks'),
    () => db().message.count({ where: { state: 'waiting' } }),
  ];
  await change({ Status: 'In progress' });
  await change({ Status: 'In review' });
  const [card] = await pipeline.cards();
  const blockedUntil = new Date(Date.now() + HOUR_MS);
  const keys = [tasks, card.id].flatMap((id) => [`discord:${id}`, `discord:follow-up:${id}`]);
  await db().rateLimit.createMany({ data: keys.map((key) => ({ key, blockedUntil })) });
  await pipeline.edit(PAGE, { Status: 'Done' }, 'jonas');
  await eventually(async () => (await waits()) === 2);
  await control('DELETE', `/guilds/${guild.id}/bot`);
  await db().rateLimit.deleteMany();
  // Both the edit and the line are refused.
  await pipeline.idle();
  expect((await log(rule.id))[0]).toMatchObject({
    state: 'failed',
    reason: 'The bot cannot see the channel.',
  });
  await product.installBot('mira', guild.id);
  await change({ Status: 'Backlog' });
  expect((await log(rule.id))[0]).toMatchObject({ state: 'sent', reason: null });
  expect((await pipeline.cards())[0].embeds[0].description).toContain('Status: Backlog');
  expect(await thread(card)).toEqual([
    expect.stringContaining('to In review'),
    expect.stringContaining('to Backlog'),
  ]);
});

describe.each(['quiet', 'living'])('the edit of a %s card', (card) => {
  test.each([
    ['was deleted', 'The channel was deleted.', (id: string) => control('DELETE', `/channels/${id}`)],
    [
      'is hidden from the bot',
      'The bot cannot see the channel.',
      (id: string) => control('PUT', `/channels/${id}/overwrite`, { deny: VIEW_CHANNEL }),
    ],
  ])(
    'whose channel %s stops that channel: Discord is asked once, and the rule says so',
    async (_, reason, close) => {
      const { id: channelId } = await control('POST', `/guilds/${pipeline.story.guild.id}/channels`, {
        name: `closed-${card}`,
      });
      await pipeline.lookAnew();
      const { id } = await pipeline.rule({ card, channelId });
      await change({ Status: 'In progress' });
      await close(channelId);
      await control('DELETE', '/calls');
      for (const Status of ['In review', 'Done', 'Backlog']) await change({ Status });
      expect((await control('GET', '/calls')).calls['PATCH /channels/:id/messages/:id']).toBe(1);
      expect(await db().channelProblem.findMany()).toMatchObject([{ channelId, reason }]);
      const entries = await log(id);
      expect(entries.slice(0, 3)).toEqual(
        Array(3).fill(expect.objectContaining({ state: 'failed', reason })),
      );
      const { body: rules } = await pipeline.story.product.call('mira', 'GET', '/api/app/rules');
      expect(rules.find((each: { id: string }) => each.id === id).health).toMatchObject({ state: 'blocked' });
    },
  );

  test('that Discord refuses for any other reason stops no channel', async () => {
    const { id } = await pipeline.rule({ card });
    await change({ Status: 'In progress' });
    pipeline.fault({ target: 'discord', match: 'PATCH .*/messages', kind: 'fail', status: 403, code: 50005 });
    await change({ Status: 'Done' });
    expect(await db().channelProblem.count()).toBe(0);
    await change({ Status: 'Backlog' });
    expect((await log(id))[0]).toMatchObject({ state: 'sent', reason: null });
    expect((await pipeline.cards())[0].embeds[0].description).toContain('Status: Backlog');
  });
});

test('a bot that may not start threads goes on with the card alone', async () => {
  const rule = await living();
  const channel = pipeline.story.channel('tasks');
  await control('PUT', `/channels/${channel}/overwrite`, { deny: String(1n << 35n) });
  await change({ Status: 'In progress' });
  await change({ Status: 'Done' });
  expect((await log(rule.id))[0]).toMatchObject({
    state: 'sent',
    reason: expect.stringContaining('Create Public Threads'),
  });
  expect((await pipeline.cards())[0].embeds[0].description).toContain('Status: Done');
  const check = async () =>
    (await pipeline.story.product.call('mira', 'POST', `/api/app/rules/${rule.id}/check`)).body;
  expect(await check()).toMatchObject({
    health: { state: 'posting' },
    problems: [
      {
        part: 'card',
        text: 'Later events are on the cards only. Create Public Threads is denied for the bot itself in this channel. In Discord, open the settings of #tasks, then Permissions, and allow Create Public Threads for the bot.',
      },
    ],
  });
  await control('PUT', `/channels/${channel}/overwrite`, {});
  await pipeline.lookAnew();
  expect(await check()).toMatchObject({ health: { state: 'posting' }, problems: [] });
});

test.each([400, 403])(
  'what AutoMod blocks with %i is said, and the thread is asked for again later',
  async (status) => {
    const rule = await living();
    const newest = async () => (await log(rule.id))[0];
    await change({ Status: 'In progress' });
    pipeline.fault({ target: 'discord', kind: 'fail', status, code: 200001, match: 'POST .*/threads$' });
    await change({ Status: 'In review' });
    expect(await newest()).toMatchObject({
      state: 'sent',
      reason:
        'It is on the card only: the automatic moderation of the server blocked the title of its thread.',
    });
    await db()
      .$executeRaw`update living_card set thread_problem_at = thread_problem_at - interval '65 seconds'`;
    await change({ Status: 'Done' });
    const [card] = await pipeline.cards();
    expect(await thread(card)).toEqual([expect.stringContaining('to Done')]);
    pipeline.fault({
      target: 'discord',
      kind: 'fail',
      status,
      code: 200000,
      match: `POST .*/${card.id}/messages$`,
    });
    await change({ Status: 'Backlog' });
    expect(await newest()).toMatchObject({
      state: 'failed',
      reason: 'The automatic moderation of the server blocked the text of the message.',
    });
    await change({ Status: 'In progress' });
    expect(await thread(card)).toHaveLength(2);
  },
);

test('the card of a page that is gone loses its buttons', async () => {
  await living();
  await change({ Status: 'In progress' });
  const [card] = await pipeline.cards();
  expect(card.components).toHaveLength(1);
  pipeline.fault({ target: 'notion', match: 'GET /v1/pages/', kind: 'fail', status: 404, times: 0 });
  await change({ Status: 'Done' });
  const [gone] = await pipeline.cards();
  expect(gone.content).not.toBe(card.content);
  expect(gone.components).toEqual([]);
});

test('a card that was still for a week is posted anew, and the old one links to it', async () => {
  const rule = await living();
  await change({ Status: 'In progress' });
  await change({ Status: 'In review' });
  await db().$executeRaw`update living_card set last_event_at = now() - interval '8 days'`;
  await change({ Status: 'Done' });
  const [old, anew, ...others] = await pipeline.cards();
  expect(others).toEqual([]);
  expect(old).toMatchObject({ embeds: [], components: [] });
  expect(old.content).toMatch(new RegExp(`^The card of ${PAGE} continues here: https?://.*/${anew.id}$`));
  expect(anew.embeds[0].description).toContain('Status: Done');
  expect((await log(rule.id))[0]).toMatchObject({
    state: 'sent',
    reason: expect.stringContaining('for a week'),
  });
  await change({ Status: 'Backlog' });
  expect(await thread(anew)).toEqual([expect.stringContaining('to Backlog')]);
});

test('what waits in the thread of a card that another channel has replaced is told in the new thread, in order', async () => {
  const { id, channelName: _, ...made } = await living();
  const general = pipeline.story.channel('general');
  const wait = (channelId: string) =>
    db().rateLimit.create({
      data: { key: `discord:${channelId}`, blockedUntil: new Date(Date.now() + HOUR_MS) },
    });
  const waiting = (targetId: string) => db().message.count({ where: { targetId, state: 'waiting' } });
  await change({ Status: 'In progress' });
  await change({ Status: 'In review' });
  const [old] = await pipeline.cards();
  await wait(old.id);
  for (const [nth, Status] of ['Done', 'In progress'].entries()) {
    await pipeline.edit(PAGE, { Status }, 'jonas');
    await eventually(async () => (await waiting(old.id)) === nth + 1);
  }
  // The rule moves while its new channel wants no more calls for a while either.
  await wait(general);
  const moved = { ...made, channelId: general, dbType: undefined };
  const { status } = await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${id}`, moved);
  expect(status).toBe(200);
  for (const [nth, Status] of ['Backlog', 'Done'].entries()) {
    await pipeline.edit(PAGE, { Status }, 'jonas');
    await eventually(async () => (await waiting(general)) === 1 + 2 * nth);
  }
  await db().rateLimit.deleteMany({ where: { key: `discord:${old.id}` } });
  await db().channelTurn.updateMany({ where: { channelId: old.id }, data: { dueAt: new Date() } });
  await eventually(async () => (await waiting(old.id)) === 0);
  expect(await waiting(general)).toBe(5);
  await db().rateLimit.deleteMany();
  await pipeline.idle();
  const [card, ...others] = await pipeline.cards('general');
  expect(others).toEqual([]);
  expect(card.embeds[0].description).toContain('Status: Done\n');
  const lines = ['Done', 'In progress', 'Done'].map((Status) => expect.stringContaining(`to ${Status}`));
  expect(await thread(card)).toEqual(lines);
  expect(await pipeline.cards('tasks')).toHaveLength(1);
  expect(await thread(old)).toEqual([expect.stringContaining('In review')]);
});

test('100 changes while the limit of the channel is used up are few edits, and the last one is the truth', async () => {
  await pipeline.rule({ card: 'quiet', watchedProperties: [pipeline.story.property('Estimate')] });
  await change({ Estimate: 0 });
  const channel = pipeline.story.channel('tasks');
  await pipeline.story.product.control('discord', 'DELETE', '/calls');
  await pipeline.story.product.rest();
  await db().rateLimit.create({
    data: { key: `discord:${channel}`, blockedUntil: new Date(Date.now() + 600_000) },
  });
  await pipeline.story.product.work();
  for (let nth = 1; nth <= 100; nth += 1) {
    await pipeline.story.product.control('notion', 'PATCH', '/rows', {
      page: PAGE,
      as: 'jonas',
      properties: { Estimate: nth },
      database: 'Sprint board',
    });
  }
  await pipeline.allTold();
  await eventually(
    async () =>
      (await db().pageTurn.count()) === 0 &&
      (await db().notionEvent.count({ where: { processedAt: null } })) === 0,
  );
  await eventually(async () => (await db().message.count({ where: { state: 'waiting' } })) === 1);
  await db().rateLimit.deleteMany();
  await pipeline.idle();
  const [card, ...others] = await pipeline.cards();
  expect(others).toEqual([]);
  expect(card.embeds[0].description).toContain('Estimate: 100');
  const { calls } = await control('GET', '/calls');
  expect(calls['PATCH /channels/:id/messages/:id']).toBe(1);
});

test('a rule that is switched off posts no waiting card or line, edits its cards, and begins anew once on', async () => {
  const rule = await living();
  const turn = (enabled: boolean) =>
    pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${rule.id}`, { enabled });
  const channelId = pipeline.story.channel('tasks');
  /** Changes the page while its channel is limited, and switches the rule off before that ends. */
  async function changeAndSwitchOff(...statuses: string[]): Promise<void> {
    const key = `discord:${channelId}`;
    const further = `discord:follow-up:${channelId}`;
    const blockedUntil = new Date(Date.now() + HOUR_MS);
    await db().rateLimit.createMany({ data: [key, further].map((each) => ({ key: each, blockedUntil })) });
    for (const Status of statuses) {
      await pipeline.edit(PAGE, { Status }, 'jonas');
      await eventually(async () => (await log(rule.id))[0]?.changes[0]?.after === Status);
    }
    await turn(false);
    await db().rateLimit.deleteMany();
    await pipeline.idle();
  }
  const outcomes = async () =>
    (await log(rule.id)).map(({ state, reasonCode }: Record<string, string>) => reasonCode ?? state);

  await changeAndSwitchOff('In progress', 'In review');
  expect(await pipeline.cards()).toEqual([]);
  expect(await outcomes()).toEqual(['rule_off', 'rule_off']);
  await turn(true);
  await change({ Status: 'Done' });
  const [card, ...others] = await pipeline.cards();
  expect(others).toEqual([]);
  expect(card.embeds[0].description).toContain('Done');
  expect((await log(rule.id))[0]).toMatchObject({
    state: 'sent',
    reason: 'The card of the page had not been sent, so this is a new one.',
  });

  await changeAndSwitchOff('Backlog');
  expect((await pipeline.cards())[0].embeds[0].description).toContain('Backlog');
  expect(await thread(card)).toBe(null);
  expect((await outcomes())[0]).toBe('rule_off');
  await turn(true);
  await change({ Status: 'In progress' });
  expect(await thread(card)).toEqual([expect.stringContaining('In progress')]);
});

test('a limit of new threads holds back no other card', async () => {
  await living();
  await change({ Status: 'In progress' });
  pipeline.fault({ target: 'discord', match: 'POST .*/threads', kind: 'fail', status: 429, times: 0 });
  await pipeline.edit(PAGE, { Status: 'In review' }, 'jonas');
  await eventually(async () => pipeline.story.product.sandbox.context.faults.list()[0]?.hits);
  await pipeline.edit('Lantern upgrade screen', { Status: 'Done' }, 'jonas');
  await eventually(async () => (await pipeline.cards()).length === 2);
  pipeline.story.product.sandbox.context.faults.clear();
  await db().rateLimit.deleteMany();
  await pipeline.idle();
  const [card] = await pipeline.cards();
  expect(await thread(card)).toEqual([expect.stringContaining('to In review')]);
});

test('events while the card waits, is held or has failed lead to one card', async () => {
  await living();
  const { id, ...account } = await db().account.findFirstOrThrow({
    where: { discordUserId: '208917000000000101' },
  });
  const { start, end } = currentPeriod(account, new Date());
  const counts = { sent: 1000, reserved: 1000 };
  await db().usagePeriod.create({ data: { accountId: id, startsAt: start, endsAt: end, ...counts } });
  for (const Status of ['In progress', 'In review']) {
    const held = await db().message.count({ where: { state: 'held' } });
    await pipeline.edit(PAGE, { Status }, 'jonas');
    await eventually(async () => (await db().message.count({ where: { state: 'held' } })) === held + 1);
  }
  // The notice of what was held comes back every day. It is enqueued before the turn ends that held the message.
  await eventually(async () => (await pipeline.cards()).length === 1);
  await eventually(async () => (await db().channelTurn.count()) === 0);
  // A job that is being worked enqueues the next one when it ends.
  await eventually(async () => {
    await db().$executeRaw`delete from graphile_worker._private_jobs where locked_at is null`;
    const [jobs] = await db().$queryRaw<[{ left: number }]>`
      select count(*)::int as left from graphile_worker._private_jobs`;
    return jobs.left === 0;
  });
  await db().usagePeriod.updateMany({ data: { sent: 0, reserved: 0 } });
  pipeline.fault({ target: 'discord', kind: 'fail', status: 400, match: 'POST .*/messages$' });
  await change({ Status: 'Done' });
  expect(await db().message.count({ where: { state: 'failed' } })).toBe(1);
  await change({ Status: 'Backlog' });
  const cards = (await pipeline.cards()).filter(({ embeds }) => embeds.length > 0);
  expect(cards).toHaveLength(1);
  expect(cards[0].content).toContain('to Backlog');
  expect(await thread(cards[0])).toBeNull();
});

test('the answer to the start of a thread is lost, and so is that to an edit: nothing is there twice', async () => {
  await living();
  await change({ Status: 'In progress' });
  pipeline.fault({ target: 'discord', kind: 'hangup', match: 'POST .*/threads$' });
  pipeline.fault({ target: 'discord', kind: 'hangup', match: 'PATCH .*/messages/' });
  pipeline.fault({ target: 'discord', kind: 'hangup', match: 'POST .*/messages$', times: 2 });
  await change({ Status: 'In review' });
  await change({ Status: 'Done' });
  const [card, ...others] = await pipeline.cards();
  expect(others).toEqual([]);
  expect(await thread(card)).toEqual([
    expect.stringContaining('In review'),
    expect.stringContaining('to Done'),
  ]);
  expect(await used()).toBe(2);
});

test('the conversion of a property into another type edits no card unless its text is another', async () => {
  const notion = (edit: object) =>
    pipeline.story.product.control('notion', 'POST', '/databases/schema', { database: 'Sprint board', edit });
  const edits = async () => (await control('GET', '/calls')).calls['PATCH /channels/:id/messages/:id'] ?? 0;
  const look = async () => {
    await pipeline.send({ type: 'page.content_updated', pageId: await pipeline.pageId(PAGE) });
    await pipeline.idle();
  };
  await pipeline.told(() => notion({ action: 'add property', name: 'Mood', type: 'rich_text' }));
  await pipeline.idle();
  await change({ Mood: 'Bright' });
  await living({ displayedFields: ['Mood'] });
  await change({ Status: 'In progress' });
  await control('DELETE', '/calls');
  await notion({ action: 'convert property', property: 'Mood', type: 'multi_select' });
  await look();
  expect(await edits()).toBe(0);
  await notion({ action: 'convert property', property: 'Mood', type: 'number' });
  await look();
  expect(await edits()).toBe(1);
  expect((await pipeline.cards())[0].embeds[0].fields ?? []).toEqual([]);
  await notion({ action: 'delete property', property: 'Mood' });
});

test('a title from right to left does not turn the sentence of a card that goes on elsewhere', () => {
  expect(movedCard({ title: 'פנס' }).content).toBe('The card of \u2068פנס\u2069 continues here:');
  expect(movedCard({ title: ' ' }).content).toBe('The card of Untitled continues here:');
});

test('a rule with much to delete does not wait for a change of its card that waits for it', async () => {
  const rule = await living();
  await change({ Status: 'In progress' });
  const ends: Promise<{ status: number }>[] = [];
  await whileLocked('select 1 from decision for update', async (blocked) => {
    ends.push(pipeline.story.product.call('mira', 'DELETE', `/api/app/rules/${rule.id}`));
    await blocked(1);
    await pipeline.edit(PAGE, { Status: 'Done' });
    await blocked(2);
    expect(await db().$queryRaw`select 1 from living_card for update skip locked`).toHaveLength(1);
  });
  expect(await Promise.all(ends)).toMatchObject([{ status: 200 }]);
  await pipeline.idle();
  expect(await db().message.count({ where: { state: 'waiting' } })).toBe(0);
});
