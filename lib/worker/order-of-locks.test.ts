import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { databasePool, db, Prisma, transaction } from '@/lib/db/database';
import { BOT_TIMED_OUT, NO_SHARED_SERVER } from '@/lib/features/calls/discord-refusal';
import { resendSql } from '@/lib/features/deliveries/resend-sql';
import { tellPerson } from '@/lib/features/digests/tell-person';
import { echoMade } from '@/lib/features/echoes/keep-echo';
import { gatherLetters } from '@/lib/features/letters/gather-letters';
import { reopenInboxes } from '@/lib/features/letters/notify-setting';
import { takeBack } from '@/lib/features/letters/waiting-letter';
import { sealSummary } from '@/lib/features/matching/summary';
import { noteTried } from '@/lib/features/messages/change-waiting';
import { dropMessages } from '@/lib/features/messages/drop-messages';
import { queueEdit } from '@/lib/features/messages/queue-edit';
import { sealMessage } from '@/lib/features/messages/sealed-body';
import { dropPaused } from '@/lib/features/outbox/drop-paused';
import { postAnew } from '@/lib/features/posted/post-anew';
import { dropMessage, endThread, openThread, putLinesBehind } from '@/lib/features/posted/thread-lines';
import { finishGathering } from '@/lib/features/reconciliation/finish-gathering';
import { gatherPage } from '@/lib/features/reconciliation/gather';
import { refreshPageSql } from '@/lib/features/reconciliation/refresh-page';
import { endTimeouts, waitOutTimeout } from '@/lib/features/sending/bot-timeout';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { connectToOwnDatabase } from '@/lib/testing/own-database';
import { whileLocked } from '@/lib/testing/while-locked';

connectToOwnDatabase();

const ACCOUNT = randomUUID();
const RULE = randomUUID();
const LINK = randomUUID();
const ALWAYS = Prisma.sql`true`;
const at = new Date();
const known = { id: randomUUID(), at };
const card = { messageId: randomUUID(), channelId: '1' } as Parameters<typeof postAnew>[1];
const about = { ...known, sourceId: RULE, pageId: '1' };
const leasedUntil = new Date(at.getTime() + 60_000);
const turn = { channelId: '1', leasedUntil, account: { id: ACCOUNT } } as Parameters<typeof dropPaused>[0];

beforeEach(async () => {
  await db().account.deleteMany();
  await db().account.create({ data: { id: ACCOUNT, subject: '1', trialEndsAt: leasedUntil } });
  const own = { accountId: ACCOUNT };
  const server = await db().discordServer.create({
    data: { ...own, guildId: '1', name: '', installerDiscordUserId: '1' },
  });
  const workspace = await db().notionWorkspace.create({
    data: { ...own, notionWorkspaceId: '1', botId: '1', name: '', sealedTokens: new Uint8Array(1) },
  });
  await db().rule.create({
    data: {
      ...{ ...own, id: RULE, serverId: server.id, workspaceId: workspace.id, sourceKind: 'workspace' },
      ...{ eventType: 'page_created', channelId: '1', channelName: '', enabled: false },
    },
  });
  await db().accountLink.create({
    data: {
      ...own,
      id: LINK,
      discordUserId: '1',
      notionUserId: '1',
      notionDisplayName: '',
      notify: 'on',
      digestDueAt: at,
    },
  });
  await db().conversation.create({ data: { ...own, discordUserId: '1' } });
  await db().channelTurn.create({ data: { ...own, channelId: '1', leasedUntil } });
});

/** Adds a message of the rule that waits, a decision, and what tells them. */
async function add(kind: 'post' | 'edit' | 'reply' | 'letter', outcome: 'message' | 'gathered' = 'message') {
  const own = { accountId: ACCOUNT, ruleId: RULE, pageId: '1' };
  const tellsIn = outcome === 'message' ? known.id : null;
  const state = kind === 'post' && outcome === 'gathered' ? 'kept' : 'waiting';
  const sent = {
    accountId: ACCOUNT,
    sourceId: RULE,
    pageId: '1',
    targetId: '1',
    sealedBody: sealMessage(known.id, {}),
    discordMessageId: '1',
  };
  const decisionId = kind === 'letter' ? known.id : null;
  await db().message.create({ data: { ...known, ...sent, kind, state, decisionId } });
  const sealedSummary = sealSummary(known.id, { title: '', url: '', changes: [], moreChanges: 0 });
  const decision = { ...own, eventAt: at, outcome, messageId: tellsIn, sealedSummary };
  await db().decision.create({ data: { ...decision, id: known.id, eventId: '1' } });
  await db().livingCard.create({ data: { ...own, channelId: '1', messageId: card.messageId, at } });
  const told = kind === 'letter' && outcome === 'message' ? { messageId: known.id, messageAt: at } : {};
  await db().letter.create({
    data: { ...own, decisionId: known.id, discordUserId: '1', eventAt: at, linkId: LINK, outcome, ...told },
  });
}

/** Adds a task that was made from a message. */
async function addEcho(): Promise<void> {
  const { serverId, workspaceId } = await db().rule.findFirstOrThrow();
  const status = { id: 's', name: '', type: 'status', options: [], groups: [{ name: '', optionIds: ['o'] }] };
  const database = { workspaceId, id: 'd', name: '', properties: [status] };
  await db().notionDatabase.create({ data: database });
  const own = { accountId: ACCOUNT, serverId, workspaceId, databaseId: 'd' };
  await db().taskEcho.create({
    data: { ...own, pageId: '1', channelId: '1', messageId: '1', authorId: '1' },
  });
}

/** Queues a newer edit of a card whose last one still waits. */
function editAgain(): Promise<unknown> {
  const own = { accountId: ACCOUNT, ruleId: RULE, channelId: '1', decisionId: null };
  const edit = { what: 'edit' as const, id: randomUUID(), at: null, sealedBody: null, discordMessageId: '1' };
  const move = { ...own, ...edit, isNew: false, isFirst: false, isPost: false };
  return db().$queryRaw(refreshPageSql('1', [move], null));
}

const done = {
  ...{ id: '1', databaseId: 'd', title: '', url: '', icon: null, isTrashed: false },
  ...{
    parent: { kind: 'data_source', id: 'd' },
    createdBy: null,
    lastEditedBy: null,
    createdAt: at,
    lastEditedAt: at,
  },
  values: new Map([['s', { name: 'Status', type: 'status', key: 'o', text: '', optionId: 'o' }]]),
} as unknown as Page;

async function sayDone(): Promise<void> {
  const { workspaceId: id } = await db().rule.findFirstOrThrow();
  await echoMade({ id, accountId: ACCOUNT }, done, null);
}

/** Gathers that the task was done, which no webhook reported. Its rule has a living card and a digest. */
async function gatherDone(): Promise<unknown> {
  const { workspaceId } = await db().rule.findFirstOrThrow();
  const event = {
    id: 'reconciled:1',
    type: 'page.properties_updated',
    updatedProperties: ['s'],
    occurredAt: at,
    authors: [],
    botAuthors: [],
  };
  return gatherPage({ workspaceId, databaseId: 'd' }, { page: done, events: [event] }, new Date());
}

/** Makes the rule keep a card, in Discord since long, of the task's page. */
async function keepCard(): Promise<void> {
  await db().rule.updateMany({
    data: {
      ...{ eventType: 'page_updated', watchedProperties: ['s'], card: 'living', enabled: true },
      ...{ sourceKind: 'database', databaseId: 'd', destination: { kind: 'channel' } },
    },
  });
  const sent = { id: card.messageId, at, accountId: ACCOUNT, sourceId: RULE, targetId: '1' };
  await db().message.create({ data: { ...sent, kind: 'post', state: 'sent', discordMessageId: '2' } });
}

/** Adds a card that failed because its channel refused it. */
async function addRefused(): Promise<void> {
  await add('post');
  await db().message.updateMany({ data: { state: 'failed', finishedAt: at } });
  await db().rule.updateMany({ data: { enabled: true } });
  await db().livingCard.deleteMany();
  await db().channelProblem.deleteMany();
  await db().channelProblem.create({ data: { channelId: '1', reason: '' } });
}
const resend = () => db().$queryRaw(resendSql(ACCOUNT, RULE, known.id));

const letter = { ...known, sequence: 1n };

type Case = [string, keyof typeof FREE, () => Promise<void>, () => Promise<unknown>];

/** What must not be locked while a row of a table is waited for, because whatever holds it may want that next. */
const FREE = {
  account: ['rule', 'account_link', 'message', 'decision', 'living_card', 'letter', 'task_echo'],
  rule: ['account_link', 'message', 'decision', 'living_card', 'letter'],
  account_link: ['message', 'decision', 'letter'],
  conversation: ['account_link', 'message', 'decision', 'letter'],
  decision: ['channel_turn'],
  message: ['channel_turn'],
  channel_problem: ['channel_turn'],
};

const CASES: Case[] = [
  ['posts a card anew', 'rule', () => add('edit'), () => postAnew(about, card, 'card_deleted')],
  ['drops an edit', 'rule', () => add('edit'), () => dropMessage(known)],
  ['drops what waits for rules that are off', 'rule', () => add('post'), () => dropPaused(turn)],
  ['goes on without a thread', 'rule', () => add('reply'), () => endThread(about, card, 'thread_impossible')],
  [
    'takes a letter back',
    'rule',
    () => add('letter'),
    () => takeBack(letter, { outcome: 'gathered', tellAt: at }, ALWAYS),
  ],
  [
    'takes a letter back',
    'account_link',
    () => add('letter'),
    () => takeBack(letter, { outcome: 'gathered', tellAt: at }, ALWAYS),
  ],
  [
    'tells a digest to a person',
    'rule',
    () => add('letter', 'gathered'),
    () => tellPerson({ accountId: ACCOUNT, linkId: LINK }),
  ],
  [
    'tells a digest to a person',
    'conversation',
    async () => {
      await add('letter', 'gathered');
      await db().rule.updateMany({ data: { enabled: true } });
    },
    () => tellPerson({ accountId: ACCOUNT, linkId: LINK }),
  ],
  ['tells what was missed', 'rule', () => add('post', 'gathered'), () => finishGathering(ACCOUNT)],
  ['opens a thread', 'account', () => add('reply'), () => openThread(about, card, '2')],
  ['queues an edit', 'account', () => add('edit'), () => queueEdit(known, {})],
  ['replies that a task is done', 'account', addEcho, sayDone],
  ['queues an edit', 'message', () => add('edit'), () => queueEdit(known, {})],
  [
    'replies that a task is done',
    'message',
    async () => {
      await add('edit');
      await addEcho();
      await db().taskEcho.updateMany({ data: { editId: known.id, editAt: at } });
    },
    sayDone,
  ],
  [
    'gathers a page',
    'message',
    async () => {
      await add('edit');
      await addEcho();
      await db().taskEcho.updateMany({ data: { editId: known.id, editAt: at } });
      await keepCard();
    },
    gatherDone,
  ],
  ['sends a card again', 'decision', addRefused, resend],
  ['sends a card again', 'channel_problem', addRefused, resend],
  [
    'replaces an edit of a living card',
    'message',
    async () => {
      await add('edit');
      await db().livingCard.updateMany({ data: { editId: known.id, editAt: at } });
    },
    editAgain,
  ],
];

test.each(CASES)('whatever %s waits for a locked %s without holding what it has', async (...one) => {
  const [, locked, given, act] = one;
  await given();
  const ends: Promise<unknown>[] = [];
  await whileLocked(`select 1 from ${locked} for update`, async (blocked) => {
    const end = act();
    ends.push(end);
    const hasWaited = await Promise.race([blocked(1).then(() => true), end.then(() => false)]);
    expect(hasWaited).toBe(true);
    for (const table of FREE[locked]) {
      const all = await databasePool().query(`select 1 from ${table}`);
      const free = await databasePool().query(`select 1 from ${table} for update skip locked`);
      expect([table, free.rowCount]).toEqual([table, all.rowCount]);
    }
  });
  await Promise.all(ends);
});

const delayed = { reason: BOT_TIMED_OUT, notBefore: new Date(leasedUntil.getTime() + 60_000) };

/** Adds messages of the rule in this order, one in each channel. Only the first has a reservation. */
async function addMessages(ids: string[]): Promise<void> {
  await db().message.deleteMany();
  const post = {
    ...delayed,
    at,
    accountId: ACCOUNT,
    sourceId: RULE,
    kind: 'post',
    state: 'waiting',
  } as const;
  for (const [n, id] of ids.entries()) {
    const reserved = n === 0 ? { usagePeriodStart: at } : {};
    const data = { ...post, ...reserved, id, targetId: `${n + 1}`, sealedBody: sealMessage(id, {}) };
    await db().message.create({ data });
  }
}

/** Adds links in this order, of people to whom the bot cannot write, among others. */
async function addLinks(ids: string[]): Promise<void> {
  await db().accountLink.deleteMany();
  for (const [n, id] of ids.entries()) {
    const person = { discordUserId: `${n}`, notionUserId: `${n}`, notionDisplayName: '' };
    const inboxProblem = NO_SHARED_SERVER;
    await db().accountLink.create({ data: { ...person, inboxProblem, id, accountId: ACCOUNT } });
  }
  // Where there are few, PostgreSQL reads them by an index with their ids.
  await db().$executeRaw`
    insert into account_link (id, account_id, discord_user_id, notion_user_id, notion_display_name)
    select gen_random_uuid(), ${ACCOUNT}::uuid, n::text, n::text, '' from generate_series(2, 99) n`;
  await databasePool().query('analyze account_link');
}

/** Gathers what two rules tell of a page, each to one person. */
function gatherForPeople(linkIds: string[]): Promise<unknown> {
  const letter = { outcome: 'gathered', messageId: null, sealedBody: null, tellAt: at } as const;
  const decision = {
    eventAt: at,
    accountId: ACCOUNT,
    ruleId: RULE,
    outcome: 'gathered',
    sealedSummary: null,
  };
  const missed = linkIds.map((linkId) => ({
    ...{ ...decision, id: randomUUID(), eventId: randomUUID() },
    letters: [{ ...letter, linkId, discordUserId: linkId }],
  }));
  return transaction((tx) => gatherLetters(tx, { workspaceId: RULE, pageId: '1' }, missed));
}

type Ordered = [
  string,
  'message' | 'account_link',
  (ids: string[]) => Promise<unknown>,
  (() => Promise<unknown>)?,
];

/** Makes the messages lines of one card that wait in its channel. */
const asLines = () => db().message.updateMany({ data: { kind: 'reply', targetId: '1', pageId: '1' } });

const IN_ORDER: Ordered[] = [
  [
    'begins to wait for the end of a timeout',
    'message',
    async () => waitOutTimeout(await serverId(), leasedUntil),
    () => db().discordServer.updateMany({ data: { botTimedOutUntil: leasedUntil } }),
  ],
  ['ends a timeout', 'message', async () => endTimeouts(await serverId(), [])],
  ['drops the messages of a rule', 'message', () => transaction((tx) => dropMessages(tx, [RULE]))],
  ['gathers for people', 'account_link', gatherForPeople],
  ['begins to send lines', 'message', (ids) => noteTried(ids.map((id) => ({ id, at })))],
  ['opens a thread', 'message', () => openThread(about, card, '2'), asLines],
  ['lets lines wait for their card', 'message', () => putLinesBehind(about, '1'), asLines],
  ['opens closed inboxes', 'account_link', () => reopenInboxes(ACCOUNT)],
];

const serverId = async () => (await db().discordServer.findFirstOrThrow()).id;

test.each(IN_ORDER)('whatever %s locks each %s in the order of ids', async (_, table, act, prepare) => {
  const ids = [randomUUID(), randomUUID()].toSorted();
  await db().channelTurn.create({ data: { accountId: ACCOUNT, channelId: '2', leasedUntil } });
  for (const order of [ids, ids.toReversed()]) {
    await (table === 'message' ? addMessages(order) : addLinks(order));
    await prepare?.();
    const ends: Promise<unknown>[] = [];
    await whileLocked(`select 1 from ${table} where id = '${ids[0]}' for update`, async (blocked) => {
      ends.push(act(order));
      await blocked(1);
      const second = `select 1 from ${table} where id = '${ids[1]}' for update skip locked`;
      expect((await databasePool().query(second)).rowCount).toBe(1);
    });
    await Promise.all(ends);
  }
});
