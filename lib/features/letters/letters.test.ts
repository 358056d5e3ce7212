import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, transaction } from '@/lib/db/database';
import { Chatter, controlsOf, type ShownMessage } from '@/lib/testing/chat';
import { DigestSteps, pagesOf, preferences, quietNow } from '@/lib/testing/digest-steps';
import { YESTERDAY } from '@/lib/testing/log-entries';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { untilBlocked } from '@/lib/testing/while-locked';
import { MINUTE_MS } from '@/lib/time';
import { PEOPLE } from '../../../sandbox/people';
import { sealMessage } from '../messages/sealed-body';
import { gatherLetters } from './gather-letters';
import { notifySettingByButton } from './notify-setting';

const GOLEM = 'Boss fight: ember golem';
const [MIRA, JONAS] = PEOPLE.map(({ discordId }) => discordId) as [string, string, string];
const ASSIGNEE = 'a%5Bbc';
const TO_ASSIGNEES = {
  channelId: null,
  destination: { kind: 'people', propertyId: 'Assignee' },
} as const;
const TO_JONAS = { channelId: null, destination: { kind: 'person', discordUserId: JONAS } } as const;
const TO_MIRA = { channelId: null, destination: { kind: 'person', discordUserId: MIRA } } as const;

let pipeline: Pipeline;
let due: DigestSteps;
const told = new Map<string, number>();

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  due = new DigestSteps(pipeline);
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.idle();
  await pipeline.clear();
  await preferences(pipeline, {});
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await assign();
  await pipeline.clear();
  await db().accountLink.deleteMany({ where: { discordUserId: JONAS } });
  await linkJonas();
  for (const id of [MIRA, JONAS]) {
    told.set(id, (await letters(id, 0)).length);
    await control('PUT', `/inboxes/${id}`, { isClosed: false });
    await control('PUT', `/guilds/${pipeline.story.guild.id}/members/${id}`, {});
  }
  const off = { inboxProblem: null, inboxClosedAt: null, memberSeenAt: null, digestDueAt: null };
  await db().accountLink.updateMany({ data: { notify: 'off', ...off } });
});

const control = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.control('discord', method, path, body);
const call = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.call('mira', method, path, body);
/** What the bot has written to a person since the test began. */
async function letters(id: string, since = told.get(id) ?? 0): Promise<ShownMessage[]> {
  const { messages }: { messages: ShownMessage[] } = await control('GET', `/direct-messages/${id}`);
  return messages.filter(({ ephemeralFor }) => ephemeralFor === null).slice(since);
}
const textsTo = async (id: string) => (await letters(id)).map(({ content }) => content);
const log = async (ruleId: string) =>
  (await call('GET', `/api/app/rules/${ruleId}/deliveries`)).body.deliveries;
const used = async () => (await call('GET', '/api/app/me')).body.subscription.notificationsUsed;
const notify = (mode: 'on' | 'off' | 'digest', ...ids: string[]) =>
  db().accountLink.updateMany({ where: { discordUserId: { in: ids } }, data: { notify: mode } });

async function linkJonas(): Promise<void> {
  const { accountId } = await db().accountLink.findFirstOrThrow({ where: { discordUserId: MIRA } });
  const notionUserId = PEOPLE[1]?.notionId ?? '';
  await db().accountLink.create({
    data: { accountId, discordUserId: JONAS, notionUserId, notionDisplayName: 'Jonas Brandt' },
  });
}

/** Assigns these people to the page, before anything else happens. */
async function assign(...people: string[]): Promise<void> {
  const [row] = (
    await pipeline.story.product.control('notion', 'GET', '/rows?database=Sprint%20board')
  ).filter(({ title }: { title: string }) => title === GOLEM);
  const now = row.properties.Assignee as string[];
  if (now.length === 0 && people.length === 0) return;
  await pipeline.edit(GOLEM, { Assignee: people });
  await pipeline.idle();
}

async function edit(status: string, as = 'mira'): Promise<void> {
  await pipeline.edit(GOLEM, { Status: status }, as);
  await pipeline.idle();
}

test('a letter that waits when its rule is switched off is not sent', async () => {
  await notify('on', MIRA);
  const rule = await pipeline.rule(TO_MIRA);
  const fault = { target: 'discord', match: 'GET .*/members/.*', kind: 'fail', status: 503 } as const;
  pipeline.fault({ ...fault, times: 0 });
  await pipeline.edit(GOLEM, { Status: 'In progress' }, 'jonas');
  await eventually(async () => (await db().message.count({ where: { attempts: { gt: 0 } } })) > 0);
  await call('PUT', `/api/app/rules/${rule.id}`, { enabled: false });
  pipeline.story.product.sandbox.context.faults.clear();
  await pipeline.idle();
  expect(await textsTo(MIRA)).toEqual([]);
  const [entry] = await log(rule.id);
  expect(entry).toMatchObject({ state: 'skipped', reasonCode: 'rule_off' });
  expect(entry.people).toMatchObject([{ reason: 'The rule was switched off before it was sent.' }]);
});

test('those who stand in a property are told once they have said yes, and never of what they did', async () => {
  await assign('mira', 'jonas');
  const rule = await pipeline.rule(TO_ASSIGNEES);
  expect(rule).toMatchObject({
    channelId: null,
    channelName: null,
    destination: { kind: 'people', propertyId: ASSIGNEE },
    place: 'whoever is in Assignee',
    health: { state: 'blocked', reason: 'Nobody who is linked has said yes to direct messages.' },
  });

  await edit('In progress');
  expect([await textsTo(MIRA), await textsTo(JONAS)]).toEqual([[], []]);
  const [unasked] = await log(rule.id);
  expect(unasked).toMatchObject({ state: 'skipped', reasonCode: 'not_asked_for', channelId: null });
  expect(unasked.people).toEqual([
    { name: 'Jonas Brandt', state: 'skipped', reason: 'Has not said yes to direct messages.' },
  ]);

  // The command answers with the person's choice, and a button for each other one.
  const jonas = new Chatter(pipeline.story.product, 'jonas', pipeline.story.channel('tasks'));
  await jonas.run('notify');
  const state = await jonas.answer();
  expect(controlsOf(state).map(({ label }) => label)).toEqual(['Write to me', 'Once each morning']);
  await jonas.press(state, 'Write to me');
  await jonas.answer(({ content }) => content === 'Pagewire writes to you about pages that concern you.');
  await notify('on', MIRA);

  await edit('Done');
  expect(await textsTo(MIRA)).toEqual([]);
  const [message, ...more] = await letters(JONAS);
  expect(more).toEqual([]);
  expect(message?.content).toBe(`Mira Castellan changed Status of ${GOLEM} to Done`);
  expect(controlsOf(message as ShownMessage).map(({ label }) => label)).toEqual([
    'Open in Notion',
    'Stop these messages',
  ]);
  expect(await used()).toBe(1);
  const [sent] = await log(rule.id);
  expect(sent).toMatchObject({ state: 'sent', place: 'whoever is in Assignee', canResend: false });
  expect(sent.people).toEqual([{ name: 'Jonas Brandt', state: 'sent', reason: null }]);
  const { items } = (await call('GET', '/api/app/activity')).body;
  expect(items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['posted', 'skipped']);
  expect(items[0]).toMatchObject({ channelName: null, place: 'whoever is in Assignee' });

  // Only Mira is assigned now, and she made the change herself.
  await assign('mira');
  await edit('Backlog');
  expect((await log(rule.id))[0]).toMatchObject({ state: 'skipped', reasonCode: 'by_themselves' });
});

test('a new page is told once it has settled, and what nobody reported comes as one message', async () => {
  await notify('on', MIRA);
  const rule = await pipeline.rule({ ...TO_MIRA, eventType: 'page_created', watchedProperties: [] });
  const properties = { Name: 'Fog bell', Status: 'Backlog' };
  const made = { database: 'Sprint board', as: 'jonas', properties };
  await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', made));
  await pipeline.settle();
  expect(await textsTo(MIRA)).toEqual(['Jonas Brandt created Fog bell']);
  await call('DELETE', `/api/app/rules/${rule.id}`);

  const missed = new MissedChanges(pipeline);
  await notify('on', JONAS);
  const toJonas = { ...TO_MIRA, destination: { kind: 'person', discordUserId: JONAS } };
  const watching = await pipeline.rule(toJonas);
  await missed.lookedAt(180);
  await missed.edit(GOLEM, { Status: 'Done' }, 170);
  await missed.edit('Fog bell', { Status: 'Done' }, 160);
  await missed.pass();
  await due.run();
  expect(await textsTo(JONAS)).toEqual(['News of 2 pages that concern you']);
  expect((await log(watching.id)).map(({ state }: { state: string }) => state)).toEqual(['sent', 'sent']);
});

test('once nobody is linked for whom a rule is, the log says so', async () => {
  await assign('jonas');
  const rules = [
    await pipeline.rule({ ...TO_MIRA, destination: { kind: 'person', discordUserId: JONAS } }),
    await pipeline.rule(TO_ASSIGNEES),
  ];
  await db().accountLink.deleteMany({ where: { discordUserId: JONAS } });
  await edit('Done');
  for (const { id } of rules) {
    expect((await log(id))[0]).toMatchObject({
      state: 'skipped',
      reason: 'Nobody whom it is for is linked to a Discord user.',
    });
  }
});

test('the button under a message stops them, for that person and account alone', async () => {
  await notify('on', MIRA);
  await pipeline.rule(TO_MIRA);
  await edit('Done', 'jonas');
  const [message] = await letters(MIRA);
  expect(message?.content).toContain('Jonas Brandt changed Status');
  const { channelId } = await control('GET', `/direct-messages/${MIRA}`);
  const [stop] = controlsOf(message as ShownMessage).filter(({ label }) => label === 'Stop these messages');
  const link = await db().accountLink.findFirstOrThrow({ where: { discordUserId: MIRA } });
  expect(stop?.custom_id).toBe(`notify:${link.id}:off`);
  // Nobody can press the button of somebody else.
  expect(await notifySettingByButton(link.id, JONAS, 'off')).toBe('not_linked');
  const mira = new Chatter(pipeline.story.product, 'mira', channelId);
  await mira.press(message as ShownMessage, 'Stop these messages');
  await mira.answer(({ content }) => content.startsWith('Pagewire no longer writes to you'));
  await edit('Backlog', 'jonas');
  expect(await letters(MIRA)).toHaveLength(1);

  // Linked anew since, they have another link, which an older message cannot name.
  await db().accountLink.update({ where: { id: link.id }, data: { id: randomUUID(), notify: 'on' } });
  expect(await notifySettingByButton(link.id, MIRA, 'off')).toMatchObject({ notify: 'off' });
  await edit('Done', 'jonas');
  expect(await letters(MIRA)).toHaveLength(1);

  // With a link in another account as well, the message says which is meant.
  const { id: accountId } = await db().account.create({
    data: { subject: 'other', trialEndsAt: new Date() },
  });
  const names = { notionUserId: randomUUID(), notionDisplayName: 'Mira' };
  await db().accountLink.create({ data: { accountId, discordUserId: MIRA, ...names } });
  await notify('on', MIRA);
  await mira.press(message as ShownMessage, 'Stop these messages');
  await mira.answer(({ content }) => content.startsWith('Pagewire no longer writes to you'));
  const links = await db().accountLink.findMany({ where: { discordUserId: MIRA, notify: 'on' } });
  expect(links.map((each) => each.accountId)).toEqual([accountId]);

  // In a server, the button below the answer of /notion notify means the link with the account of that server.
  const tasks = new Chatter(pipeline.story.product, 'mira', pipeline.story.channel('tasks'));
  await tasks.run('notify');
  const state = await tasks.answer();
  const own = { discordUserId: MIRA, accountId: { not: accountId } };
  await db().accountLink.updateMany({ where: own, data: { id: randomUUID() } });
  await tasks.press(state, 'Once each morning');
  await tasks.answer(({ content }) => content.startsWith('Pagewire writes to you each morning'));
  await db().accountLink.deleteMany({ where: own });
  await tasks.press(state, 'Write to me');
  await tasks.answer(({ content }) => content.startsWith('You are not linked there any more'));
  expect(await db().accountLink.findFirst({ where: { accountId } })).toMatchObject({ notify: 'on' });
  await db().accountLink.create({ data: { ...link, notify: 'off' } });
  await db().account.delete({ where: { id: accountId } });
});

describe('a rule with one card for each page', () => {
  test('edits the message of the page, posts it anew when it was deleted, and counts it once', async () => {
    await notify('on', MIRA);
    const rule = await pipeline.rule({ ...TO_MIRA, card: 'living' });
    await edit('In progress', 'jonas');
    await edit('Done', 'jonas');
    const [message, ...more] = await letters(MIRA);
    expect(more).toEqual([]);
    expect(message?.content).toContain('to Done');
    expect(await used()).toBe(1);
    expect((await log(rule.id)).map(({ state }: { state: string }) => state)).toEqual(['sent', 'sent']);

    const { channelId } = await control('GET', `/direct-messages/${MIRA}`);
    await control('DELETE', `/messages/${channelId}/${message?.id}`);
    told.set(MIRA, (told.get(MIRA) ?? 0) - (message ? 0 : 1));
    await edit('Backlog', 'jonas');
    expect((await letters(MIRA)).map(({ content }) => content)).toEqual([
      `Jonas Brandt changed Status of ${GOLEM} to Backlog`,
    ]);
    expect(await used()).toBe(2);
  });

  test('leads to one message when many changes wait', async () => {
    await notify('on', MIRA);
    const rule = await pipeline.rule({ ...TO_MIRA, card: 'quiet' });
    await control('PUT', '/conversations', { areTooMany: true });
    await db().conversation.deleteMany();
    for (const status of ['In progress', 'Done', 'Backlog', 'Cut']) {
      await pipeline.edit(GOLEM, { Status: status }, 'jonas');
      await expect.poll(async () => (await log(rule.id))[0]?.changes[0]?.after).toBe(status);
    }
    await control('PUT', '/conversations', { areTooMany: false });
    // Ten minutes later.
    await db().rateLimit.deleteMany();
    await db().$executeRaw`update conversation set open_at = 'epoch'`;
    await pipeline.idle();
    expect(await textsTo(MIRA)).toEqual([`Jonas Brandt changed Status of ${GOLEM} to Cut`]);
    const states = (await log(rule.id)).map(({ state, reasonCode }: Record<string, string>) => [
      state,
      reasonCode,
    ]);
    expect(states).toEqual([['sent', null], ...Array(3).fill(['skipped', 'merged'])]);
  });
});

test('whoever wants a digest gets one message, and what quiet hours held back comes with their end', async () => {
  await notify('digest', MIRA);
  const rule = await pipeline.rule({ ...TO_MIRA, watchedProperties: ['Status', 'Priority'] });
  await edit('In progress', 'jonas');
  await edit('Done', 'jonas');
  expect(await letters(MIRA)).toEqual([]);
  const [waiting] = await log(rule.id);
  expect(waiting).toMatchObject({ state: 'waiting', reasonCode: null });
  expect(waiting.reason).toMatch(/^It waits for the digest of 09:00/);
  await due.tell();
  const [digest, ...more] = await letters(MIRA);
  expect(more).toEqual([]);
  expect(digest?.content).toBe('News of a page that concerns you');
  expect(pagesOf(digest as never)).toEqual([GOLEM]);
  expect(await used()).toBe(1);
  expect((await log(rule.id)).map(({ state }: { state: string }) => state)).toEqual(['sent', 'sent']);

  // What was gathered for somebody who stops messages is not told.
  await edit('Backlog', 'jonas');
  const mira = new Chatter(pipeline.story.product, 'mira', pipeline.story.channel('tasks'));
  await mira.run('notify', { mode: 'off' });
  await mira.answer();
  await due.tell();
  expect(await letters(MIRA)).toHaveLength(1);
  expect((await log(rule.id))[0]).toMatchObject({ state: 'skipped', reasonCode: 'not_asked_for' });

  await notify('on', MIRA);
  await preferences(pipeline, { quietHours: quietNow() });
  await edit('Cut', 'jonas');
  expect(await letters(MIRA)).toHaveLength(1);
  await preferences(pipeline, {});
  await due.tell();
  expect(await letters(MIRA)).toHaveLength(2);
});

test('what was gathered for the holder about one Notion user is not told once they are another', async () => {
  const { board, docs, product } = pipeline.story;
  const connect = (as?: 'jonas') => product.connectNotion('mira', [board.id, docs.id], as);
  await notify('digest', MIRA);
  const rule = await pipeline.rule(TO_MIRA);
  await edit('Done', 'jonas');
  await connect();
  expect(await log(rule.id)).toMatchObject([{ state: 'waiting' }]);
  await db().accountLink.deleteMany({ where: { discordUserId: JONAS } });
  await connect('jonas');
  expect(await log(rule.id)).toMatchObject([{ state: 'skipped', reasonCode: 'not_asked_for' }]);
  await due.tell();
  expect(await letters(MIRA)).toEqual([]);
  await connect();
});

test('what is just being gathered for somebody who is unlinked is not told, and the log says why', async () => {
  const rule = await pipeline.rule(TO_JONAS);
  const link = await db().accountLink.findFirstOrThrow({ where: { discordUserId: JONAS } });
  const { accountId, id: linkId } = link;
  const { workspaceId } = await db().rule.findFirstOrThrow();
  const letter = {
    linkId,
    discordUserId: JONAS,
    outcome: 'gathered',
    messageId: null,
    sealedBody: null,
  } as const;
  const letters = [{ ...letter, tellAt: new Date(Date.now() + MINUTE_MS) }];
  const event = { id: randomUUID(), eventId: randomUUID(), eventAt: new Date(), sealedSummary: null };
  const decision = { ...event, accountId, ruleId: rule.id, outcome: 'gathered', letters };
  const pageId = await pipeline.pageId(GOLEM);
  let unlinked: ReturnType<typeof call> | undefined;
  await transaction(async (tx) => {
    await gatherLetters(tx, { workspaceId, pageId }, [decision]);
    unlinked = call('DELETE', `/api/app/account-links/link/${linkId}`);
    await untilBlocked(1);
  });
  expect(await unlinked).toMatchObject({ status: 200 });
  expect(await log(rule.id)).toMatchObject([{ state: 'skipped', reasonCode: 'not_asked_for' }]);
});

test('what one rule found is told in the morning although what another found was undone', async () => {
  await notify('digest', MIRA);
  await pipeline.rule({ ...TO_MIRA, watchedProperties: ['Status'] });
  const trashing = await pipeline.rule({ ...TO_MIRA, eventType: 'page_deleted', watchedProperties: [] });
  await edit('Done', 'jonas');
  await edit('Backlog', 'jonas');
  const { product } = pipeline.story;
  const trashed = { page: GOLEM, as: 'jonas' };
  const { payload } = await pipeline.told(() => product.control('notion', 'POST', '/rows/trash', trashed));
  await pipeline.idle();
  await due.tell();
  const [entry] = await log(trashing.id);
  await pipeline.told(() => product.control('notion', 'POST', '/rows/restore', { page: payload.entity.id }));
  const [digest, ...more] = await letters(MIRA);
  expect(more).toEqual([]);
  expect(pagesOf(digest as never)).toEqual([GOLEM]);
  expect(entry).toMatchObject({ eventType: 'page_deleted', state: 'sent' });
});

test('new quiet hours and a new time zone move what waits for people', async () => {
  const dueAt = async () =>
    (await db().accountLink.findFirstOrThrow({ where: { discordUserId: MIRA } })).digestDueAt;
  await notify('on', MIRA);
  await pipeline.rule(TO_MIRA);
  await preferences(pipeline, { quietHours: quietNow() });
  await edit('In progress', 'jonas');
  expect(await letters(MIRA)).toEqual([]);
  await preferences(pipeline, {});
  await due.run();
  expect(await letters(MIRA)).toHaveLength(1);

  await notify('digest', MIRA);
  await edit('Done', 'jonas');
  const hourOf = (date: Date | null) => date?.getUTCHours();
  expect(hourOf(await dueAt())).toBe(9);
  await preferences(pipeline, { timeZone: 'Asia/Tokyo' });
  expect(hourOf(await dueAt())).toBe(0);
  await due.run();
  expect(await letters(MIRA)).toHaveLength(1);
});

describe('nobody is bothered', () => {
  test('whose inbox is closed, until they ask for messages again', async () => {
    await notify('on', MIRA);
    const rule = await pipeline.rule(TO_MIRA);
    await control('PUT', `/inboxes/${MIRA}`, { isClosed: true });
    await edit('In progress', 'jonas');
    await edit('Done', 'jonas');
    const reason = 'The person does not accept direct messages from the bot.';
    const entries = await log(rule.id);
    expect(entries.map(({ state }: { state: string }) => state)).toEqual(['skipped', 'failed']);
    expect(entries.map(({ reasonCode }: { reasonCode: string }) => reasonCode)).toEqual([
      'inbox_closed',
      null,
    ]);
    expect(entries[1].reason).toBe(reason);
    const { linkedAccounts } = (await call('GET', '/api/app/account-links')).body;
    expect(linkedAccounts[0]).toMatchObject({ notify: 'on', inbox_problem: reason });
    const [shown] = (await call('GET', '/api/app/rules')).body;
    expect(shown.health).toMatchObject({
      state: 'blocked',
      reason,
    });
    expect((await control('GET', '/calls')).calls['POST /channels/:id/messages']).toBe(1);
    expect(await used()).toBe(0);

    await control('PUT', `/inboxes/${MIRA}`, { isClosed: false });
    const mira = new Chatter(pipeline.story.product, 'mira', pipeline.story.channel('tasks'));
    await mira.run('notify', { mode: 'on' });
    await mira.answer();
    await edit('Backlog', 'jonas');
    expect(await letters(MIRA)).toHaveLength(1);
  });

  test.each([
    ['was seen there a moment ago', new Date(), 'The person shares no server with the bot.'],
    ['was not', null, 'The bot is no longer in the server.'],
  ])(
    'who %s, while the bot is not in the server, until it is installed there again',
    async (_, memberSeenAt, reason) => {
      await notify('on', MIRA);
      await db().accountLink.updateMany({ data: { memberSeenAt } });
      const rule = await pipeline.rule(TO_MIRA);
      const { guild, product } = pipeline.story;
      await control('DELETE', `/guilds/${guild.id}/bot`);
      await edit('In progress', 'jonas');
      expect((await log(rule.id))[0]).toMatchObject({ state: 'failed', reason });
      expect(await letters(MIRA)).toEqual([]);
      await product.installBot('mira', guild.id);
      await edit('Done', 'jonas');
      expect((await log(rule.id))[0]).toMatchObject({ state: 'sent', reason: null });
      expect(await letters(MIRA)).toHaveLength(1);
    },
  );

  test('who left the server after an attempt whose answer was lost: the log says that it may have arrived', async () => {
    await notify('on', MIRA);
    const rule = await pipeline.rule(TO_MIRA);
    const { faults } = pipeline.story.product.sandbox.context;
    pipeline.fault({ target: 'discord', kind: 'hangup', match: 'POST .*/messages' });
    // Until the person has left, no further attempt gets through.
    pipeline.fault({ target: 'discord', kind: 'fail', status: 503, match: '/messages', after: 1, times: 0 });
    await pipeline.edit(GOLEM, { Status: 'Done' }, 'jonas');
    await expect.poll(() => faults.list()[0]?.hits).toBe(1);
    await control('DELETE', `/guilds/${pipeline.story.guild.id}/members/${MIRA}`);
    await db().accountLink.updateMany({ data: { memberSeenAt: null } });
    await pipeline.idle();
    expect(await letters(MIRA)).toHaveLength(1);
    const [entry] = await log(rule.id);
    const reason = 'The person left the server. The card may have been posted.';
    expect(entry).toMatchObject({ state: 'failed', reason });
    expect(entry.people).toEqual([{ name: 'Mira Castellan', state: 'failed', reason }]);
  });

  test('who has left the server, whose pages they are', async () => {
    await notify('on', MIRA);
    const rule = await pipeline.rule(TO_MIRA);
    await control('DELETE', `/guilds/${pipeline.story.guild.id}/members/${MIRA}`);
    await edit('Done', 'jonas');
    expect(await letters(MIRA)).toEqual([]);
    expect((await log(rule.id))[0]).toMatchObject({ state: 'failed', reason: 'The person left the server.' });
    await edit('Backlog', 'jonas');
    expect((await log(rule.id))[0]).toMatchObject({ state: 'skipped', reasonCode: 'inbox_closed' });
  });

  test('who stopped while a message waited, or is not linked any more', async () => {
    await notify('on', MIRA);
    const rule = await pipeline.rule(TO_MIRA);
    await control('PUT', '/conversations', { areTooMany: true });
    await db().conversation.deleteMany();
    await pipeline.edit(GOLEM, { Status: 'Done' }, 'jonas');
    await expect.poll(async () => (await log(rule.id))[0]?.state).toBe('waiting');
    const waiting = (await call('GET', '/api/app/activity?outcome=waiting')).body.items;
    expect(waiting).toHaveLength(1);
    // An attempt that has begun is not called back.
    const refused = { openAt: { gt: new Date(Date.now() + MINUTE_MS) } };
    await expect.poll(() => db().conversation.count({ where: refused })).toBe(1);
    await notify('off', MIRA);
    await control('PUT', '/conversations', { areTooMany: false });
    // Ten minutes later.
    await db().rateLimit.deleteMany();
    await db().$executeRaw`update conversation set open_at = 'epoch'`;
    await pipeline.idle();
    expect(await letters(MIRA)).toEqual([]);
    expect((await log(rule.id))[0]).toMatchObject({ state: 'skipped', reasonCode: 'not_asked_for' });
  });
});

test('a worker whose lease has ended leaves a message that Discord refused to the next one', async () => {
  await notify('on', MIRA);
  const rule = await pipeline.rule(TO_MIRA);
  await control('PUT', `/inboxes/${MIRA}`, { isClosed: true });
  const { faults } = pipeline.story.product.sandbox.context;
  faults.add({
    ...{ target: 'discord', kind: 'slow', match: 'POST .*/messages', times: 1, status: 500, delayMs: 9000 },
  });
  await pipeline.edit(GOLEM, { Status: 'Done' }, 'jonas');
  await eventually(async () => faults.list()[0]?.hits === 1);
  const lease = (leasedUntil: Date | null) => db().conversation.updateMany({ data: { leasedUntil } });
  await lease(new Date(Date.now() + MINUTE_MS));
  faults.release();
  await eventually(() => db().accountLink.count({ where: { inboxClosedAt: { not: null } } }));
  await pipeline.story.product.rest();
  expect(await log(rule.id)).toMatchObject([{ state: 'waiting' }]);
  await lease(null);
});

test('a message whose answer was lost is sent once, and many of a rule that rolls up come as one', async () => {
  await notify('on', MIRA);
  await pipeline.rule({ ...TO_MIRA, rollUp: true });
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
  const statuses = ['In progress', 'Done', 'Backlog', 'Cut'];
  for (let nth = 0; nth < 13; nth += 1) await edit(statuses[nth % statuses.length] ?? '', 'jonas');
  expect(await letters(MIRA)).toHaveLength(10);
  await due.tell();
  const all = await textsTo(MIRA);
  expect(all).toHaveLength(11);
  expect(all.at(-1)).toBe('News of a page that concerns you');
  expect(await used()).toBe(11);
});

test('a message that an error of our own stops is tried again, and given up after a day', async () => {
  await notify('on', MIRA);
  const rule = await pipeline.rule(TO_MIRA);
  pipeline.fault({
    target: 'discord',
    match: 'POST .*/users/@me/channels',
    kind: 'fail',
    status: 503,
    times: 0,
  });
  await pipeline.edit(GOLEM, { Status: 'Done' }, 'jonas');
  await expect.poll(() => db().message.count({ where: { attempts: { gt: 0 } } })).toBe(1);
  await pipeline.story.product.rest();
  const [letter] = await db().message.findMany();
  const sealedBody = sealMessage(letter?.id ?? '', { content: 7 as unknown as string });
  await db().message.updateMany({ data: { sealedBody, notBefore: null } });
  pipeline.story.product.sandbox.context.faults.clear();
  await pipeline.story.product.work();
  const reason = 'Pagewire had a problem of its own.';
  await expect.poll(() => log(rule.id)).toMatchObject([{ state: 'waiting', reason }]);
  await db().message.updateMany({ data: { postponedAt: YESTERDAY, notBefore: null } });
  await pipeline.idle();
  expect(await log(rule.id)).toMatchObject([
    { state: 'failed', reason: `${reason} The card may have been posted.` },
  ]);
});

test('what an urgent rule rolled up passes quiet hours, and nothing else does', async () => {
  await notify('on', MIRA);
  await preferences(pipeline, { quietHours: quietNow() });
  const rule = await pipeline.rule({ ...TO_MIRA, urgent: true, rollUp: true });
  const calm = await pipeline.rule({ ...TO_MIRA, watchedProperties: ['Priority'] });
  await pipeline.edit(GOLEM, { Priority: 'High' }, 'jonas');
  await pipeline.idle();
  const statuses = ['In progress', 'Done', 'Backlog', 'Cut'];
  for (let nth = 0; nth < 12; nth += 1) await edit(statuses[nth % statuses.length] ?? '', 'jonas');
  expect(await letters(MIRA)).toHaveLength(10);
  await due.tell();
  expect((await textsTo(MIRA)).slice(10)).toEqual(['News of a page that concerns you']);
  const states = async (id: string) => new Set((await log(id)).map(({ state }: { state: string }) => state));
  expect(await states(rule.id)).not.toContain('waiting');
  expect(await states(calm.id)).toContain('waiting');
  const { digestDueAt } = await db().accountLink.findFirstOrThrow({ where: { discordUserId: MIRA } });
  expect(Number(digestDueAt)).toBeGreaterThan(Date.now() + MINUTE_MS);
  await preferences(pipeline, {});
  await due.run();
  expect(await letters(MIRA)).toHaveLength(12);
});

test('forty people in a property each get it in their own conversation, as fast as Discord likes', async () => {
  const { accountId } = await db().accountLink.findFirstOrThrow({ where: { discordUserId: MIRA } });
  const crowd = Array.from({ length: 40 }, (_, nth) => ({
    accountId,
    discordUserId: `20891700000000${2000 + nth}`,
    notionUserId: `5b1f0c3a-3333-4d0e-9a01-00000000${2000 + nth}`,
    notionDisplayName: `Person ${nth}`,
    notify: 'on' as const,
    memberSeenAt: new Date(),
  }));
  await db().accountLink.createMany({ data: crowd });
  for (const { discordUserId: id, notionUserId, notionDisplayName: name } of crowd) {
    await control('POST', '/users', { id, username: name.toLowerCase().replace(' ', '-') });
    await control('PUT', `/guilds/${pipeline.story.guild.id}/members/${id}`, {});
    await pipeline.story.product.control('notion', 'POST', '/members', {
      id: notionUserId,
      name,
      database: 'Sprint board',
    });
  }
  await assign(...crowd.map(({ notionUserId }) => notionUserId));
  const rule = await pipeline.rule(TO_ASSIGNEES);
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await expect
    .poll(async () => (await control('GET', '/calls')).calls['POST /users/@me/channels'] ?? 0)
    .toBe(10);
  const [entry] = await log(rule.id);
  expect(entry.people).toHaveLength(40);
  expect(await db().message.count({ where: { kind: 'letter' } })).toBe(40);
  // The others follow one every 15 seconds.
  const lastBooked = async () => {
    const [booked] = await db().$queryRaw<{ seconds: number }[]>`
      select extract(epoch from max(open_at) - now())::int as seconds from conversation`;
    return booked?.seconds ?? 0;
  };
  await expect.poll(lastBooked).toBeGreaterThan(25 * 15);
  expect((await control('GET', '/calls')).calls['POST /users/@me/channels']).toBe(10);
  await db().accountLink.deleteMany({ where: { notionDisplayName: { startsWith: 'Person ' } } });
});

test('who was seen in one server of the account gets nothing through the next, of which they are no member', async () => {
  const { product, guild } = pipeline.story;
  await notify('on', JONAS);
  await pipeline.rule(TO_JONAS);
  await pipeline.edit(GOLEM, { Status: 'In progress' });
  await pipeline.idle();
  expect(await letters(JONAS)).toHaveLength(1);

  expect((await call('DELETE', '/api/app/discord/server')).status).toBe(200);
  await pipeline.idle();
  const guilds: { id: string; name: string }[] = await control('GET', '/guilds');
  const next = guilds.find(({ name }) => name === 'Lantern Playtest')?.id ?? '';
  await control('DELETE', `/guilds/${next}/members/${JONAS}`);
  expect(await product.installBot('mira', next)).toBe('/setup?discord=connected');
  // The first server has the bot through another account, so Discord would deliver.
  await control('PUT', `/guilds/${guild.id}/members/${JONAS}`, { roles: ['Leads'] });
  expect(await product.installBot('jonas', guild.id)).toBe('/setup?discord=connected');
  await pipeline.rule(TO_JONAS);
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  expect(await letters(JONAS)).toHaveLength(1);
});
