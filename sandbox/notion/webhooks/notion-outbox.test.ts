import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyWebhookSignature } from '@notionhq/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NotionWorld } from '../notion-world';
import { connect, type NotionStage, startNotion, type TokenAnswer } from '../start-notion';
import { webhookSignature } from './webhook-signature';

const GOLEM = 'Boss fight: ember golem';
let stage: NotionStage;
let tokens: TokenAnswer;

beforeAll(async () => {
  stage = await startNotion();
});
afterAll(() => stage.stop());
beforeEach(async () => {
  stage.store.reset();
  stage.faults.clear();
  stage.received.length = 0;
  stage.answers.length = 0;
  tokens = await connect(stage, 'mira', ['Sprint board']);
  await stage.control('PATCH', '/settings', { aggregationMs: 30, retryBaseMs: 10 });
});

const edit = (properties: unknown, page = GOLEM, as = 'jonas') =>
  stage.control<{ id: string }>('PATCH', '/rows', { page, as, properties });
const webhooks = async (count: number) => {
  await expect.poll(() => stage.received.length, { interval: 5 }).toBeGreaterThanOrEqual(count);
  return stage.received;
};
const untold = async () => (await stage.control<{ untold: number }>('GET', '/untold')).untold;
/** Waits until everything is told, and long enough for anything else to arrive. */
const quiet = async () => {
  await expect.poll(untold).toBe(0);
  await sleep(120);
};
const types = () => stage.received.map((each) => each.event.type);
const fault = (kind: 'drop' | 'duplicate' | 'delay' | 'reorder' | 'fail', times = 1) =>
  stage.faults.add({ target: 'notion.webhook', kind, times, status: 500, delayMs: 150 });

test('the signature matches Notion’s published example', () => {
  const secret = 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl';
  expect(webhookSignature(`{"verification_token":"${secret}"}`, secret)).toBe(
    'sha256=461e8cbcba8a75c3edd866f0e71280f5a85cbf21eff040ebd10fe266df38a735',
  );
});

test('an edit becomes a signed event in the real envelope', async () => {
  const { id } = await edit({ Status: 'Done' });
  const [first] = await webhooks(1);
  expect(first?.event).toMatchObject({
    type: 'page.properties_updated',
    workspace_id: tokens.workspace_id,
    workspace_name: 'Lantern Works',
    authors: [{ id: '5b1f0c3a-1111-4d0e-9a01-000000000102', type: 'person' }],
    accessible_by: [{ id: tokens.bot_id, type: 'bot' }],
    attempt_number: 1,
    api_version: '2026-03-11',
    entity: { id, type: 'page' },
    data: { parent: { type: 'database' }, updated_properties: ['Z%3ClH'] },
  });
  const verificationToken = stage.context.credentials.notion.webhookToken;
  const { body, signature } = first ?? { body: '', signature: '' };
  expect(await verifyWebhookSignature({ body, signature, verificationToken })).toBe(true);
});

test('every bot that sees the page is named; nothing is sent about a page that none sees', async () => {
  const jonas = await connect(stage, 'jonas', ['Sprint board', 'Bug reports']);
  await edit({ Estimate: 9 });
  const [first] = await webhooks(1);
  expect(first?.event['accessible_by']).toEqual([
    { id: tokens.bot_id, type: 'bot' },
    { id: jonas.bot_id, type: 'bot' },
  ]);
  await edit({ Public: false }, 'The storm update');
  await edit({ Version: '0.14.9' }, 'The storm update');
  await quiet();
  expect(stage.received).toHaveLength(1);
});

test('edits within one window are one event, even if they cancel out', async () => {
  await stage.control('PATCH', '/settings', { aggregationMs: 3000 });
  await edit({ Status: 'Done' });
  await edit({ Status: 'In progress' });
  await edit({ Estimate: 3 }, GOLEM, 'priya');
  const [first] = await webhooks(1);
  await quiet();
  expect(stage.received).toHaveLength(1);
  expect(first?.event['data']).toMatchObject({ updated_properties: ['Z%3ClH', 'N_ji'] });
  expect(first?.event['authors']).toHaveLength(2);
});

test('writing the present value sends nothing', async () => {
  await edit({ Status: 'In progress' });
  await quiet();
  expect(stage.received).toHaveLength(0);
});

test('creating and filling in within one window is one page.created; creating and trashing sends nothing', async () => {
  await stage.control('PATCH', '/settings', { aggregationMs: 3000 });
  const { id } = await stage.control<{ id: string }>('POST', '/rows', { database: 'Sprint board' });
  await edit({ Name: 'Ember moth', Status: 'Done' }, id);
  const short = await stage.control<{ id: string }>('POST', '/rows', { database: 'Sprint board' });
  await stage.control('POST', '/rows/trash', { page: short.id });
  await quiet();
  expect(types()).toEqual(['page.created']);
});

test('trash, restore, text and columns have events of their own', async () => {
  const { id } = await stage.control<{ id: string }>('POST', '/rows/trash', { page: GOLEM });
  await webhooks(1);
  await stage.control('POST', '/rows/restore', { page: id });
  await webhooks(2);
  await stage.control('PATCH', '/rows', { page: id, body: 'A new first line.' });
  await webhooks(3);
  const rename = { action: 'rename property', property: 'Status', name: 'Stage' };
  await stage.control('POST', '/databases/schema', { database: 'Sprint board', edit: rename });
  await webhooks(4);
  expect(types()).toEqual([
    'page.deleted',
    'page.undeleted',
    'page.content_updated',
    'data_source.schema_updated',
  ]);
  expect(stage.received[3]?.event).toMatchObject({
    entity: { type: 'data_source' },
    data: { updated_properties: [{ id: 'Z%3ClH', name: 'Stage', action: 'updated' }] },
  });
});

test('a comment and a suggested edit are told at once, without their text', async () => {
  const comment = { page: GOLEM, as: 'jonas', text: 'Look at this, @Priya Raman' };
  const { id, rowId } = await stage.control<{ id: string; rowId: string }>('POST', '/comments', comment);
  await webhooks(1);
  const suggested = await stage.control<{ id: string }>('POST', '/comments', {
    page: GOLEM,
    isSuggestion: true,
  });
  await webhooks(2);
  expect(types()).toEqual(['comment.created', 'comment.created']);
  expect(stage.received[0]?.event).toMatchObject({
    entity: { id, type: 'comment' },
    authors: [{ type: 'person' }],
    data: { page_id: rowId, parent: { id: rowId, type: 'page' } },
  });
  expect(stage.received[0]?.body).not.toContain('Look');
  const ask = (comment_id: string) => stage.client(tokens.access_token).comments.retrieve({ comment_id });
  expect(await ask(id)).toMatchObject({
    rich_text: [{ plain_text: 'Look at this, ' }, { mention: { type: 'user' } }],
  });
  await expect(ask(suggested.id)).rejects.toMatchObject({ status: 404 });
});

test('without the capability, comments are neither told nor read', async () => {
  const read = await stage.control<{ id: string; rowId: string }>('POST', '/comments', {
    page: GOLEM,
    text: 'Hi',
  });
  await webhooks(1);
  await stage.control('PATCH', '/settings', { capabilities: ['read_content', 'insert_comments'] });
  await stage.control('POST', '/comments', { page: GOLEM, text: 'Unheard' });
  await quiet();
  expect(stage.received).toHaveLength(1);
  const { comments } = stage.client(tokens.access_token);
  const refused = { status: 403, code: 'restricted_resource' };
  await expect(comments.retrieve({ comment_id: read.id })).rejects.toMatchObject(refused);
  await expect(comments.list({ block_id: read.rowId })).rejects.toMatchObject(refused);
  const text = [{ text: { content: 'From the bot' } }];
  const written = await comments.create({ parent: { page_id: read.rowId }, rich_text: text });
  expect(Object.keys(written)).toEqual(['object', 'id']);
  await stage.control('PATCH', '/settings', { capabilities: ['read_content', 'read_comments'] });
  expect((await comments.list({ block_id: read.rowId })).results).toHaveLength(3);
});

test('a title edit is a property or, when switched, content', async () => {
  await edit({ Name: 'Boss fight: ash golem' });
  await webhooks(1);
  await stage.control('PATCH', '/settings', { titleEvents: 'content' });
  await edit({ Name: GOLEM }, 'Boss fight: ash golem');
  await webhooks(2);
  expect(stage.received[0]?.event['data']).toMatchObject({ updated_properties: ['title'] });
  expect(types()).toEqual(['page.properties_updated', 'page.content_updated']);
});

test('the author of a write through the API is the bot', async () => {
  const [row] = await stage.control<{ id: string }[]>('GET', '/rows?database=Sprint%20board');
  const properties = { Status: { status: { name: 'Done' } } };
  await stage.client(tokens.access_token).pages.update({ page_id: row?.id ?? '', properties });
  const [first] = await webhooks(1);
  expect(first?.event['authors']).toEqual([{ id: tokens.bot_id, type: 'bot' }]);
});

test('a failed delivery is repeated under the same id, up to eight attempts', async () => {
  stage.answers.push(...Array.from({ length: 8 }, () => 503));
  await stage.control('PATCH', '/settings', { retryBaseMs: 1 });
  await edit({ Status: 'Done' });
  await webhooks(8);
  await quiet();
  expect(stage.received.map((each) => each.event.attempt_number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(new Set(stage.received.map((each) => each.event.id)).size).toBe(1);
  const [event] = await stage.control<{ id: string; state: string }[]>('GET', '/events');
  expect(event?.state).toBe('failed');
  await stage.control('POST', `/events/${event?.id}/redeliver`);
  await webhooks(9);
  expect(stage.received[8]?.event).toMatchObject({ id: event?.id, attempt_number: 1 });
});

test('the queue survives a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'notion-'));
  const storePath = join(folder, 'store.json');
  const before = await startNotion(storePath);
  await connect(before, 'mira', ['Sprint board']);
  await before.control('PATCH', '/settings', { aggregationMs: 0, retryBaseMs: 60_000 });
  before.answers.push(500);
  await before.control('PATCH', '/rows', { page: GOLEM, properties: { Status: 'Done' } });
  await expect.poll(() => before.received.length).toBe(1);
  const states = async () =>
    (await before.control<{ state: string }[]>('GET', '/events')).map(({ state }) => state);
  await expect.poll(states).toEqual(['waiting']);
  // The minute ends while nothing runs.
  for (const event of new NotionWorld(before.context).state.events) event.dueAtMs = 0;
  before.store.flush();
  await before.stop();

  const after = await startNotion(storePath);
  await expect.poll(() => after.received.length).toBe(1);
  expect(after.received[0]?.event).toMatchObject({ id: before.received[0]?.event.id, attempt_number: 2 });
  await after.stop();
  for (const { store } of [before, after]) {
    store.reset();
    store.flush();
  }
  rmSync(folder, { recursive: true });
});

test('active faults drop, duplicate, delay and reorder', async () => {
  fault('drop');
  await edit({ Estimate: 1 });
  await quiet();
  expect(stage.received).toHaveLength(0);

  fault('duplicate');
  await edit({ Estimate: 2 });
  await webhooks(2);
  expect(stage.received[1]?.body).toBe(stage.received[0]?.body);

  fault('delay');
  const started = Date.now();
  await edit({ Estimate: 3 });
  await webhooks(3);
  expect(Date.now() - started).toBeGreaterThanOrEqual(150);

  fault('reorder');
  await edit({ Estimate: 4 });
  await quiet();
  expect(stage.received).toHaveLength(3);
  await edit({ Estimate: 5 }, 'Dodge window tuning');
  await webhooks(5);
  const [later, held] = stage.received.slice(3).map((each) => String(each.event['timestamp']));
  expect(Date.parse(held ?? '')).toBeLessThan(Date.parse(later ?? ''));

  fault('fail');
  await edit({ Estimate: 6 });
  await webhooks(6);
  expect(stage.received[5]?.event.attempt_number).toBe(2);
});

test('events that happen while the subscription is paused are never sent', async () => {
  await stage.control('PATCH', '/settings', { webhooksPaused: true });
  await edit({ Estimate: 1 });
  await quiet();
  await stage.control('PATCH', '/settings', { webhooksPaused: false });
  await edit({ Estimate: 2 });
  await webhooks(1);
  await quiet();
  expect(stage.received).toHaveLength(1);
});

test('renaming, trashing and restoring a database have events of their own', async () => {
  const change = (body: object) =>
    stage.control('PATCH', '/databases', { database: 'Sprint board', ...body });
  await change({ name: 'Race board' });
  await webhooks(1);
  await stage.control('PATCH', '/databases', { database: 'Race board', name: 'Sprint board' });
  await webhooks(2);
  await change({ inTrash: true });
  await webhooks(3);
  await change({ inTrash: false });
  await webhooks(4);
  expect(types().slice(1)).toEqual([
    'data_source.content_updated',
    'data_source.deleted',
    'data_source.undeleted',
  ]);
});

test('a flood gives each change its own event', async () => {
  await stage.control('POST', '/flood', { database: 'Sprint board', count: 50, separate: true });
  await webhooks(50);
  expect(new Set(stage.received.map((each) => each.event.id)).size).toBe(50);
});

test('a reset empties the queue and restores the initial state', async () => {
  await stage.control('PATCH', '/settings', { aggregationMs: 60_000 });
  await edit({ Status: 'Done' });
  expect(await untold()).toBe(1);
  stage.store.reset();
  expect(await untold()).toBe(0);
  expect(stage.received).toHaveLength(0);
  const rows = await stage.control<{ title: string; properties: Record<string, unknown> }[]>(
    'GET',
    '/rows?database=Sprint%20board',
  );
  expect(rows.find((each) => each.title === GOLEM)?.properties['Status']).toBe('In progress');
});
