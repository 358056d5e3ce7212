import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { DAY_MS } from '@/lib/time';
import { PEOPLE } from '../../../sandbox/people';

const GOLEM = 'Boss fight: ember golem';
const MIRA = PEOPLE[0]?.discordId ?? '';
const TO_ASSIGNEES = { channelId: null, destination: { kind: 'people', propertyId: 'Assignee' } };
const TO_MIRA = { channelId: null, destination: { kind: 'person', discordUserId: MIRA } };
const NOBODY_LINKED = 'Nobody whom it is for is linked to a Discord user.';
const NOT_ASKED_FOR = expect.stringMatching(/^Nobody whom it concerns has said yes to direct messages\./);
const INBOX_CLOSED = expect.stringMatching(/^Discord does not deliver direct messages to this person\./);
const THEMSELVES = 'Whoever it concerns did it themselves.';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.idle();
  await pipeline.clear();
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await assign();
  await pipeline.clear();
  await db().accountLink.updateMany({ data: { notify: 'off', inboxClosedAt: null } });
});

const call = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.call('mira', method, path, body);
const choose = (discordUserId: string, data: object) =>
  db().accountLink.updateMany({ where: { discordUserId }, data });
/** Assigns these people to the page, before anything else happens. */
async function assign(...people: string[]): Promise<void> {
  const rows = await pipeline.story.product.control('notion', 'GET', '/rows?database=Sprint%20board');
  const { properties } = rows.find(({ title }: { title: string }) => title === GOLEM);
  // Notion reports no edit that changes nothing.
  if (people.length === 0 && properties.Assignee.length === 0) return;
  await pipeline.edit(GOLEM, { Assignee: people }, 'jonas');
  await pipeline.idle();
}

async function tried(terms: Record<string, unknown>) {
  const { board } = pipeline.story;
  const rule = {
    databaseId: board.dataSourceId,
    eventType: 'page_updated',
    watchedProperties: ['Status'],
    ...terms,
  };
  const { status, body } = await call('POST', '/api/app/rules/try', { rule, days: 7 });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** What the rule is said to have made of the newest event. */
async function triedNewest(terms: Record<string, unknown>) {
  const { cards, items } = await tried(terms);
  const [{ outcome, reason }] = items;
  return { cards, outcome, reason };
}

/** What the log of the same rule says of the newest event. */
async function logged(ruleId: string) {
  await pipeline.idle();
  const [{ state, reason }] = (await call('GET', `/api/app/rules/${ruleId}/deliveries`)).body.deliveries;
  return { outcome: state === 'skipped' ? 'skipped' : 'posted', reason };
}

test('a rule to those in a property promises no more than its log says', async () => {
  const rule = await pipeline.rule(TO_ASSIGNEES);
  const same = async (expected: { cards: number; outcome: string; reason: unknown }) => {
    const { outcome, reason } = expected;
    expect(await logged(rule.id)).toEqual({ outcome, reason });
    expect(await triedNewest(TO_ASSIGNEES)).toEqual(expected);
  };
  await pipeline.edit(GOLEM, { Status: 'In progress' }, 'jonas');
  await same({ cards: 0, outcome: 'skipped', reason: NOBODY_LINKED });

  await assign('mira');
  await pipeline.edit(GOLEM, { Status: 'In review' }, 'jonas');
  await same({ cards: 0, outcome: 'skipped', reason: NOT_ASKED_FOR });

  // Now that she has said yes, both changes would have been told, but not what she does herself.
  await choose(MIRA, { notify: 'on' });
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await same({ cards: 2, outcome: 'skipped', reason: THEMSELVES });
});

test('a rule to one person is held to what they have chosen by now', async () => {
  await pipeline.edit(GOLEM, { Status: 'Done' }, 'jonas');
  expect(await triedNewest(TO_MIRA)).toEqual({ cards: 0, outcome: 'skipped', reason: NOT_ASKED_FOR });
  await choose(MIRA, { notify: 'on', inboxClosedAt: new Date() });
  expect(await triedNewest(TO_MIRA)).toEqual({ cards: 0, outcome: 'skipped', reason: INBOX_CLOSED });
  await choose(MIRA, { notify: 'digest', inboxClosedAt: null });
  expect(await triedNewest(TO_MIRA)).toEqual({ cards: 1, outcome: 'posted', reason: null });
  await pipeline.edit(GOLEM, { Status: 'Backlog' });
  expect(await triedNewest(TO_MIRA)).toEqual({ cards: 1, outcome: 'skipped', reason: THEMSELVES });
});

test('whom a page concerns that is gone is not known, unless the rule names the person', async () => {
  await choose(MIRA, { notify: 'on' });
  const made = {
    database: 'Sprint board',
    as: 'jonas',
    properties: { Name: 'Fog bell', Assignee: ['mira'] },
  };
  await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', made));
  const where = { page: 'Fog bell', database: 'Sprint board', as: 'jonas' };
  await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows/trash', where));
  const deleted = { eventType: 'page_deleted', watchedProperties: [] };
  expect(await triedNewest({ ...TO_ASSIGNEES, ...deleted })).toEqual({
    cards: 0,
    outcome: 'unknown',
    reason: 'The page is in the trash, was moved, or is no longer shared: whom it concerns is not known.',
  });
  expect(await triedNewest({ ...TO_MIRA, ...deleted })).toMatchObject({ cards: 1, outcome: 'posted' });
});

test('a clock reminds nobody who is not on the page or has not said yes', async () => {
  const [tomorrow] = new Date(Date.now() + DAY_MS).toISOString().split('T');
  await assign('mira');
  await pipeline.edit(GOLEM, { 'Due date': tomorrow });
  const byClock = { watchedProperties: [], eventType: 'date_near' };
  const near = { ...byClock, schedule: { propertyId: 'Due date', days: 1, at: '00:00' } };
  const ofGolem = async (terms: Record<string, unknown>) =>
    (await tried({ ...near, ...terms })).items.find(({ title }: { title: string }) => title === GOLEM);
  const summary = { ...byClock, eventType: 'summary', schedule: { every: 'day', at: '00:00' } };
  const skipped = { outcome: 'skipped', reason: NOT_ASKED_FOR };
  expect(await ofGolem(TO_ASSIGNEES)).toMatchObject(skipped);
  expect(await ofGolem(TO_MIRA)).toMatchObject(skipped);
  expect(await triedNewest({ ...summary, ...TO_MIRA })).toMatchObject({ ...skipped, cards: 0 });
  await choose(MIRA, { notify: 'on' });
  expect(await ofGolem(TO_ASSIGNEES)).toMatchObject({ outcome: 'posted', reason: null });
  expect(await triedNewest({ ...summary, ...TO_MIRA })).toMatchObject({ cards: 7, outcome: 'posted' });
  await assign();
  expect(await ofGolem(TO_ASSIGNEES)).toMatchObject({ outcome: 'skipped', reason: NOBODY_LINKED });
});
