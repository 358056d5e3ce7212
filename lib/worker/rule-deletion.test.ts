import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { databasePool, db, Prisma } from '@/lib/db/database';
import { tellPerson } from '@/lib/features/digests/tell-person';
import { takeBack } from '@/lib/features/letters/waiting-letter';
import { dropPaused } from '@/lib/features/outbox/drop-paused';
import { postAnew } from '@/lib/features/posted/post-anew';
import { dropMessage } from '@/lib/features/posted/thread-lines';
import { finishGathering } from '@/lib/features/reconciliation/finish-gathering';
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
    data: { ...own, id: LINK, discordUserId: '1', notionUserId: '1', notionDisplayName: '', digestDueAt: at },
  });
  await db().channelTurn.create({ data: { ...own, channelId: '1', leasedUntil } });
});

/** Adds a message of the rule that waits, a decision, and what tells them. */
async function add(kind: 'post' | 'edit' | 'letter', outcome: 'message' | 'gathered' = 'message') {
  const own = { accountId: ACCOUNT, ruleId: RULE, pageId: '1' };
  const tellsIn = outcome === 'message' ? known.id : null;
  const state = kind === 'post' && outcome === 'gathered' ? 'kept' : 'waiting';
  const sent = {
    accountId: ACCOUNT,
    sourceId: RULE,
    pageId: '1',
    targetId: '1',
    sealedBody: new Uint8Array(1),
  };
  await db().message.create({ data: { ...known, ...sent, kind, state } });
  const decision = { ...own, eventAt: at, outcome, messageId: tellsIn };
  await db().decision.create({ data: { ...decision, id: known.id, eventId: '1' } });
  await db().livingCard.create({ data: { ...own, channelId: '1', messageId: card.messageId, at } });
  const told = kind === 'letter' && outcome === 'message' ? { messageId: known.id, messageAt: at } : {};
  await db().letter.create({
    data: { ...own, decisionId: known.id, discordUserId: '1', eventAt: at, linkId: LINK, outcome, ...told },
  });
}

const CASES: [string, () => Promise<void>, () => Promise<unknown>][] = [
  ['posts a card anew', () => add('edit'), () => postAnew(about, card, 'card_deleted')],
  ['drops an edit', () => add('edit'), () => dropMessage(known)],
  ['drops what waits for rules that are off', () => add('post'), () => dropPaused(turn)],
  [
    'takes a letter back',
    () => add('letter'),
    () => takeBack({ ...known, sequence: 1n }, { outcome: 'gathered', tellAt: at }, ALWAYS),
  ],
  [
    'tells a digest to a person',
    () => add('letter', 'gathered'),
    () => tellPerson({ accountId: ACCOUNT, linkId: LINK }),
  ],
  ['tells what was missed', () => add('post', 'gathered'), () => finishGathering(ACCOUNT)],
];

test.each(CASES)(
  'whatever %s waits for a rule that is being deleted without holding what it has',
  async (_, given, act) => {
    await given();
    const ends: Promise<unknown>[] = [];
    const tables = ['message', 'decision', 'living_card', 'letter', 'account_link'];
    await whileLocked('select 1 from rule for update', async (blocked) => {
      const end = act();
      ends.push(end);
      const hasWaited = await Promise.race([blocked(1).then(() => true), end.then(() => false)]);
      expect(hasWaited).toBe(true);
      for (const table of tables) {
        const free = await databasePool().query(`select 1 from ${table} for update skip locked`);
        expect([table, free.rowCount]).toEqual([table, 1]);
      }
    });
    await Promise.all(ends);
  },
);
