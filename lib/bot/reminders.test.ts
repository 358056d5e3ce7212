import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { reminderActions } from '@/lib/features/cards/reminder-actions';
import { openConversation } from '@/lib/integrations/discord/discord-direct';
import { sendMessage } from '@/lib/integrations/discord/discord-messages';
import { CardStory } from '@/lib/testing/card-story';
import { Chatter, controlsOf, type ShownMessage } from '@/lib/testing/chat';
import { eventually } from '@/lib/testing/product';
import { readNotionAnew } from '@/lib/testing/read-notion-anew';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';
import { runUpkeep } from '@/lib/worker/upkeep';

// Where it is another day than in UTC, which does not end within the hour.
const ZONE = new Date().getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
let story: CardStory;
let mira: Chatter;
let accountId: string;
let ruleId: string;
let nonce = 0;

beforeAll(async () => {
  story = await CardStory.start();
  ({ mira } = story);
  ({ id: accountId } = await db().account.findFirstOrThrow({ where: { discordUserId: mira.userId } }));
  const preferences = { timeZone: ZONE, quietHours: null, language: 'en' };
  await story.product.call('mira', 'PUT', '/api/app/preferences', preferences);
});
afterAll(() => story.product.stop());
beforeEach(async () => {
  story.product.sandbox.context.faults.clear();
  const { board, channel, property } = story.connected;
  const made = await story.product.call('mira', 'POST', '/api/app/rules', {
    databaseId: board.dataSourceId,
    eventType: 'date_near',
    channelId: channel('tasks'),
    watchedProperties: [],
    displayedFields: [],
    statusTo: [],
    schedule: { propertyId: property('Due date'), days: 1, at: '09:00' },
  });
  expect(made.body).toMatchObject({ eventType: 'date_near' });
  ruleId = made.body.id;
  return async () => {
    await story.product.call('mira', 'DELETE', `/api/app/rules/${ruleId}`);
  };
});

/** The date in this many days, in the account's time zone. */
const dayIn = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv-SE', { timeZone: ZONE });

/** Makes a task, and posts a card that reminds of it in a channel that the person sees. */
async function remind(
  title: string,
  properties: object,
  channelId = mira.channelId,
  propertyId = story.connected.property('Due date'),
): Promise<ShownMessage> {
  const row = { database: story.connected.board.id, properties: { Name: title, ...properties } };
  const { id: pageId } = await story.product.control('notion', 'POST', '/rows', row);
  await story.idle();
  const components = [reminderActions({ ruleId, pageId, propertyId, canComplete: true })];
  nonce += 1;
  const card = { content: `${title} is due`, components, nonce: `reminder-${nonce}` };
  const { messageId } = await sendMessage(channelId, card, { accountId });
  const { messages } = await story.product.control('discord', 'GET', `/channels/${channelId}/messages`);
  return messages.find(({ id }: ShownMessage) => id === messageId);
}

const edit = (page: string, properties: object) =>
  story.product.control('notion', 'PATCH', '/rows', { page, as: 'jonas', properties });

async function pressed(message: ShownMessage, label: string, by = mira): Promise<ShownMessage> {
  expect((await by.press(message, label)).error).toBeUndefined();
  return by.answer();
}

/** The text after pressing Undo, which replaces the answer. */
async function undone(answer: ShownMessage, by = mira): Promise<ShownMessage> {
  await by.press(answer, 'Undo');
  return by.answer(({ content }) => content !== answer.content);
}

test('Done sets the first status for finished work, once, and can be undone, once', async () => {
  const card = await remind('Finish me', { Status: 'In review' });
  const answer = await pressed(card, 'Done');
  expect(answer.content).toMatch(/^Status of \[Finish me\]\(http.*\) is now Done\.$/);
  expect(answer.ephemeralFor).toBe(mira.userId);
  expect((await story.row('Finish me'))?.['Status']).toBe('Done');
  // The pipeline knows for whom the bot wrote.
  const [write] = await db().pageWrite.findMany({ orderBy: { at: 'desc' }, take: 1 });
  expect(write).toMatchObject({ discordUserId: mira.userId, channelId: mira.channelId });
  expect(write?.writtenAt).not.toBeNull();

  const again = await pressed(card, 'Done');
  expect(again.content).toMatch(/is already Done\.$/);
  expect(controlsOf(again)).toEqual([]);

  const undo = controlsOf(answer)[0];
  await mira.press(answer, 'Undo');
  const after = await eventually(async () => {
    const found = (await mira.everything()).find(({ id }) => id === answer.id);
    return found?.content !== answer.content && found;
  });
  expect(after.content).toMatch(/^Undone: Status of \[Finish me\]\(http.*\) is In review again\.$/);
  expect(controlsOf(after)).toEqual([]);
  expect((await story.row('Finish me'))?.['Status']).toBe('In review');
  const { guild } = story.connected;
  const late = { type: 3, id: '77001', token: 'x', guild_id: guild.id, channel_id: mira.channelId };
  const send = async (userId: string, id: string) => {
    const member = { user: { id: userId, username: 'x' } };
    const body = { ...late, id, member, data: { custom_id: undo?.custom_id } };
    return (await postToDiscordDoor(story.product, JSON.stringify(body))).json();
  };
  // Nobody else sees that button, and its id alone does not help them.
  expect((await send(story.jonas.userId, '77002')).data.content).toMatch(/^This can no longer be undone/);
  await edit('Finish me', { Status: 'Done' });
  expect((await send(mira.userId, '77003')).type).toBe(6);
  await story.idle();
  expect((await story.row('Finish me'))?.['Status']).toBe('Done');
});

test.each([
  ['a day', { start: '2026-01-31' }, 'Tomorrow', { start: dayIn(1), end: null, time_zone: null }],
  [
    'times in a time zone',
    { start: '2026-02-03T09:30:00', end: '2026-02-04T17:00:00', time_zone: 'Europe/Berlin' },
    'Next week',
    { start: `${dayIn(7)}T09:30:00`, end: `${dayIn(8)}T17:00:00`, time_zone: 'Europe/Berlin' },
  ],
])('a direct message moves %s, and back', async (what, before, label, after) => {
  const channelId = await openConversation(accountId, mira.userId, () => 60_000);
  const there = new Chatter(story.product, 'mira', channelId);
  const title = `Move ${what}`;
  const card = await remind(title, { 'Due date': before }, channelId);
  const answer = await pressed(card, label, there);
  expect(answer.content).toMatch(/^Due date of \[Move .*\]\(http.*\) is now ([A-Z].* \d{4}|<t:\d+:f>.*)\.$/);
  expect((await story.row(title))?.['Due date']).toEqual(after);
  await undone(answer, there);
  expect((await story.row(title))?.['Due date']).toEqual({ end: null, time_zone: null, ...before });
});

test('what somebody has changed since is left as it is', async () => {
  const card = await remind('Changed since', { Status: 'Backlog' });
  const answer = await pressed(card, 'Done');
  await edit('Changed since', { Status: 'Cut' });
  expect((await undone(answer)).content).toMatch(
    /^Somebody has changed it in Notion since\. Nothing was undone\./,
  );
  expect((await story.row('Changed since'))?.['Status']).toBe('Cut');
});

test('nobody is told that nothing was undone when it may have been, before somebody changed it', async () => {
  const answer = await pressed(await remind('Undone and changed', { Status: 'Backlog' }), 'Done');
  const lost = { target: 'notion', kind: 'hangup', match: '^PATCH /v1/pages/' } as const;
  story.product.sandbox.context.faults.add({ ...lost, times: 1, status: 500, delayMs: 0 });
  await mira.press(answer, 'Undo');
  await expect.poll(async () => (await story.row('Undone and changed'))?.['Status']).toBe('Backlog');
  await edit('Undone and changed', { Status: 'Cut' });
  const after = await mira.answer(({ content }) => content !== answer.content);
  expect(after.content).toMatch(/^Somebody else changed this in Notion at the same moment\. It stays/);
  expect(controlsOf(after)).toEqual([]);
  expect((await story.row('Undone and changed'))?.['Status']).toBe('Cut');
});

test('nothing can be undone after an hour, and what is needed for it is forgotten in the night', async () => {
  const answer = await pressed(await remind('An hour ago', { Status: 'Backlog' }), 'Done');
  await db().$executeRaw`update kept_change set at = at - interval '61 minutes'`;
  await mira.press(answer, 'Undo');
  expect((await mira.answer()).content).toBe('This can no longer be undone. Undo works for an hour.');
  expect((await story.row('An hour ago'))?.['Status']).toBe('Done');
  await runUpkeep();
  expect(await db().keptChange.count()).toBe(0);
});

describe('a press whose change is made although the answer is lost', () => {
  test.each([
    ['of Notion', { kind: 'hangup', match: '^PATCH /v1/pages/' }],
    ['of Notion, whose shape is unknown,', { kind: 'reshape', match: '^PATCH /v1/pages/' }],
    ['of Notion, which is down then', { kind: 'hangup', status: 503, match: '^PATCH /v1/pages/' }],
  ] as const)('%s tells it once, and undoes it to what was before', async (what, fault) => {
    const title = `Lost ${what}`;
    const card = await remind(title, { Status: 'Playtesting' });
    const common = { target: 'notion', times: 1, status: 500, delayMs: 0 } as const;
    story.product.sandbox.context.faults.add({ ...common, ...fault });
    const answer = await pressed(card, 'Done');
    expect(answer.content).toMatch(/is now Done\.$/);
    expect((await undone(answer)).content).toMatch(/is Playtesting again\.$/);
    expect((await story.row(title))?.['Status']).toBe('Playtesting');
  });
});

describe('a press that changes nothing says why', () => {
  test('to somebody who is not linked, and to somebody of another account', async () => {
    const card = await remind('Not yours', { Status: 'Backlog' });
    expect((await pressed(card, 'Done', story.jonas)).content).toMatch(
      /^You are not linked to a Notion user yet/,
    );
    const there = await remind('Not theirs', { Status: 'Backlog' }, story.vera.channelId);
    expect((await pressed(there, 'Done', story.vera)).content).toMatch(
      /^The rule of this reminder was deleted/,
    );
    expect((await story.row('Not theirs'))?.['Status']).toBe('Backlog');
  });

  test('when the page, the date or the rule is gone', async () => {
    const card = await remind('All gone', { Status: 'Backlog' }, mira.channelId, 'gone');
    await db().rule.update({
      where: { id: ruleId },
      data: { schedule: { propertyId: 'gone', days: 1, at: '09:00' } },
    });
    expect((await pressed(card, 'Tomorrow')).content).toMatch(
      /^The date that this reminder is about no longer/,
    );
    await story.product.control('notion', 'POST', '/rows/trash', { page: 'All gone' });
    expect((await pressed(card, 'Done')).content).toMatch(/^That page is in the trash/);
    await db().rule.delete({ where: { id: ruleId } });
    expect((await pressed(card, 'Next week')).content).toMatch(/^The rule of this reminder was deleted/);
  });

  test('when the rule reminds of another date of the page', async () => {
    const { dataSourceId } = story.connected.board;
    const edit = { action: 'add property', name: 'Review on', type: 'date' };
    await story.product.control('notion', 'POST', '/databases/schema', { database: 'Sprint board', edit });
    await readNotionAnew();
    const path = `/api/app/notion/databases/${dataSourceId}/properties`;
    const { properties } = (await story.product.call('mira', 'GET', path)).body;
    const review = properties.find(({ name }: { name: string }) => name === 'Review on').id;
    const dates = { 'Due date': '2026-01-31', 'Review on': '2026-02-28' };
    const card = await remind('Two dates', { Status: 'Backlog', ...dates });
    await db().rule.update({
      where: { id: ruleId },
      data: { schedule: { propertyId: review, days: 1, at: '09:00' } },
    });
    for (const label of ['Tomorrow', 'Next week']) {
      expect((await pressed(card, label)).content).toMatch(
        /^The rule of this reminder was deleted, or no longer reminds of this date\. Nothing was changed\./,
      );
    }
    expect(await story.row('Two dates')).toMatchObject({
      'Due date': { start: '2026-01-31' },
      'Review on': { start: '2026-02-28' },
    });
    expect((await pressed(card, 'Done')).content).toMatch(/is now Done\.$/);
  });

  test('when the rule reminds of dates in another database', async () => {
    const card = await remind('Left to itself', { Status: 'Backlog' });
    const bugs = (await story.product.databases()).get('Bug reports');
    const share = { person: 'mira', database: bugs?.id };
    await story.product.control('notion', 'POST', '/authorizations/share', share);
    await readNotionAnew();
    await story.product.call('mira', 'GET', '/api/app/notion/workspace');
    await db().rule.update({ where: { id: ruleId }, data: { databaseId: bugs?.dataSourceId ?? '' } });
    expect((await pressed(card, 'Done')).content).toMatch(
      /^The rule of this reminder was deleted, or no longer reminds of this date\./,
    );
    expect((await story.row('Left to itself'))?.['Status']).toBe('Backlog');
  });
});
