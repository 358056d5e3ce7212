import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { awayFromHour, DigestSteps, pagesOf, preferences, quietNow } from '@/lib/testing/digest-steps';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { toggleKey } from '@/lib/testing/toggle-key';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/time';
import { currentPeriod } from '../billing/period';
import { tellDigest } from './tell-digest';

const GOLEM = 'Boss fight: ember golem';
const LANTERN = 'Lantern';
const TORCH = 'Torch';
const HOURLY = { timing: { kind: 'digest', every: 'hour' } };

let pipeline: Pipeline;
let due: DigestSteps;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  due = new DigestSteps(pipeline);
  for (const Name of [LANTERN, TORCH]) {
    const body = { database: 'Sprint board', properties: { Name, Status: 'Backlog' } };
    await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', body));
  }
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.idle();
  await pipeline.clear();
  await preferences(pipeline, { timeZone: awayFromHour() });
  for (const page of [GOLEM, LANTERN, TORCH])
    await pipeline.prepare(page, { Status: 'Backlog', Priority: 'Low' });
  await pipeline.clear();
});

const call = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.call('mira', method, path, body);
const log = async (ruleId: string, show = 'all') =>
  (await call('GET', `/api/app/rules/${ruleId}/deliveries?show=${show}`)).body.deliveries;
const used = async () => (await call('GET', '/api/app/me')).body.subscription.notificationsUsed;

test('what a rule finds in an hour is one message, with each page once as it is now', async () => {
  const rule = await pipeline.rule({
    ...HOURLY,
    watchedProperties: ['Status', 'Priority'],
    mentions: { people: 'none', userIds: ['208917000000000101'], roleIds: [] },
  });
  expect(rule.timing).toEqual(HOURLY.timing);
  expect(rule.watching).toBe('Status or Priority change, as a digest each hour');
  await pipeline.edit(GOLEM, { Status: 'In progress' });
  await pipeline.idle();
  await pipeline.edit(LANTERN, { Status: 'Done' });
  await pipeline.idle();
  await pipeline.edit(GOLEM, { Status: 'Done', Priority: 'High' });
  await pipeline.idle();
  expect(await pipeline.cards()).toEqual([]);

  const [first, ...others] = await log(rule.id);
  expect(others).toHaveLength(2);
  expect(first).toMatchObject({ state: 'waiting', reasonCode: null, messageUrl: null });
  expect(first.reason).toMatch(/^It waits for the digest of \d\d:00/);
  const { dueAt } = await db().digest.findFirstOrThrow();
  expect(first.nextTryAt).toBe(dueAt.toISOString());
  expect(await log(rule.id, 'skipped')).toEqual([]);
  const waiting = (await call('GET', '/api/app/activity?outcome=waiting')).body.items;
  expect(waiting.map(({ reason }: { reason: string }) => reason)).toEqual(Array(3).fill(first.reason));

  await due.tell();
  const [message, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(message.content).toBe('2 changed pages in Sprint board · <@208917000000000101>');
  expect(message.pings.users).toEqual(['208917000000000101']);
  const lines = message.embeds[0].description.split('\n');
  expect(lines[0]).toBe('**Done**');
  expect(lines[1]).toMatch(
    /^- \[Boss fight: ember golem\]\(http.*\): Status: Backlog → Done, Priority: Low → High$/,
  );
  expect(lines[2]).toMatch(/^- \[Lantern\]\(http.*\): Status: Backlog → Done$/);
  expect(lines).toHaveLength(3);
  expect(message.embeds[0].footer.text).toMatch(/^Pagewire · Sprint board → #tasks · digest each hour$/);
  expect(message.components).toEqual([]);

  const told = await log(rule.id);
  expect(told.map(({ state }: { state: string }) => state)).toEqual(['sent', 'sent', 'sent']);
  expect(new Set(told.map(({ messageUrl }: { messageUrl: string }) => messageUrl)).size).toBe(1);
  expect(told[0].messageUrl).toContain(message.id);
  expect(await log(rule.id, 'posted')).toHaveLength(3);
  expect(await used()).toBe(1);

  await due.tell();
  expect(await pipeline.cards()).toHaveLength(1);
});

test('what is again as it was is not told, and without anything else nothing is sent', async () => {
  const rule = await pipeline.rule(HOURLY);
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  await pipeline.edit(GOLEM, { Status: 'Backlog' });
  await pipeline.idle();
  await due.tell();
  expect(await pipeline.cards()).toEqual([]);
  expect(await log(rule.id)).toMatchObject([
    { state: 'skipped', reasonCode: 'undone' },
    { state: 'skipped', reasonCode: 'undone' },
  ]);
  expect(await db().digest.count()).toBe(0);
});

test('a property that is renamed while a digest waits is told as one, with its new name', async () => {
  await pipeline.rule({ ...HOURLY, watchedProperties: ['Status', 'Priority'] });
  const rename = (property: string, name: string) => {
    const edit = { action: 'rename property', property, name };
    return pipeline.told(() =>
      pipeline.story.product.control('notion', 'POST', '/databases/schema', {
        database: 'Sprint board',
        edit,
      }),
    );
  };
  await pipeline.edit(GOLEM, { Priority: 'High', Status: 'Done' });
  await pipeline.idle();
  await rename('Priority', 'Urgency');
  await pipeline.edit(GOLEM, { Urgency: 'Low', Status: 'In progress' });
  await pipeline.idle();
  await pipeline.edit(LANTERN, { Urgency: 'High' });
  await pipeline.idle();
  await rename('Urgency', 'Weight');
  await pipeline.edit(LANTERN, { Weight: 'Medium' });
  await pipeline.idle();
  await rename('Weight', 'Priority');
  await due.tell();
  const [message] = await pipeline.cards();
  const told = message.embeds[0].description.split('\n').map((line: string) => line.split('): ')[1]);
  // The second name is the newest that an event had.
  expect(told.filter(Boolean).sort()).toEqual(['Status: Backlog → In progress', 'Weight: Low → Medium']);
});

test('a value that reads like the one before but is another is told', async () => {
  const rule = await pipeline.rule({ ...HOURLY, watchedProperties: ['Design docs'] });
  const link = async (...docs: string[]) => {
    await pipeline.edit(GOLEM, { 'Design docs': docs });
    await pipeline.idle();
  };
  await link('Lantern upgrades');
  await link('Lantern upgrades', 'The salt market');
  await link('The salt market');
  await due.tell();
  const [message, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(message.embeds[0].description).toContain('Design docs: 1 linked page → 1 linked page');
  await link('Lantern upgrades');
  await link('The salt market');
  await due.tell();
  expect(await pipeline.cards()).toHaveLength(1);
  expect((await log(rule.id)).map(({ state }: { state: string }) => state)).toEqual([
    ...['skipped', 'skipped', 'sent', 'sent', 'sent'],
  ]);
});

test('a change whose report came late is told with those that were found before it', async () => {
  const rule = await pipeline.rule(HOURLY);
  // Only what the test sends arrives.
  pipeline.fault({ target: 'notion.webhook', kind: 'drop', times: 0 });
  const pageId = await pipeline.pageId(GOLEM);
  const status = pipeline.story.property('Status');
  const report = async (Status: string, secondsAgo: number) => {
    const change = { page: GOLEM, database: 'Sprint board', properties: { Status } };
    await pipeline.story.product.control('notion', 'PATCH', '/rows', change);
    await pipeline.send({ pageId, updated: [status], at: new Date(Date.now() - secondsAgo * 1000) });
    await pipeline.idle();
  };
  await report('In progress', 10);
  await report('Done', 60);
  await due.tell();
  const [message, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(message.embeds[0].description).toMatch(/^\*\*Done\*\*\n- .*: Status: Backlog → Done$/);
  expect((await log(rule.id)).map(({ state }: { state: string }) => state)).toEqual(['sent', 'sent']);
});

test('in quiet hours everything waits for their end but what is urgent', async () => {
  const now = Date.now();
  const time = (ms: number) => new Date(now + ms).toISOString().slice(11, 16);
  const days = [1, 2, 3, 4, 5, 6, 7];
  await preferences(pipeline, { quietHours: { from: time(-2 * HOUR_MS), to: time(2 * HOUR_MS), days } });
  await pipeline.rule();
  await pipeline.rule({ urgent: true, channelId: pipeline.story.channel('bugs') });
  await pipeline.rule({ ...HOURLY, channelId: pipeline.story.channel('general') });
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.edit(LANTERN, { Status: 'Done' });
  await pipeline.idle();
  expect(await pipeline.cards('bugs')).toHaveLength(2);
  expect(await pipeline.cards()).toEqual([]);
  const ends = new Set((await db().digest.findMany()).map(({ dueAt }) => dueAt.getTime()));
  expect(ends).toEqual(
    new Set([Date.parse(`${new Date(now + 2 * HOUR_MS).toISOString().slice(0, 16)}:00Z`)]),
  );

  // A worker that is late finds that quiet hours have begun, and waits.
  await due.tell();
  expect(await pipeline.cards()).toEqual([]);
  expect((await db().digest.findMany()).map(({ dueAt }) => dueAt.getTime())).toEqual([...ends, ...ends]);

  await preferences(pipeline, { quietHours: null });
  await due.run();
  const [message] = await pipeline.cards();
  expect(pagesOf(message)).toEqual([GOLEM, LANTERN]);
  expect(message.embeds[0].footer.text).toContain('told together');
  expect(await pipeline.cards('general')).toEqual([]);
  expect(await used()).toBe(3);
});

test('a digest that only waits for the end of quiet hours does not move to the next time with an edit', async () => {
  const quietHours = quietNow();
  await preferences(pipeline, { quietHours });
  const at = new Date(Date.now() - HOUR_MS).toISOString().slice(11, 16);
  const rule = await pipeline.rule({ timing: { kind: 'digest', every: 'day', at } });
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  // As if the change had been found yesterday.
  await db().$executeRaw`update digest set due_at = due_at - interval '1 day'`;
  const { dueAt } = await db().digest.findFirstOrThrow();
  expect(dueAt.getTime() - Date.now()).toBeLessThan(3 * HOUR_MS);
  const edit = (changes: object) => call('PUT', `/api/app/rules/${rule.id}`, { ...rule, ...changes });
  expect((await edit({ name: 'Renamed' })).status).toBe(200);
  await preferences(pipeline, { quietHours });
  expect((await db().digest.findFirstOrThrow()).dueAt).toEqual(dueAt);
  expect((await edit({ timing: { kind: 'digest', every: 'day', at: quietHours.to } })).status).toBe(200);
  await preferences(pipeline, { quietHours: null });
  expect((await db().digest.findFirstOrThrow()).dueAt.toISOString().slice(11, 16)).toBe(quietHours.to);
});

test('a digest that only waits for the end of quiet hours is told at their new end', async () => {
  const quietHours = quietNow();
  await preferences(pipeline, { quietHours });
  const at = new Date(Date.now() - HOUR_MS).toISOString().slice(11, 16);
  await pipeline.rule({ timing: { kind: 'digest', every: 'day', at } });
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  // As if the change had been found yesterday.
  await db().$executeRaw`update digest set due_at = due_at - interval '1 day'`;
  const { dueAt } = await db().digest.findFirstOrThrow();
  const to = new Date(dueAt.getTime() + HOUR_MS).toISOString().slice(11, 16);
  await preferences(pipeline, { quietHours: { ...quietHours, to } });
  expect((await db().digest.findFirstOrThrow()).dueAt).toEqual(new Date(dueAt.getTime() + HOUR_MS));
  await preferences(pipeline, { quietHours: null });
  await due.run();
  expect(pagesOf((await pipeline.cards())[0])).toEqual([GOLEM]);
});

test('new pages wait until they have settled, and are told once', async () => {
  await pipeline.rule({ ...HOURLY, eventType: 'page_created', watchedProperties: [], atOnce: true });
  const body = { database: 'Sprint board', properties: { Name: 'Rope bridge', Status: 'Backlog' } };
  await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', body));
  await pipeline.settle();
  expect(await db().decision.findMany()).toMatchObject([{ outcome: 'gathered' }]);
  await due.tell();
  const [message, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(message.content).toBe('1 new page in Sprint board');
  expect(message.embeds[0].description).toMatch(/\*\*Backlog\*\*\n- \[Rope bridge\]\(.*\): new page$/);
  await pipeline.story.product.control('notion', 'POST', '/rows/trash', { page: 'Rope bridge' });
});

test('a rule that is off when its digest is due tells nothing, and one that is on again tells everything', async () => {
  const rule = await pipeline.rule(HOURLY);
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  await call('PUT', `/api/app/rules/${rule.id}`, { enabled: false });
  await call('PUT', `/api/app/rules/${rule.id}`, { enabled: true });
  await pipeline.edit(LANTERN, { Status: 'Done' });
  await pipeline.idle();
  await due.tell();
  expect(pagesOf((await pipeline.cards())[0])).toEqual([GOLEM, LANTERN]);

  await pipeline.edit(GOLEM, { Status: 'Backlog' });
  await pipeline.idle();
  await call('PUT', `/api/app/rules/${rule.id}`, { enabled: false });
  await due.tell();
  expect(await pipeline.cards()).toHaveLength(1);
  expect((await log(rule.id))[0]).toMatchObject({ state: 'skipped', reasonCode: 'rule_off' });
});

test('what waits follows an edited rule: to another time, to another channel, and at once', async () => {
  const rule = await pipeline.rule(HOURLY);
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  const edit = (changes: object) => call('PUT', `/api/app/rules/${rule.id}`, { ...rule, ...changes });
  await preferences(pipeline, {});
  const channelId = pipeline.story.channel('bugs');
  const timing = { kind: 'digest', every: 'week', at: '09:00', weekday: 1 };
  expect((await edit({ timing, channelId })).status).toBe(200);
  expect((await db().digest.findFirstOrThrow()).dueAt.toISOString()).toMatch(/T09:00:00.000Z$/);
  expect((await edit({ channelId })).status).toBe(200);
  expect((await edit({ channelId, timing: { kind: 'now' } })).status).toBe(200);
  const [{ isDue } = {}] = await db().$queryRaw<
    { isDue?: boolean }[]
  >`select due_at <= now() as "isDue" from digest`;
  expect(isDue).toBe(true);
  await due.run();
  expect(pagesOf((await pipeline.cards('bugs'))[0])).toEqual([GOLEM]);
  expect(await pipeline.cards()).toEqual([]);
});

test('a digest names the databases that its pages are in, also after its rule was moved to another', async () => {
  const rule = await pipeline.rule(HOURLY);
  for (const [page, Status] of [
    [LANTERN, 'Done'],
    [TORCH, 'In progress'],
    [GOLEM, 'Done'],
  ] as const) {
    await pipeline.edit(page, { Status });
    await pipeline.idle();
  }
  const edited = await call('PUT', `/api/app/rules/${rule.id}`, {
    ...rule,
    ...{ databaseId: pipeline.story.docs.dataSourceId, dbType: undefined, source: undefined, actions: [] },
    ...{ eventType: 'page_created', watchedProperties: [] },
  });
  expect(edited.status).toBe(200);
  const body = { database: 'Design docs', properties: { Title: 'Drawbridge' } };
  await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', body));
  await pipeline.settle();
  // Names are as they are now, where the rule still knows them.
  await db().notionDatabase.updateMany({ where: { name: 'Design docs' }, data: { name: 'Drawings' } });
  await due.tell();
  await db().notionDatabase.updateMany({ where: { name: 'Drawings' }, data: { name: 'Design docs' } });
  const [message, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(message.content).toBe('4 changed pages in Sprint board and Drawings');
  expect(message.embeds[0].footer.text).toContain('Sprint board and Drawings → #tasks');
  // By status as Sprint board orders them.
  expect(pagesOf(message)).toEqual([TORCH, LANTERN, GOLEM, 'Drawbridge']);
  await pipeline.story.product.control('notion', 'POST', '/rows/trash', { page: 'Drawbridge' });
});

test('what waits goes with its rule', async () => {
  const rule = await pipeline.rule(HOURLY);
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  const digest = await db().digest.findFirstOrThrow();
  await call('DELETE', `/api/app/rules/${rule.id}`);
  expect(await db().digest.count()).toBe(0);
  await tellDigest({ accountId: digest.accountId, digestId: digest.id });
  await pipeline.idle();
  expect(await pipeline.cards()).toEqual([]);
});

test('a digest for which the plan has no room is held as one message, and every entry says so', async () => {
  const rule = await pipeline.rule(HOURLY);
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.edit(LANTERN, { Status: 'Done' });
  await pipeline.idle();
  const account = await db().account.findUniqueOrThrow({
    where: { id: (await db().digest.findFirstOrThrow()).accountId },
  });
  const { start: startsAt, end: endsAt } = currentPeriod(account, new Date());
  await db().usagePeriod.create({
    data: { accountId: account.id, startsAt, endsAt, reserved: 1000, sent: 1000 },
  });
  await due.tell();
  expect((await pipeline.cards()).filter(({ embeds }) => embeds.length > 0)).toEqual([]);
  expect((await log(rule.id)).map(({ state }: { state: string }) => state)).toEqual(['held', 'held']);
});

test('a time zone that changes while a digest waits moves it, and it is told once', async () => {
  await preferences(pipeline, {});
  const hour = new Date(Date.now() + 3 * HOUR_MS).toISOString().slice(11, 13);
  await pipeline.rule({ timing: { kind: 'digest', every: 'day', at: `${hour}:00` } });
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  const dueAt = async () => (await db().digest.findFirstOrThrow()).dueAt.getTime();
  const before = await dueAt();
  // Two hours west of UTC the whole year: the same time is two hours later there.
  await preferences(pipeline, { timeZone: 'America/Noronha' });
  expect(await dueAt()).toBe(before + 2 * HOUR_MS);
  await preferences(pipeline, { timeZone: 'Asia/Dubai' });
  expect(await dueAt()).toBe(before - 4 * HOUR_MS + DAY_MS);
  await due.tell();
  await preferences(pipeline, { timeZone: 'UTC' });
  await due.tell();
  expect(await pipeline.cards()).toHaveLength(1);
});

test('a clock that is put forward over the time, and back again, tells everything once', async () => {
  await preferences(pipeline, {});
  const soon = new Date(Date.now() + 30 * MINUTE_MS).toISOString().slice(11, 16);
  await pipeline.rule({ timing: { kind: 'digest', every: 'day', at: soon } });
  const edit = async (page: string) => {
    await pipeline.edit(page, { Status: 'Done' });
    await pipeline.idle();
  };
  await edit(GOLEM);
  const { dueAt } = await db().digest.findFirstOrThrow();
  expect(dueAt.getTime() - Date.now()).toBeLessThanOrEqual(30 * MINUTE_MS);
  await due.putForward(HOUR_MS);
  await due.run();
  expect(pagesOf((await pipeline.cards())[0])).toEqual([GOLEM]);

  // The clock was set back before that time came again: what has changed since is told then.
  await edit(LANTERN);
  expect((await db().digest.findFirstOrThrow()).dueAt).toEqual(dueAt);
  // A change found while the clock was ahead would wait for the next day.
  await db().digest.updateMany({ data: { dueAt: new Date(dueAt.getTime() + DAY_MS) } });
  await due.noticeStepBack();
  await edit(TORCH);
  expect((await db().digest.findFirstOrThrow()).dueAt).toEqual(dueAt);
  await due.run();
  expect(await pipeline.cards()).toHaveLength(1);
  await due.tell();
  expect((await pipeline.cards()).map(pagesOf)).toEqual([[GOLEM], [LANTERN, TORCH]]);
});

test('a digest waits for the key of a change, and after a day it is told without the change', async () => {
  const rule = await pipeline.rule(HOURLY);
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  await toggleKey('decision', 'sealed_summary');
  await pipeline.edit(LANTERN, { Status: 'Done' });
  await pipeline.idle();
  await due.tell();
  expect(await pipeline.cards()).toEqual([]);
  expect((await log(rule.id)).map(({ state }: { state: string }) => state)).toEqual(['waiting', 'waiting']);

  await db().$executeRaw`update decision set created_at = created_at - interval '1 day'`;
  await due.run();
  expect((await pipeline.cards()).map(pagesOf)).toEqual([[LANTERN]]);
  expect(await log(rule.id)).toMatchObject([{ state: 'sent' }, { state: 'skipped', reasonCode: 'key_gone' }]);
  expect(await db().digest.count()).toBe(0);
});

test('a missed hour is made up for when workers are back', async () => {
  await pipeline.rule(HOURLY);
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  await pipeline.story.product.rest();
  await due.putForward(5 * HOUR_MS);
  await pipeline.story.product.work();
  await due.run();
  expect(pagesOf((await pipeline.cards())[0])).toEqual([GOLEM]);
  expect(await pipeline.cards()).toHaveLength(1);
});
