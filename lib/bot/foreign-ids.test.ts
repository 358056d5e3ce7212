import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seal } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { purposeOf } from '@/lib/features/clocks/summary-list';
import { sealChange } from '@/lib/features/reminders/kept-change';
import { saveDraft } from '@/lib/features/tasks/interactions';
import { CardStory } from '@/lib/testing/card-story';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';
import { EMPTY_DRAFT } from './task-modal';

/** Ids that a custom id can name, of one account or of nobody. */
type Ids = Record<
  'rule' | 'reminder' | 'page' | 'database' | 'message' | 'flood' | 'link' | 'draft' | 'undo' | 'takeover',
  string
>;

let story: CardStory;
let miras: Ids;

const compact = (id: string) => id.replaceAll('-', '');
let lastInteraction = 1_500_000_000_000_000_000n;
function newInteractionId(): string {
  lastInteraction += 1n;
  return String(lastInteraction);
}

beforeAll(async () => {
  story = await CardStory.start();
  const { product, board, channel, property } = story.connected;
  const card = await story.card('Secret plan');
  const accountOf = (discordUserId: string) => db().account.findFirstOrThrow({ where: { discordUserId } });
  const { id: accountId } = await accountOf(story.mira.userId);
  const { id: askerId } = await accountOf(story.vera.userId);
  const rule = await db().rule.findFirstOrThrow({ where: { accountId, channelId: channel('tasks') } });
  const data = { actions: ['done', 'comment', 'assign', 'status'] };
  await db().rule.update({ where: { id: rule.id }, data });
  const message = await db().message.findFirstOrThrow({ where: { accountId, discordMessageId: card.id } });
  const { pageId } = await db().card.findFirstOrThrow({ where: { messageId: message.id } });
  const reminder = await product.call('mira', 'POST', '/api/app/rules', {
    databaseId: board.dataSourceId,
    eventType: 'date_near',
    channelId: channel('tasks'),
    watchedProperties: [],
    schedule: { propertyId: 'Due date', days: 1, at: '09:00' },
  });
  const workspace = await db().notionWorkspace.findFirstOrThrow({ where: { accountId } });
  const server = await db().discordServer.findFirstOrThrow({ where: { accountId } });
  const link = await db().accountLink.findFirstOrThrow({ where: { accountId } });
  const undo = newInteractionId();
  const kept = { accountId, workspaceId: workspace.id, discordUserId: story.mira.userId };
  const sealedChange = sealChange(undo, {
    ...{ pageId, databaseId: board.dataSourceId, propertyId: property('Status'), card: null },
    before: { kind: 'status', optionId: null },
    wrote: { kind: 'status', optionId: 'done' },
  });
  await db().keptChange.create({ data: { ...kept, interactionId: undo, sealedChange } });
  const draft = newInteractionId();
  const { guildId } = server;
  const by = { id: draft, token: '', guildId, channelId: rule.channelId, userId: story.mira.userId };
  await saveDraft(by, { ...kept, guildId, notionUserId: null }, { ...EMPTY_DRAFT, title: 'Secret draft' });
  const pages = Array.from({ length: 12 }, (_, nr) => ({
    ...{ id: randomUUID(), title: `Secret ${nr}`, url: null, changes: [] },
  }));
  const sealedPages = seal(JSON.stringify(pages), purposeOf(message.id));
  const ofRule = { accountId, ruleId: rule.id };
  await db().summaryList.create({ data: { ...ofRule, messageId: message.id, sealedPages } });
  const counted = { messageId: message.id, messageAt: message.at, channelId: rule.channelId };
  const flood = await db().flood.create({ data: { ...ofRule, ...counted, id: randomUUID() } });
  const asked = { accountId: askerId, serverId: server.id, discordUsername: 'vera', state: 'asked' } as const;
  const takeover = await db().serverTakeover.create({ data: asked });
  miras = {
    ...{ rule: rule.id, reminder: reminder.body.id, page: pageId ?? '', database: board.dataSourceId },
    ...{ message: message.id, flood: flood.id, link: link.id, draft, undo, takeover: takeover.id },
  };
});
afterAll(() => story.product.stop());

const nobodys = (): Ids => ({
  ...{ rule: randomUUID(), reminder: randomUUID(), page: randomUUID(), database: randomUUID() },
  ...{ message: randomUUID(), flood: randomUUID(), link: randomUUID(), takeover: randomUUID() },
  ...{ draft: newInteractionId(), undo: newInteractionId() },
});

type Make = (ids: Ids) => { custom_id: string; values?: string[]; components?: object[] };

const task = ({ page, database }: Ids) => `${compact(page)}:${compact(database)}`;
const ofCard = ({ rule, page }: Ids) => `${compact(rule)}:${compact(page)}`;
const named = (build: (ids: Ids) => string, values?: (ids: Ids) => string): Make => {
  return (ids) => ({ custom_id: build(ids), ...(values && { values: [values(ids)] }) });
};
const filled = (build: (ids: Ids) => string, fields: Record<string, string>): Make => {
  const components = Object.entries(fields).map(([custom_id, value]) => ({
    ...{ type: 18, component: { type: 4, custom_id, value } },
  }));
  return (ids) => ({ custom_id: build(ids), components });
};

const CONTROLS: Record<string, Make> = {
  'a button of a rule': named((ids) => `act:done:${ofCard(ids)}`),
  'a button with a form': named((ids) => `act:comment:${ofCard(ids)}`),
  'Assign to me': named((ids) => `assign:${task(ids)}`),
  'Change status': named((ids) => `status:${task(ids)}`),
  'more statuses': named((ids) => `statuses:${task(ids)}:0:1`),
  'a status': named(
    (ids) => `set-status:${task(ids)}:0`,
    () => 'done',
  ),
  'more of a digest': named(({ message }) => `digest:${message}:1`),
  'another screen of a digest': named(({ message }) => `digest-to:${message}:1`),
  'more of a summary': named(({ message }) => `summary:${message}:1`),
  'another screen of a summary': named(({ message }) => `summary-to:${message}:1`),
  'a page of a list': named(
    () => 'open-page',
    ({ page }) => page,
  ),
  'a database for a task': named(
    ({ draft }) => `task-in:${draft}`,
    ({ database }) => database,
  ),
  'the form for a task': named(({ database, draft }) => `new-task:${compact(database)}:${draft}`),
  'cards of a flood': named(({ flood }) => `flood:${flood}`),
  'another screen of a flood': named(({ flood }) => `flood-list:${flood}:0`),
  'Done on a reminder': named(({ reminder, page }) => `remind:done:${reminder}:${compact(page)}`),
  'Tomorrow on a reminder': named(({ reminder, page }) => `remind:tomorrow:${reminder}:${compact(page)}`),
  Undo: named(({ undo }) => `undo:${undo}`),
  'Keep it': named(({ takeover }) => `keep-server:${takeover}`),
  'Hand it over': named(({ takeover }) => `hand-over-server:${takeover}`),
  'more of their own digest': named(({ message }) => `letters:${message}:1`),
  'another screen of their own digest': named(({ message }) => `letters-to:${message}:1`),
  'more of their own summary': named(({ message }) => `summary-dm:${message}:1`),
  'another screen of their own summary': named(({ message }) => `summary-dm-to:${message}:1`),
};

const FORMS: Record<string, Make> = {
  'a new task': filled(({ database }) => `task:${compact(database)}:0`, { title: 'Mine' }),
  'a task from a draft': filled(({ database, draft }) => `task:${compact(database)}:${draft}`, {
    title: 'Mine',
  }),
  'a comment': filled((ids) => `act-form:comment:${ofCard(ids)}`, { entered: 'Hello there' }),
  'a status of a card': filled((ids) => `act-form:status:${ofCard(ids)}`, { 'entered:status': 'done' }),
};

/** Sends a control of Vera's. Returns the answer, and changes nothing in it but the interaction's own id. */
async function send(type: 3 | 5, where: object, control: ReturnType<Make>): Promise<string> {
  const id = newInteractionId();
  const body = { id, type, token: `token-${id}`, ...where, data: { component_type: 2, ...control } };
  const answer = await postToDiscordDoor(story.product, JSON.stringify(body));
  return (await answer.text()).replaceAll(id, '<id>');
}

const vera = () => ({ id: story.vera.userId, username: 'vera.l' });
const inServer = () => ({
  ...{ guild_id: '1102000000000000001', channel_id: story.vera.channelId, message: { id: '1' } },
  member: { user: vera() },
});
const inPrivate = () => ({ channel_id: '99', user: vera(), message: { id: '1' } });

const EVERYTHING = [
  ...Object.entries(CONTROLS).map(([name, make]) => [name, 3, make] as const),
  ...Object.entries(FORMS).map(([name, make]) => [name, 5, make] as const),
];

describe('a control that names something of another account is answered like one that names nothing', () => {
  test.each(EVERYTHING)('in the own server: %s', async (_, type, make) => {
    const answer = await send(type, inServer(), make(miras));
    expect(answer).toBe(await send(type, inServer(), make(nobodys())));
    expect(answer).not.toContain('Secret');
  });

  test.each(EVERYTHING)('in a direct message: %s', async (name, type, make) => {
    const answer = await send(type, inPrivate(), make(miras));
    expect(answer).not.toContain('Secret');
    expect(answer, name).toBe(await send(type, inPrivate(), make(nobodys())));
  });
});

test('nothing of this changed a page, a setting or a request', async () => {
  await story.idle();
  expect(await story.row('Secret plan')).toMatchObject({ Status: 'Backlog' });
  expect(await db().pageWrite.count()).toBe(0);
  expect(await db().serverTakeover.findFirst()).toMatchObject({ state: 'asked' });
  expect(await db().keptChange.findFirst()).toMatchObject({ undoneBy: null });
});
