import { ChannelType } from 'discord-api-types/v10';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db, Prisma, transaction } from '@/lib/db/database';
import { getPage } from '@/lib/integrations/notion/notion-page';
import { Chatter, controlsOf, type ShownMessage } from '@/lib/testing/chat';
import { ClockRules, inDays, NOON_ZONE, timeIn } from '@/lib/testing/clock-rules';
import { DigestSteps, pagesOf } from '@/lib/testing/digest-steps';
import { DUE_NOW } from '@/lib/testing/due-now';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { untilBlocked } from '@/lib/testing/while-locked';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/time';
import { PEOPLE } from '../../../sandbox/people';
import { timeInZone } from '../calendar/calendar';
import { startOfDate } from '../calendar/local-dates';
import { refreshCard } from '../composing/refresh-card';
import { lockAccount } from '../tenancy/lock-account';
import { withNotion } from '../workspaces/notion-access';
import { replanClock } from './plan-clocks';
import { runClocks } from './run-clocks';
import { startDueClocks } from './start-due-clocks';

const GOLEM = 'Boss fight: ember golem';
const LANTERN = 'Lantern';
const MIRA = PEOPLE[0]?.discordId ?? '';

let pipeline: Pipeline;
let due: DigestSteps;
let clocks: ClockRules;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  due = new DigestSteps(pipeline);
  clocks = new ClockRules(pipeline);
  await clocks.clearDates();
  const body = { database: 'Sprint board', properties: { Name: LANTERN } };
  await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', body));
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.idle();
  await pipeline.clear();
  await clocks.preferences();
  await dated(GOLEM, inDays(1));
  await dated(LANTERN, inDays(9));
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.clear();
});

const call = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.call('mira', method, path, body);
const log = async (ruleId: string) =>
  (await call('GET', `/api/app/rules/${ruleId}/deliveries?show=all`)).body.deliveries;
const days = new Map<string, string>();
async function dated(page: string, day: string): Promise<void> {
  // Notion reports no event if the value stays the same.
  if (days.get(page) !== day) await pipeline.prepare(page, { 'Due date': day });
  days.set(page, day);
}
const contents = async () => (await pipeline.cards()).map(({ content }) => content);
const place = async () => {
  const { accountId, workspaceId, databaseId } = await db().ruleClock.findFirstOrThrow();
  return { accountId, workspaceId, databaseId };
};

test('a page is reminded of once for each date, and anew when the date is moved', async () => {
  const rule = await clocks.reminding({
    conditions: { match: 'all', items: [{ propertyId: 'Status', operator: 'is_not', values: ['Done'] }] },
    displayedFields: ['Status'],
  });
  expect(rule.watching).toBe('1 day before Due date at 09:00, if Status is not Done');
  expect(rule.health.state).toBe('idle');
  const { dueAt } = await db().ruleClock.findFirstOrThrow();
  expect(timeInZone(dueAt, NOON_ZONE, dueAt)).toBe('09:00');

  await clocks.strike();
  const [card, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(card.content).toMatch(/^Boss fight: ember golem is due tomorrow/);
  expect(card.embeds[0]).toMatchObject({
    title: GOLEM,
    footer: { text: expect.stringContaining('Date Near') },
  });
  const buttons = card.components.flatMap(
    ({ components }: { components: { label: string }[] }) => components,
  );
  expect(buttons.map(({ label }: { label: string }) => label)).toEqual(
    expect.arrayContaining(['Done', 'Tomorrow', 'Next week']),
  );
  const [entry, ...others] = await log(rule.id);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ state: 'sent', eventType: 'date_near', title: GOLEM });
  const [item] = (await call('GET', '/api/app/activity')).body.items;
  expect(item).toMatchObject({ outcome: 'posted', eventType: 'date_near', title: GOLEM });
  expect((await call('GET', '/api/app/me')).body.subscription.notificationsUsed).toBe(1);
  expect(await clocks.queries()).toBe(1);

  await clocks.strike();
  expect(await pipeline.cards()).toHaveLength(1);

  await dated(GOLEM, inDays(3));
  await clocks.strike();
  expect(await pipeline.cards()).toHaveLength(1);
  await call('PUT', `/api/app/rules/${rule.id}`, { ...rule, schedule: { ...rule.schedule, days: 3 } });
  await clocks.strike();
  expect((await contents())[1]).toMatch(/^Boss fight: ember golem is due in 3 days/);

  await dated(GOLEM, inDays(-2));
  await call('PUT', `/api/app/rules/${rule.id}`, { ...rule, schedule: { ...rule.schedule, days: -2 } });
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  await clocks.strike();
  expect(await pipeline.cards()).toHaveLength(2);
  await pipeline.edit(GOLEM, { Status: 'Backlog' });
  await pipeline.idle();
  await clocks.strike();
  expect((await contents())[2]).toMatch(/^Boss fight: ember golem was due 2 days ago/);
  // Changes in Notion do not concern the rule.
  expect(await log(rule.id)).toHaveLength(3);
});

test('a run that is killed between reading and noting, or made twice at once, tells nothing twice', async () => {
  await clocks.reminding();
  await db().$executeRaw`update rule_clock set nominal_at = ${DUE_NOW}, due_at = ${DUE_NOW}`;
  const { nominalAt } = await db().ruleClock.findFirstOrThrow();
  const where = await place();
  await Promise.all([runClocks(where), runClocks(where)]);
  await db().ruleClock.updateMany({ data: { nominalAt, dueAt: nominalAt } });
  await runClocks(where);
  await pipeline.idle();
  expect(await pipeline.cards()).toHaveLength(1);
  expect(await db().message.count()).toBe(1);
});

test('a page whose condition was unknown is reminded of when the run is repeated and Notion can tell', async () => {
  const conditions = { match: 'all', items: [{ propertyId: 'Points', operator: 'is_not', values: [0] }] };
  const rule = await clocks.reminding({ conditions });
  const at = new Date();
  pipeline.fault({ target: 'notion', kind: 'uncomputed', match: '^Points$', times: 0 });
  await clocks.strike(at);
  expect(await pipeline.cards()).toEqual([]);
  expect(await log(rule.id)).toMatchObject([{ reasonCode: 'condition_unknown' }]);
  pipeline.story.product.sandbox.context.faults.clear();
  await clocks.strike(at);
  await clocks.strike(at);
  expect(await contents()).toEqual([expect.stringMatching(/^Boss fight: ember golem is due tomorrow/)]);
});

test('a condition on a relation that Notion cuts is judged by all of its pages', async () => {
  const { product } = pipeline.story;
  const ids: string[] = [];
  for (let nth = 0; nth < 31; nth += 1)
    ids.push((await product.control('notion', 'POST', '/rows', { database: 'Design docs' })).id);
  const [other = '', ...linked] = ids;
  await pipeline.prepare(GOLEM, { 'Design docs': linked });
  const rule = (operator: string, values: unknown[], changes = {}) => {
    const conditions = { match: 'all', items: [{ propertyId: 'Design docs', operator, values }] };
    return { conditions, ...changes };
  };
  await clocks.reminding(rule('does_not_contain', [other]));
  const last = [...linked].sort().at(-1);
  await clocks.reminding(rule('contains', [last], { channelId: pipeline.story.channel('bugs') }));
  const refused = await clocks.reminding(rule('does_not_contain', [last]));
  const every = { every: 'day', at: '09:00' };
  const general = { channelId: pipeline.story.channel('general') };
  await clocks.rule('summary', every, rule('contains', [linked.at(-1)], general));
  await clocks.strike();
  expect(await contents()).toEqual([expect.stringMatching(/^Boss fight: ember golem is due tomorrow/)]);
  expect(await pipeline.cards('bugs')).toHaveLength(1);
  expect(await log(refused.id)).toEqual([]);
  expect((await pipeline.cards('general')).map(pagesOf)).toEqual([[GOLEM]]);
  await pipeline.prepare(GOLEM, { 'Design docs': [] });
});

test('a long value that Notion fails to show holds up no other page', async () => {
  const { product } = pipeline.story;
  const ids: string[] = [];
  for (let nth = 0; nth < 27; nth += 1)
    ids.push((await product.control('notion', 'POST', '/rows', { database: 'Design docs' })).id);
  const [other = '', ...linked] = ids;
  await pipeline.prepare(GOLEM, { 'Design docs': linked });
  const long: string[] = [];
  // More than are asked about in vain.
  for (let nth = 0; nth < 11; nth += 1) {
    const row = { database: 'Sprint board', properties: { Name: `Long ${nth}`, 'Design docs': linked } };
    long.push((await product.control('notion', 'POST', '/rows', row)).id);
  }
  await pipeline.idle();
  const items = [{ propertyId: 'Design docs', operator: 'does_not_contain', values: [other] }];
  const conditions = { match: 'all', items };
  await clocks.reminding({ conditions });
  const summaryIn = (channel: string) =>
    clocks.rule(
      'summary',
      { every: 'day', at: '09:00' },
      { conditions, channelId: pipeline.story.channel(channel) },
    );
  const { id: late } = await summaryIn('general');
  await summaryIn('bugs');
  await dated(LANTERN, inDays(1));
  pipeline.fault({ target: 'notion', kind: 'fail', match: 'GET .*/properties/', status: 500, times: 0 });
  await product.rest();
  await db().$executeRaw`update rule_clock set nominal_at = ${DUE_NOW}, due_at = ${DUE_NOW}`;
  // The hour of the other one is not over, but they are made together.
  await db()
    .$executeRaw`update rule_clock set due_at = due_at - interval '61 minutes' where rule_id = ${late}::uuid`;
  const where = await place();
  expect(await runClocks(where)).toHaveProperty('retryInMs');
  expect(await db().message.count()).toBe(3);
  product.sandbox.context.faults.clear();
  expect(await runClocks(where)).toEqual({ done: true });
  await product.work();
  await pipeline.idle();
  expect(await contents()).toEqual([
    expect.stringMatching(/^Lantern is due tomorrow/),
    expect.stringMatching(/^Boss fight: ember golem is due tomorrow/),
  ]);
  expect(await pipeline.cards('general')).toHaveLength(1);
  for (const page of long) await product.control('notion', 'POST', '/rows/trash', { page });
  await pipeline.prepare(GOLEM, { 'Design docs': [] });
});

test('a very long list is read slowly, so that other calls to Notion stay possible', async () => {
  const { product } = pipeline.story;
  const linked: string[] = [];
  for (let nth = 0; nth < 450; nth += 1)
    linked.push((await product.control('notion', 'POST', '/rows', { database: 'Design docs' })).id);
  await pipeline.prepare(GOLEM, { 'Design docs': linked });
  const items = [{ propertyId: 'Design docs', operator: 'contains', values: [linked[50]] }];
  await clocks.reminding({ conditions: { match: 'all', items } });
  const limits = { where: { key: { startsWith: 'notion:' } } };
  await db().rateLimit.deleteMany(limits);
  const limit = (settings: object) =>
    product.control('notion', 'PATCH', '/settings', { rateLimit: settings });
  await limit({ enabled: true, limit: 4, windowMs: 2000 });
  await clocks.strike();
  await limit({ enabled: true, limit: 180, windowMs: MINUTE_MS });
  expect(await contents()).toEqual([expect.stringMatching(/^Boss fight: ember golem is due tomorrow/)]);
  expect(await db().rateLimit.count(limits)).toBe(0);
  await pipeline.prepare(GOLEM, { 'Design docs': [] });
});

test('what a rule no longer reminds of when its run ends is not told, and not taken for reminded', async () => {
  const rule = await clocks.reminding();
  const { answers, end } = await HeldAnswers.begin();
  answers.hold(/query$/);
  const striking = clocks.strike();
  await eventually(async () => answers.isHolding);
  const schedule = { ...rule.schedule, days: 0 };
  expect(await call('PUT', `/api/app/rules/${rule.id}`, { ...rule, schedule })).toMatchObject({
    status: 200,
  });
  answers.release();
  await striking;
  end();
  expect(await pipeline.cards()).toEqual([]);
  expect(await db().reminder.count()).toBe(0);
});

test('nor is it while the edit that ends it is being saved', async () => {
  const { id } = await clocks.reminding();
  const before = await db().rule.findUniqueOrThrow({ where: { id } });
  await db().$executeRaw`update rule_clock set nominal_at = now(), due_at = now()`;
  let run: Promise<void> | undefined;
  await transaction(async (tx) => {
    await lockAccount(tx, before.accountId);
    const schedule = { ...(before.schedule as object), days: 0 };
    await replanClock(tx, before, await tx.rule.update({ where: { id }, data: { schedule } }));
    run = clocks.run();
    await untilBlocked(1);
  });
  await run;
  expect(await pipeline.cards()).toEqual([]);
  expect(await db().reminder.count()).toBe(0);
});

test('a missed hour is made up for on the same day, and not after it', async () => {
  // Today's own time is still to come.
  await clocks.reminding({}, { at: '23:59' });
  const startOfDay = startOfDate(inDays(0), NOON_ZONE);
  await clocks.strike(new Date(startOfDay.getTime() - HOUR_MS));
  expect(await pipeline.cards()).toEqual([]);
  const { dueAt } = await db().ruleClock.findFirstOrThrow();
  expect(dueAt.getTime()).toBeGreaterThan(Date.now() - DAY_MS);
  await clocks.strike(startOfDay);
  expect(await pipeline.cards()).toHaveLength(1);
});

test('what is found in quiet hours is told after them', async () => {
  const days = [1, 2, 3, 4, 5, 6, 7];
  await clocks.preferences({ quietHours: { from: timeIn(-2 * HOUR_MS), to: timeIn(2 * HOUR_MS), days } });
  const rule = await clocks.reminding();
  await clocks.reminding({ urgent: true, channelId: pipeline.story.channel('bugs') });
  await clocks.strike();
  expect(await pipeline.cards('bugs')).toHaveLength(1);
  expect(await pipeline.cards()).toEqual([]);
  expect((await log(rule.id))[0]).toMatchObject({ state: 'waiting' });
  await clocks.preferences();
  await due.tell();
  const [digest] = await pipeline.cards();
  expect(digest.content).toBe('1 page with a date near in Sprint board');
  expect(pagesOf(digest)).toEqual([GOLEM]);
});

test('a person is reminded in a message of their own, also of what they wrote themselves', async () => {
  await db().accountLink.updateMany({ where: { discordUserId: MIRA }, data: { notify: 'on' } });
  const rule = await clocks.reminding({
    channelId: null,
    destination: { kind: 'person', discordUserId: MIRA },
  });
  await clocks.strike();
  const { messages } = await pipeline.story.product.control('discord', 'GET', `/direct-messages/${MIRA}`);
  const last = messages.at(-1);
  expect(last.content).toMatch(/^Boss fight: ember golem is due tomorrow/);
  const labels = last.components.flatMap(({ components }: { components: { label: string }[] }) =>
    components.map(({ label }) => label),
  );
  expect(labels).toEqual(expect.arrayContaining(['Tomorrow', 'Next week', 'Stop these messages']));
  expect((await log(rule.id))[0]).toMatchObject({ state: 'sent' });
});

test('in a forum each page has a post, and rules that are off or deleted have no clock', async () => {
  const channel = { name: 'board', type: ChannelType.GuildForum };
  const guildId = pipeline.story.guild.id;
  const forum = await pipeline.story.product.control(
    'discord',
    'POST',
    `/guilds/${guildId}/channels`,
    channel,
  );
  await pipeline.lookAnew();
  const rule = await clocks.reminding({
    channelId: forum.id,
    destination: { kind: 'forum' },
  });
  await clocks.strike();
  expect(await db().livingCard.count({ where: { ruleId: rule.id } })).toBe(1);
  await call('PUT', `/api/app/rules/${rule.id}`, { enabled: false });
  expect(await db().ruleClock.count()).toBe(0);
  const copy = (await call('POST', `/api/app/rules/${rule.id}/duplicate`)).body;
  expect(await db().ruleClock.count()).toBe(0);
  await call('PUT', `/api/app/rules/${copy.id}`, { enabled: true });
  await clocks.preferences({ timeZone: 'UTC' });
  const before = await db().ruleClock.findFirstOrThrow();
  await clocks.preferences({ timeZone: 'Asia/Kolkata' });
  const after = await db().ruleClock.findFirstOrThrow();
  expect([before, after].map(({ dueAt }) => dueAt.toISOString().slice(11, 16))).toEqual(['09:00', '03:30']);
  const file = (await call('GET', '/api/app/rules/export')).body;
  await call('DELETE', `/api/app/rules/${copy.id}`);
  expect(await db().ruleClock.count()).toBe(0);
  const brought = await call('POST', '/api/app/rules/import', { file, apply: true });
  expect(brought.body.items.map(({ problems }: { problems: string[] }) => problems)).toEqual([[], []]);
  expect(await db().ruleClock.count()).toBe(1);
});

test('the post of a page keeps the buttons of its reminder whatever changes, but not in the trash', async () => {
  const { product, guild } = pipeline.story;
  const channel = { name: 'plans', type: ChannelType.GuildForum };
  const forum = await product.control('discord', 'POST', `/guilds/${guild.id}/channels`, channel);
  await pipeline.lookAnew();
  await clocks.reminding({ channelId: forum.id, destination: { kind: 'forum' } });
  await clocks.strike();
  const labels = async () => {
    const { posts } = await product.control('discord', 'GET', `/channels/${forum.id}/posts`);
    expect(posts).toHaveLength(1);
    return controlsOf(posts[0].messages[0]).map(({ label }) => label);
  };
  const task = ['Assign to me', 'Change status', 'Open in Notion'];
  const moving = ['Done', 'Tomorrow', 'Next week'];
  expect(await labels()).toEqual([...task, ...moving]);
  await pipeline.edit(GOLEM, { Status: 'In review' });
  await pipeline.idle();
  expect(await labels()).toEqual([...task, ...moving]);
  const move = async (where: 'trash' | 'restore', page: string) => {
    const event = await pipeline.told(() =>
      product.control('notion', 'POST', `/rows/${where}`, { page, as: 'jonas' }),
    );
    await pipeline.idle();
    return event.payload.entity.id;
  };
  const pageId = await move('trash', GOLEM);
  expect(await labels()).toEqual(['Open in Notion']);
  await move('restore', pageId);
  expect(await labels()).toEqual([...task, ...moving]);
});

async function buttonsAfterRefresh(channelId: string): Promise<unknown[]> {
  const workspace = await db().notionWorkspace.findFirstOrThrow();
  const pageId = await pipeline.pageId(GOLEM);
  const page = await withNotion(workspace, (token) => getPage(token, pageId));
  const messageId = (await pipeline.cards())[0].id;
  const by = { discordUserId: null, propertyId: null };
  await refreshCard(workspace, { channelId, messageId, page, ...by });
  await pipeline.idle();
  return controlsOf((await pipeline.cards())[0]).map(({ label }) => label);
}

test('a card that is refreshed after its date was renamed still offers to move it', async () => {
  const { channelId } = await clocks.reminding();
  await clocks.strike();
  const rename = (property: string, name: string) => {
    const edit = { action: 'rename property', property, name };
    const change = { database: 'Sprint board', edit };
    return pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/databases/schema', change));
  };
  await rename('Due date', 'Deadline');
  const labels = await buttonsAfterRefresh(channelId);
  const text = (await pipeline.cards())[0].embeds[0].description ?? '';
  await rename('Deadline', 'Due date');
  expect(labels).toContain('Tomorrow');
  expect(text).not.toContain('Deadline');
});

test('a card that is refreshed offers to move its date as long as its rule reminds of that', async () => {
  const edit = { action: 'add property', name: 'Release day', type: 'date' };
  const board = { database: 'Sprint board', edit };
  await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/databases/schema', board));
  await pipeline.idle();
  const { id, ...rule } = await clocks.reminding();
  await clocks.strike();
  const buttons = () => buttonsAfterRefresh(rule.channelId);
  expect(await buttons()).toContain('Tomorrow');
  const schedule = { ...rule.schedule, propertyId: 'Release day' };
  expect((await call('PUT', `/api/app/rules/${id}`, { ...rule, schedule })).status).toBe(200);
  expect(await buttons()).not.toContain('Tomorrow');
});

test('a reminder in a channel shows what its buttons changed, and what Undo took back', async () => {
  await clocks.reminding();
  await clocks.strike();
  const mira = new Chatter(pipeline.story.product, 'mira', pipeline.story.channel('tasks'));
  const shown = async () => {
    await pipeline.idle();
    const cards = await pipeline.cards();
    expect(cards).toHaveLength(1);
    return cards[0].embeds[0].description;
  };
  const undo = async (answer: ShownMessage) => {
    await mira.press(answer, 'Undo');
    await mira.answer(({ content }) => content !== answer.content);
  };
  const [card] = await pipeline.cards();
  await mira.press(card, 'Done');
  const done = await mira.answer();
  expect(done.content).toMatch(/is now Done\.$/);
  expect(await shown()).toMatch(new RegExp(`^Status: Done$.*^Updated by <@${MIRA}>`, 'ms'));
  await undo(done);
  expect(await shown()).toMatch(/^Status: Backlog$/m);
  await mira.press(card, 'Next week');
  const moved = await mira.answer(({ content }) => content.startsWith('Due date'));
  const [, day = 'no day'] = /is now (.*)\.$/.exec(moved.content) ?? [];
  expect(await shown()).toContain(` → ${day}\n`);
  await undo(moved);
  expect(await shown()).not.toContain(day);
});

test('a rule whose floods are counted reminds like any other', async () => {
  await clocks.reminding({ rollUp: true });
  await clocks.strike();
  expect(await contents()).toEqual([expect.stringMatching(/^Boss fight: ember golem is due tomorrow/)]);
});

test('300 rules of a database ask Notion once, and a step of the clock neither loses nor doubles', async () => {
  const rule = await clocks.reminding();
  const { id: _, createdAt: __, ...row } = await db().rule.findUniqueOrThrow({ where: { id: rule.id } });
  const clock = await db().ruleClock.findFirstOrThrow();
  for (let nr = 1; nr < 300; nr += 1) {
    const copy = { ...row, schedule: row.schedule ?? {}, actions: Prisma.DbNull };
    const { id } = await db().rule.create({ data: copy as never });
    await db().ruleClock.create({ data: { ...clock, ruleId: id } });
  }
  await pipeline.story.product.control('notion', 'DELETE', '/calls');
  // A worker would fire what is due when the next minute begins.
  await pipeline.story.product.rest();
  const at = new Date(Date.now() - MINUTE_MS);
  await db().ruleClock.updateMany({ data: { nominalAt: at, dueAt: at } });
  // The clock is set back to before nine, and reaches nine again.
  await due.noticeStepBack();
  expect((await db().ruleClock.findFirstOrThrow()).dueAt).toEqual(at);
  await startDueClocks();
  await pipeline.story.product.work();
  await pipeline.idle();
  expect(await clocks.queries()).toBe(1);
  expect(await db().decision.count({ where: { outcome: 'message' } })).toBe(300);
  await due.noticeStepBack();
  await clocks.run();
  expect(await db().decision.count()).toBe(300);
  expect(await db().ruleClock.count({ where: { dueAt: { lte: new Date() } } })).toBe(0);
});

const board = (edit: Record<string, unknown>) =>
  pipeline.story.product.control('notion', 'POST', '/databases/schema', { database: 'Sprint board', edit });

test('a date property that was deleted unheard silences no other rule of its database', async () => {
  await pipeline.told(() => board({ action: 'add property', name: 'Review on', type: 'date' }));
  await pipeline.idle();
  await clocks.reminding();
  const lost = await clocks.reminding(
    { channelId: pipeline.story.channel('bugs') },
    { propertyId: 'Review on' },
  );
  const general = pipeline.story.channel('general');
  await clocks.rule('summary', { every: 'week', at: '09:00', weekday: 1 }, { channelId: general });
  await new MissedChanges(pipeline).unheard(() =>
    board({ action: 'delete property', property: 'Review on' }),
  );
  await clocks.strike();
  expect(await contents()).toEqual([expect.stringMatching(/^Boss fight: ember golem is due tomorrow/)]);
  expect(await pipeline.cards('general')).toHaveLength(1);
  const rules = (await call('GET', '/api/app/rules')).body;
  expect(rules.find(({ id }: { id: string }) => id === lost.id).problems).toEqual([
    expect.objectContaining({ part: 'schedule' }),
  ]);
});

test.each([
  ['heard of', () => pipeline.told(toText)],
  ['unheard', () => new MissedChanges(pipeline).unheard(toText)],
])(
  'a date property that was converted to text, %s, reminds of nothing, and its rule says so',
  async (_, convert) => {
    await pipeline.told(() => board({ action: 'add property', name: 'Launch', type: 'date' }));
    await pipeline.idle();
    const rule = await clocks.reminding({}, { propertyId: 'Launch' });
    await pipeline.edit(GOLEM, { Launch: inDays(1) });
    await pipeline.idle();
    await convert();
    await pipeline.idle();
    await clocks.strike();
    expect(await pipeline.cards()).toEqual([]);
    const text =
      'The property "Launch" of which the rule reminds was changed in Notion and holds no dates any more: nothing is posted.';
    expect((await call('GET', '/api/app/rules')).body[0]).toMatchObject({
      id: rule.id,
      problems: [{ part: 'schedule', text }],
      health: { state: 'broken', reason: text },
    });
    await pipeline.told(() => board({ action: 'delete property', property: 'Launch' }));
  },
);

const toText = () => board({ action: 'convert property', property: 'Launch', type: 'rich_text' });

test('a run that Notion refuses is in the log of its rule, and the next one is planned', async () => {
  const rule = await clocks.reminding();
  pipeline.fault({ target: 'notion', kind: 'fail', match: 'query$', times: 2, status: 400 });
  await clocks.strike();
  expect(await pipeline.cards()).toEqual([]);
  const [entry, ...more] = await log(rule.id);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ state: 'skipped', eventType: 'date_near', title: 'Sprint board' });
  expect(entry.reason).toMatch(/^Notion refused to show/);
  expect((await db().ruleClock.findFirstOrThrow()).dueAt.getTime()).toBeGreaterThan(Date.now());
  await clocks.strike();
  expect(await pipeline.cards()).toHaveLength(1);
});

test('a rule reminds again once its database is shared again, although no event says so', async () => {
  await clocks.reminding();
  const sharing = (action: 'share' | 'unshare') =>
    pipeline.story.product.control('notion', 'POST', `/authorizations/${action}`, {
      person: 'mira',
      database: pipeline.story.board.id,
    });
  await sharing('unshare');
  await clocks.strike();
  await clocks.strike();
  expect(await pipeline.cards()).toEqual([]);
  const health = async () => (await call('GET', '/api/app/rules')).body[0].health.state;
  expect(await health()).toBe('broken');
  await sharing('share');
  await clocks.strike();
  expect(await pipeline.cards()).toHaveLength(1);
  expect(await health()).toBe('posting');
});

test('a run whose list Notion returns in an unknown shape is made up for', async () => {
  await clocks.reminding();
  await db().$executeRaw`update rule_clock set nominal_at = ${DUE_NOW}, due_at = ${DUE_NOW}`;
  pipeline.fault({ target: 'notion', kind: 'reshape', match: 'query$' });
  expect(await runClocks(await place())).toEqual({ retryInMs: expect.any(Number) });
  await clocks.run();
  expect(await pipeline.cards()).toHaveLength(1);
});

test('what a lost connection made impossible is made up for once the workspace is connected again', async () => {
  await clocks.reminding();
  await pipeline.story.product.control('notion', 'POST', '/authorizations/revoke', { person: 'mira' });
  await db().$executeRaw`update rule_clock set nominal_at = ${DUE_NOW}, due_at = ${DUE_NOW}`;
  const where = await place();
  expect(await runClocks(where)).toEqual({ retryInMs: expect.any(Number) });
  await pipeline.story.product.connectNotion('mira', [pipeline.story.board.id]);
  await clocks.run();
  expect(await pipeline.cards()).toHaveLength(1);
});
