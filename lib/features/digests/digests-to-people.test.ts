import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import type { ShownMessage } from '@/lib/testing/chat';
import { awayFromHour, DigestSteps, pagesOf, preferences, quietNow } from '@/lib/testing/digest-steps';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { toggleKey } from '@/lib/testing/toggle-key';
import { whileLocked } from '@/lib/testing/while-locked';
import { DAY_MS, HOUR_MS } from '@/lib/time';
import { PEOPLE } from '../../../sandbox/people';

const GOLEM = 'Boss fight: ember golem';
const MIRA = PEOPLE[0]?.discordId ?? '';
const TO_MIRA = { channelId: null, destination: { kind: 'person', discordUserId: MIRA } } as const;
const HOURLY = { kind: 'digest', every: 'hour' } as const;
// In three days, so never within the next hour, nor before the next morning.
const WEEKLY = {
  kind: 'digest',
  every: 'week',
  at: '09:00',
  weekday: ((new Date().getUTCDay() + 2) % 7) + 1,
} as const;

let pipeline: Pipeline;
let due: DigestSteps;
let told = 0;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  due = new DigestSteps(pipeline);
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.idle();
  await pipeline.clear();
  await preferences(pipeline, { timeZone: awayFromHour() });
  await pipeline.prepare(GOLEM, { Status: 'Backlog', Priority: 'Low' });
  await pipeline.clear();
  told = (await allLetters()).length;
  await notify('on');
});

const call = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.call('mira', method, path, body);
const notify = (mode: 'on' | 'digest') =>
  db().accountLink.updateMany({ data: { notify: mode, digestDueAt: null } });
async function allLetters(): Promise<ShownMessage[]> {
  const path = `/direct-messages/${MIRA}`;
  const { messages } = await pipeline.story.product.control('discord', 'GET', path);
  return messages.filter(({ ephemeralFor }: ShownMessage) => ephemeralFor === null);
}
const letters = async () => (await allLetters()).slice(told);
interface Entry {
  state: string;
  reason: string;
  reasonCode: string | null;
}
/** The newest entry of a rule's log about something that it watches. */
async function newest(ruleId: string): Promise<Entry> {
  const { deliveries } = (await call('GET', `/api/app/rules/${ruleId}/deliveries`)).body;
  return deliveries.find(({ reasonCode }: Entry) => reasonCode !== 'property_not_watched');
}

async function edit(values: Record<string, string>): Promise<void> {
  await pipeline.edit(GOLEM, values, 'jonas');
  await pipeline.idle();
}

test('a digest to a person comes at the time of its rule, and not with that of another rule', async () => {
  const hourly = await pipeline.rule({ ...TO_MIRA, timing: HOURLY });
  const weekly = await pipeline.rule({ ...TO_MIRA, timing: WEEKLY, watchedProperties: ['Priority'] });
  expect(hourly).toMatchObject({ timing: HOURLY, channelId: null });
  await edit({ Status: 'In progress', Priority: 'High' });
  await edit({ Status: 'Done' });
  expect(await letters()).toEqual([]);
  for (const { id } of [hourly, weekly]) {
    expect(await newest(id)).toMatchObject({
      state: 'waiting',
      reason: expect.stringMatching(/^It waits for/),
    });
  }
  expect((await newest(weekly.id)).reason).toMatch(/09:00 on /);

  await due.putForward(HOUR_MS);
  await due.run();
  const [first, ...more] = await letters();
  expect(more).toEqual([]);
  expect(first?.content).toBe('News of a page that concerns you');
  expect(first?.embeds[0]?.description).toContain('Status: Backlog → Done');
  expect(first?.embeds[0]?.description).not.toContain('Priority');
  expect(await newest(hourly.id)).toMatchObject({ state: 'sent' });
  expect(await newest(weekly.id)).toMatchObject({ state: 'waiting' });

  await due.putForward(4 * DAY_MS);
  await due.run();
  expect((await letters())[1]?.embeds[0]?.description).toContain('Priority: Low → High');
  expect(await newest(weekly.id)).toMatchObject({ state: 'sent' });
  await due.run();
  expect(await letters()).toHaveLength(2);
});

test('whoever chose the morning gets it then, or at the time of the rule if that is later', async () => {
  await preferences(pipeline, {});
  await notify('digest');
  await pipeline.rule({ ...TO_MIRA, timing: HOURLY });
  const weekly = await pipeline.rule({ ...TO_MIRA, timing: WEEKLY, watchedProperties: ['Priority'] });
  await edit({ Status: 'Done', Priority: 'High' });
  const times = await db().letter.findMany({ orderBy: { tellAt: 'asc' }, select: { tellAt: true } });
  expect(times.map(({ tellAt }) => tellAt?.getUTCHours())).toEqual([9, 9]);
  await due.putForward(DAY_MS);
  await due.run();
  expect(await letters()).toHaveLength(1);
  expect(await newest(weekly.id)).toMatchObject({ state: 'waiting' });
});

test('a change whose report came late is told with those that were found before it', async () => {
  const rule = await pipeline.rule({ ...TO_MIRA, timing: HOURLY });
  // Only what the test sends arrives.
  pipeline.fault({ target: 'notion.webhook', kind: 'drop', times: 0 });
  const pageId = await pipeline.pageId(GOLEM);
  for (const [Status, secondsAgo] of [
    ['In progress', 10],
    ['Done', 60],
  ] as const) {
    const change = { page: GOLEM, database: 'Sprint board', as: 'jonas', properties: { Status } };
    await pipeline.story.product.control('notion', 'PATCH', '/rows', change);
    const at = new Date(Date.now() - secondsAgo * 1000);
    await pipeline.send({ pageId, updated: [pipeline.story.property('Status')], at });
    await pipeline.idle();
  }
  await due.tell();
  const [digest, ...more] = await letters();
  expect(more).toEqual([]);
  expect(digest?.embeds[0]?.description).toContain('Status: Backlog → Done');
  expect(await newest(rule.id)).toMatchObject({ state: 'sent' });
});

test('a digest to a person, and a change of its time, do not wait until something else is told to them, which waits for it', async () => {
  await pipeline.rule({ ...TO_MIRA, timing: HOURLY });
  await edit({ Status: 'Done' });
  // Whatever stores a letter to somebody keeps their link until it ends.
  await whileLocked('select 1 from account_link for key share', async () => {
    await preferences(pipeline, { timeZone: awayFromHour() });
    await due.tell();
  });
  expect(await letters()).toHaveLength(1);
});

test('an edit of the rule or of the time zone moves what waits, and only that', async () => {
  await preferences(pipeline, {});
  const tellAt = async (ruleId: string) =>
    (await db().letter.findFirstOrThrow({ where: { ruleId } })).tellAt?.toISOString().slice(11, 16);
  const daily = await pipeline.rule({ ...TO_MIRA, timing: { kind: 'digest', every: 'day', at: '13:30' } });
  const weekly = await pipeline.rule({ ...TO_MIRA, timing: WEEKLY, watchedProperties: ['Priority'] });
  await edit({ Status: 'Done', Priority: 'High' });
  expect([await tellAt(daily.id), await tellAt(weekly.id)]).toEqual(['13:30', '09:00']);
  await preferences(pipeline, { timeZone: 'Asia/Tokyo' });
  expect([await tellAt(daily.id), await tellAt(weekly.id)]).toEqual(['04:30', '00:00']);

  const { status } = await call('PUT', `/api/app/rules/${daily.id}`, { ...daily, timing: { kind: 'now' } });
  expect(status).toBe(200);
  await due.run();
  const [first, ...more] = await letters();
  expect(more).toEqual([]);
  expect(first?.embeds[0]?.description).not.toContain('Priority');
  expect(await newest(weekly.id)).toMatchObject({ state: 'waiting' });
});

test('what only waits for the end of quiet hours does not move to the next time with an edit', async () => {
  const quietHours = quietNow();
  await preferences(pipeline, { quietHours });
  const at = new Date(Date.now() - HOUR_MS).toISOString().slice(11, 16);
  const rule = await pipeline.rule({ ...TO_MIRA, timing: { kind: 'digest', every: 'day', at } });
  await edit({ Status: 'Done' });
  // As if the change had been found yesterday.
  await db().$executeRaw`update letter set tell_at = tell_at - interval '1 day'`;
  await db().$executeRaw`update account_link set digest_due_at = digest_due_at - interval '1 day'`;
  const times = async () => [
    (await db().letter.findFirstOrThrow()).tellAt,
    (await db().accountLink.findFirstOrThrow({ where: { digestDueAt: { not: null } } })).digestDueAt,
  ];
  const before = await times();
  expect(Number(before[0]) - Date.now()).toBeLessThan(3 * HOUR_MS);
  const { status } = await call('PUT', `/api/app/rules/${rule.id}`, { ...rule, name: 'Renamed' });
  expect(status).toBe(200);
  await preferences(pipeline, { quietHours });
  expect(await times()).toEqual(before);
});

test('what only waits for the end of quiet hours is told at their new end', async () => {
  const quietHours = quietNow();
  await preferences(pipeline, { quietHours });
  const at = new Date(Date.now() - HOUR_MS).toISOString().slice(11, 16);
  await pipeline.rule({ ...TO_MIRA, timing: { kind: 'digest', every: 'day', at } });
  await edit({ Status: 'Done' });
  // As if the change had been found yesterday.
  await db().$executeRaw`update letter set tell_at = tell_at - interval '1 day'`;
  await db().$executeRaw`update account_link set digest_due_at = digest_due_at - interval '1 day'`;
  const tellAt = async () => (await db().letter.findFirstOrThrow()).tellAt?.getTime() ?? 0;
  const before = await tellAt();
  const to = new Date(before + HOUR_MS).toISOString().slice(11, 16);
  await preferences(pipeline, { quietHours: { ...quietHours, to } });
  expect(await tellAt()).toBe(before + HOUR_MS);
  await preferences(pipeline, { quietHours: null });
  await due.run();
  expect(await letters()).toHaveLength(1);
});

test('a digest of a rule that was switched off is not told, and those of others are', async () => {
  const off = await pipeline.rule({ ...TO_MIRA, timing: HOURLY });
  const on = await pipeline.rule({ ...TO_MIRA, timing: HOURLY, watchedProperties: ['Priority'] });
  await edit({ Status: 'Done', Priority: 'High' });
  await call('PUT', `/api/app/rules/${off.id}`, { enabled: false });
  await due.tell();
  const [digest, ...more] = await letters();
  expect(more).toEqual([]);
  expect(digest?.embeds[0]?.description).not.toContain('Status:');
  expect(await newest(off.id)).toMatchObject({ state: 'skipped', reasonCode: 'rule_off' });
  expect(await newest(on.id)).toMatchObject({ state: 'sent' });
});

test('what nobody reported waits for the digest of its rule', async () => {
  const missed = new MissedChanges(pipeline);
  const weekly = await pipeline.rule({ ...TO_MIRA, timing: WEEKLY });
  await missed.lookedAt(180);
  await missed.edit(GOLEM, { Status: 'Done' }, 170, 'jonas');
  await missed.pass();
  await due.run();
  expect(await letters()).toEqual([]);
  expect(await newest(weekly.id)).toMatchObject({ state: 'waiting' });
  await due.tell();
  expect(await letters()).toHaveLength(1);
});

test('what waits for a digest in a channel is told there after its rule was edited to write to people', async () => {
  const rule = await pipeline.rule({ timing: HOURLY });
  await edit({ Status: 'Done' });
  const edited = await call('PUT', `/api/app/rules/${rule.id}`, { ...rule, ...TO_MIRA, timing: HOURLY });
  expect(edited).toMatchObject({ status: 200, body: { channelId: null, timing: HOURLY } });
  await edit({ Status: 'Backlog' });
  await due.tell();
  const [card, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(pagesOf(card as never)).toEqual([GOLEM]);
  expect(await letters()).toHaveLength(1);
});

test('a change that is being decided while its rule is edited to write to people is told in the channel', async () => {
  const rule = await pipeline.rule({ timing: HOURLY });
  const { faults } = pipeline.story.product.sandbox.context;
  pipeline.fault({ target: 'notion', match: 'GET .*/pages/', kind: 'slow', delayMs: 9000 });
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await expect.poll(() => faults.list().at(-1)?.hits).toBe(1);
  const edited = await call('PUT', `/api/app/rules/${rule.id}`, { ...rule, ...TO_MIRA, timing: HOURLY });
  expect(edited.status).toBe(200);
  expect(await db().digest.count()).toBe(0);
  faults.release();
  await pipeline.idle();
  await due.tell();
  expect((await pipeline.cards()).map(pagesOf)).toEqual([[GOLEM]]);
  expect(await newest(rule.id)).toMatchObject({ state: 'sent' });
});

test('what waits without a known channel is not told, and the log says why', async () => {
  const rule = await pipeline.rule({ timing: HOURLY });
  await edit({ Status: 'Done' });
  await call('PUT', `/api/app/rules/${rule.id}`, { ...rule, ...TO_MIRA, timing: HOURLY });
  // As the version before may have left it.
  await db().$executeRaw`update digest set place = null`;
  await due.tell();
  expect(await pipeline.cards()).toEqual([]);
  expect(await newest(rule.id)).toMatchObject({ state: 'skipped', reasonCode: 'no_channel' });
  expect(await db().message.count()).toBe(0);
});

test('a digest to a person waits for the key of a change, and after a day it is told without the change', async () => {
  const rule = await pipeline.rule({ ...TO_MIRA, timing: HOURLY });
  const other = await pipeline.rule({ ...TO_MIRA, timing: HOURLY, watchedProperties: ['Priority'] });
  await edit({ Status: 'Done' });
  await toggleKey('decision', 'sealed_summary');
  await edit({ Priority: 'High' });
  await due.tell();
  expect(await letters()).toEqual([]);
  await db().$executeRaw`update letter set created_at = created_at - interval '1 day'`;
  await due.tell();
  const [digest, ...more] = await letters();
  expect(more).toEqual([]);
  expect(digest?.embeds[0]?.description).toContain('Priority');
  expect(digest?.embeds[0]?.description).not.toContain('Status:');
  expect(await newest(rule.id)).toMatchObject({ state: 'skipped', reasonCode: 'key_gone' });
  expect(await newest(other.id)).toMatchObject({ state: 'sent' });
});

test('a rule to a person makes no use of a channel, and its preview is a digest', async () => {
  const channelId = pipeline.story.channel('tasks');
  const rule = await pipeline.rule({ ...TO_MIRA, channelId, timing: HOURLY });
  expect(rule).toMatchObject({ channelId: null, channelName: null, destination: TO_MIRA.destination });
  const { body } = await call('POST', '/api/app/rules/preview', rule);
  expect(JSON.stringify(body)).toContain('News of');
});
