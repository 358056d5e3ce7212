import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db, transaction } from '@/lib/db/database';
import { Chatter, controlsOf } from '@/lib/testing/chat';
import { ClockRules, inDays, NOON_ZONE, timeIn } from '@/lib/testing/clock-rules';
import { awayFromHour, DigestSteps, pagesOf } from '@/lib/testing/digest-steps';
import { DUE_NOW } from '@/lib/testing/due-now';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';
import { DAY_MS, HOUR_MS } from '@/lib/time';
import { PEOPLE } from '../../../sandbox/people';
import { timeInZone } from '../calendar/calendar';
import { buildSummary } from '../cards/summary-card';
import { nextRun } from './next-run';
import { keepList } from './summary-list';

const TORCHES = Array.from({ length: 12 }, (_, nr) => `Torch ${nr + 1}`);
const TORCH = { propertyId: 'Name', operator: 'contains', values: ['Torch'] };
const IF_TORCH = { conditions: { match: 'all', items: [TORCH] } };
const MIRA = PEOPLE[0]?.discordId ?? '';

let pipeline: Pipeline;
let clocks: ClockRules;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  clocks = new ClockRules(pipeline);
  for (const Name of TORCHES) {
    const body = { database: 'Sprint board', properties: { Name, Status: 'Backlog' } };
    await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', body));
  }
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.idle();
  await pipeline.clear();
  await clocks.preferences();
});

const call = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.call('mira', method, path, body);
const log = async (ruleId: string) =>
  (await call('GET', `/api/app/rules/${ruleId}/deliveries?show=all`)).body.deliveries;

test('a summary is one message with ten pages in order, and the rest behind a button', async () => {
  const sort = { propertyId: 'Name', direction: 'descending' };
  const rule = await clocks.rule('summary', { every: 'workday', at: '09:00', sort }, IF_TORCH);
  expect(rule.watching).toBe('summary each workday at 09:00, if Name contains “Torch”');
  await clocks.strike();
  const [message, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(message.content).toBe('12 pages in Sprint board');
  const shown = TORCHES.toReversed().slice(0, 10);
  expect(pagesOf(message)).toEqual(shown);
  expect((await log(rule.id)).length).toBe(1);
  expect((await log(rule.id))[0]).toMatchObject({ state: 'sent', eventType: 'summary' });
  expect((await call('GET', '/api/app/me')).body.subscription.notificationsUsed).toBe(1);

  const jonas = new Chatter(pipeline.story.product, 'jonas', pipeline.story.channel('tasks'));
  await jonas.press(message, 'Show 2 more');
  const rest = await jonas.answer();
  expect(rest.content).toBe('Pages 11 to 12 of 12');
  expect(pagesOf(rest as never)).toEqual(['Torch 2', 'Torch 1']);
  expect(controlsOf(message).length).toBeGreaterThan(1);

  // Run again as if the worker had been killed before it stored when the next run is due.
  const { nominalAt } = await db()
    .decision.findFirstOrThrow()
    .then(({ eventAt }) => ({ nominalAt: eventAt }));
  await clocks.strike(nominalAt);
  expect(await pipeline.cards()).toHaveLength(1);
});

test('of a very long summary, the button says how many pages it lists, and the list that there are more', async () => {
  const pages = Array.from({ length: 600 }, (_, nr) => ({
    id: randomUUID(),
    title: `Page ${nr + 1}`,
    url: null,
    changes: [],
  }));
  const shown = { ruleName: 'Torches', sourceName: 'Sprint board', when: '', users: [], roleIds: [] };
  const body = buildSummary({ ...shown, pages, moreId: 'more', hasMenu: false });
  expect(body.content).toBe('600 pages in Sprint board');
  expect(JSON.stringify(body.components)).toContain('Show 490 more');

  const rule = await clocks.rule('summary', { every: 'workday', at: '09:00' }, IF_TORCH);
  await clocks.strike();
  const [message] = await pipeline.cards();
  const list = await db().summaryList.findFirstOrThrow({ where: { ruleId: rule.id } });
  await transaction(async (tx) => {
    await tx.summaryList.delete({ where: { messageId: list.messageId } });
    await keepList(tx, list, pages);
  });
  const jonas = new Chatter(pipeline.story.product, 'jonas', pipeline.story.channel('tasks'));
  await jonas.press(message, 'Show 2 more');
  expect((await jonas.answer()).content).toBe('Pages 11 to 20 of the first 500');
});

test('whoever stands in a property gets a summary of their own pages, in a message of their own', async () => {
  await db().accountLink.updateMany({ where: { discordUserId: MIRA }, data: { notify: 'on' } });
  for (const page of ['Torch 2', 'Torch 7']) {
    const body = { database: 'Sprint board', page, as: 'jonas', properties: { Assignee: ['mira', 'jonas'] } };
    await pipeline.told(() => pipeline.story.product.control('notion', 'PATCH', '/rows', body));
  }
  await pipeline.idle();
  const destination = { kind: 'people', propertyId: 'Assignee' };
  const sort = { propertyId: 'Name', direction: 'ascending' };
  const terms = { ...IF_TORCH, channelId: null, destination };
  const rule = await clocks.rule('summary', { every: 'workday', at: '09:00', sort }, terms);
  await clocks.strike();
  await clocks.strike();

  const { messages } = await pipeline.story.product.control('discord', 'GET', `/direct-messages/${MIRA}`);
  const [first, second, ...more] = messages;
  expect(more).toEqual([]);
  expect(second.id).not.toBe(first.id);
  for (const letter of [first, second]) {
    expect(letter.content).toBe('2 pages in Sprint board');
    expect(pagesOf(letter)).toEqual(['Torch 2', 'Torch 7']);
    expect(controlsOf(letter).map(({ label }) => label)).toContain('Stop these messages');
  }
  expect(await pipeline.cards()).toEqual([]);
  const [told] = await log(rule.id);
  expect(told).toMatchObject({ state: 'sent', eventType: 'summary' });
  // Jonas is assigned too, but is not linked.
  expect(told.people.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ['Mira Castellan', 'sent'],
  ]);
});

test('the rest of a summary to a person is behind a button for as long as they are linked', async () => {
  await db().accountLink.updateMany({ where: { discordUserId: MIRA }, data: { notify: 'on' } });
  const destination = { kind: 'person', discordUserId: MIRA };
  await clocks.rule(
    'summary',
    { every: 'workday', at: '09:00' },
    { ...IF_TORCH, channelId: null, destination },
  );
  await clocks.strike();
  const inbox = await pipeline.story.product.control('discord', 'GET', `/direct-messages/${MIRA}`);
  const button = controlsOf(inbox.messages.at(-1)).find(({ label }) => label === 'Show 2 more');
  const press = async (nth: number) => {
    const by = { channel_id: inbox.channelId, user: { id: MIRA, username: 'mira' } };
    const body = { id: `150000000000000000${nth}`, type: 3, token: 'x', ...by, data: button };
    const answer = await postToDiscordDoor(pipeline.story.product, JSON.stringify(body));
    return (await answer.json()).data.content;
  };
  expect(await press(1)).toBe('Pages 11 to 12 of 12');
  const link = await db().accountLink.findFirstOrThrow({ where: { discordUserId: MIRA } });
  await db().accountLink.delete({ where: { id: link.id } });
  expect(await press(2)).toMatch(/^What this message listed is no longer kept/);
  await db().accountLink.create({ data: link });
});

test('whoever wants a digest gets each summary at its time, and the newest of those each hour in it', async () => {
  await clocks.preferences({ timeZone: awayFromHour() });
  await db().accountLink.updateMany({ where: { discordUserId: MIRA }, data: { notify: 'digest' } });
  const inbox = `/direct-messages/${MIRA}`;
  const letters = async () => (await pipeline.story.product.control('discord', 'GET', inbox)).messages;
  const before = (await letters()).length;
  const terms = { channelId: null, destination: { kind: 'person', discordUserId: MIRA } };
  const other = { conditions: { match: 'all', items: [{ ...TORCH, values: ['Torch 1'] }] } };
  for (const condition of [IF_TORCH, other]) {
    await clocks.rule('summary', { every: 'workday', at: '09:00' }, { ...terms, ...condition });
    await clocks.rule('summary', { every: 'hour' }, { ...terms, ...condition });
  }
  await clocks.strike();
  const sent = (await letters()).slice(before);
  expect(sent.map(({ content }: { content: string }) => content).sort()).toEqual([
    '12 pages in Sprint board',
    '4 pages in Sprint board',
  ]);

  await new DigestSteps(pipeline).tell();
  const [digest, ...more] = (await letters()).slice(before + 2);
  expect(more).toEqual([]);
  expect(pagesOf(digest).sort()).toEqual(['12 pages in Sprint board', '4 pages in Sprint board']);
});

test('without pages nothing is sent, or a line that says so', async () => {
  await clocks.preferences({ timeZone: awayFromHour() });
  const none = { match: 'all', items: [{ ...TORCH, values: ['Nothing like it'] }] };
  await clocks.rule('summary', { every: 'hour' }, { conditions: none });
  await clocks.strike();
  expect(await pipeline.cards()).toEqual([]);
  await clocks.rule('summary', { every: 'hour', skipEmpty: false }, { conditions: none });
  await clocks.strike();
  const [message, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(message.content).toBe('No page in Sprint board to list now');
});

test('a page that nobody touches is told once, and again only after it was touched and rested again', async () => {
  const one = { match: 'all', items: [{ propertyId: 'Name', operator: 'is', values: ['Torch 3'] }] };
  const rule = await clocks.rule('page_untouched', { days: 7, at: '09:00' }, { conditions: one });
  expect(rule.watching).toBe('nothing changed for 7 days, looked at 09:00, if Name is “Torch 3”');
  const rest = async (days: number, Status: string) => {
    const at = new Date(Date.now() - days * DAY_MS).toISOString();
    const body = { database: 'Sprint board', page: 'Torch 3', as: 'mira', at, properties: { Status } };
    await pipeline.told(() => pipeline.story.product.control('notion', 'PATCH', '/rows', body));
    await pipeline.idle();
  };
  await clocks.strike();
  expect(await pipeline.cards()).toEqual([]);
  await rest(8, 'In progress');
  await clocks.strike();
  await clocks.strike();
  const [card, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(card.content).toMatch(/^Torch 3: nothing changed for 7 days/);
  await rest(0, 'Done');
  await clocks.strike();
  expect(await pipeline.cards()).toHaveLength(1);
  await rest(7.5, 'Backlog');
  await clocks.strike();
  expect(await pipeline.cards()).toHaveLength(2);
});

const weekday = () => new Date(inDays(0)).getUTCDay() || 7;

/** Adds a summary whose time came an hour ago, in quiet hours that end in two. */
async function waitInQuietHours() {
  const days = [1, 2, 3, 4, 5, 6, 7];
  const quietHours = { from: timeIn(-2 * HOUR_MS), to: timeIn(2 * HOUR_MS), days };
  await clocks.preferences({ quietHours });
  const schedule = { every: 'week', at: timeIn(-HOUR_MS), weekday: weekday() };
  const rule = await clocks.rule('summary', schedule, IF_TORCH);
  const planned = new Date(Date.now() - 1.5 * HOUR_MS);
  const run = nextRun(rule, { timeZone: NOON_ZONE, quietHours }, planned);
  expect(run.nominalAt < new Date() && run.dueAt > new Date()).toBe(true);
  await db().ruleClock.updateMany({ data: run });
  return { rule, quietHours, dueAt: run.dueAt };
}

test('a summary waits for the end of quiet hours, also of an edited rule', async () => {
  const { rule, dueAt } = await waitInQuietHours();
  const sort = { propertyId: 'Name', direction: 'descending' };
  const edited = { ...rule, name: 'Weekly', schedule: { ...rule.schedule, sort } };
  await call('PUT', `/api/app/rules/${rule.id}`, edited);
  await clocks.run();
  expect(await pipeline.cards()).toEqual([]);
  expect((await db().ruleClock.findFirstOrThrow()).dueAt).toEqual(dueAt);
  await call('PUT', `/api/app/rules/${rule.id}`, { ...edited, urgent: true });
  await clocks.run();
  expect((await pipeline.cards()).map(({ content }) => content)).toEqual(['12 pages in Sprint board']);
});

test('a summary that could not be made before quiet hours waits for their end', async () => {
  await clocks.rule('summary', { every: 'day', at: '09:00' }, IF_TORCH);
  const quietHours = { from: timeIn(-HOUR_MS), to: timeIn(HOUR_MS), days: [1, 2, 3, 4, 5, 6, 7] };
  await clocks.preferences({ quietHours });
  await clocks.strike();
  expect(await pipeline.cards()).toEqual([]);
  expect((await db().ruleClock.findFirstOrThrow()).dueAt.getTime()).toBeGreaterThan(Date.now());
  await clocks.preferences({ quietHours: null });
  await clocks.run();
  expect(await pipeline.cards()).toHaveLength(1);
});

test('a waiting summary comes once quiet hours are gone, and later if they are longer', async () => {
  const { quietHours, dueAt } = await waitInQuietHours();
  const later = new Date(dueAt.getTime() + HOUR_MS);
  await clocks.preferences({ quietHours: { ...quietHours, to: timeInZone(later, NOON_ZONE, later) } });
  expect((await db().ruleClock.findFirstOrThrow()).dueAt).toEqual(later);
  await clocks.preferences({ quietHours: null });
  await clocks.run();
  expect(await pipeline.cards()).toHaveLength(1);
});

test('a time zone that changes while a summary is made is that of the next one', async () => {
  const rule = await clocks.rule('summary', { every: 'day', at: '09:00' }, IF_TORCH);
  const { faults } = pipeline.story.product.sandbox.context;
  pipeline.fault({ target: 'notion', match: 'POST .*/query', kind: 'slow', delayMs: 9000 });
  const struck = clocks.strike();
  await expect.poll(() => faults.list().at(-1)?.hits).toBe(1);
  const timeZone = 'Asia/Tokyo';
  await clocks.preferences({ timeZone });
  faults.release();
  await struck;
  expect(await pipeline.cards()).toHaveLength(1);
  const { nominalAt, dueAt } = await db().ruleClock.findFirstOrThrow();
  expect({ nominalAt, dueAt }).toEqual(nextRun(rule, { timeZone, quietHours: null }, new Date()));
});

test('a run that is due is made although its rule is edited first, but not by another schedule or once it was off', async () => {
  const schedule = { every: 'week', at: timeIn(-HOUR_MS), weekday: weekday() };
  const rule = await clocks.rule('summary', schedule, IF_TORCH);
  const put = (change: object) => call('PUT', `/api/app/rules/${rule.id}`, { ...rule, ...change });
  const runAfter = async (...changes: object[]) => {
    // A worker would make the run before the edit if a minute began between them.
    await pipeline.story.product.rest();
    await db().$executeRaw`update rule_clock set nominal_at = ${DUE_NOW}, due_at = ${DUE_NOW}`;
    for (const change of changes) await put(change);
    await pipeline.story.product.work();
    await clocks.run();
  };
  await runAfter({ name: 'Weekly' });
  expect(await pipeline.cards()).toHaveLength(1);
  await runAfter({ schedule: { ...schedule, at: timeIn(-2 * HOUR_MS) } });
  await runAfter({ enabled: false }, { enabled: true });
  expect(await pipeline.cards()).toHaveLength(1);
});
