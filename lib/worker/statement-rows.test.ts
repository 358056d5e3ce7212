import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Prisma } from '@/lib/db/database';
import type { RowShape } from '@/lib/db/row-shape';
import { claimPagesSql } from '@/lib/features/changes/claim-pages-sql';
import { COMMITTED_ROW, commitSql } from '@/lib/features/changes/commit-sql';
import {
  LOADED_ROW,
  loadSql,
  REST_ROW,
  RULE_ROW,
  restSql,
  rulesSql,
  unclaimedSql,
} from '@/lib/features/changes/load-sql';
import { NEXT_PAGE_ROW, nextPageSql } from '@/lib/features/changes/page-turns';
import { type CommitItem, emptyPlan } from '@/lib/features/changes/turn-plan';
import { tellSql } from '@/lib/features/clocks/tell-sql';
import { activitySql, LOOKED_ROW } from '@/lib/features/deliveries/activity-sql';
import { entrySql, LOG_ROW, logSql } from '@/lib/features/deliveries/log-sql';
import { NEWEST_ROW, newestSql } from '@/lib/features/deliveries/newest-sql';
import { RESENT_ROW, resendSql } from '@/lib/features/deliveries/resend-sql';
import { BACKLOG_ROW, backlogSql } from '@/lib/features/health/backlog-sql';
import { EVENT_ROW, eventsSql, KEPT_ROW, keptSql } from '@/lib/features/hindsight/past-sql';
import type { Letter } from '@/lib/features/letters/write-letters';
import { NEXT_CHANNEL_ROW, nextChannelSql } from '@/lib/features/outbox/claim-channels';
import { CLAIMED_ROW, claimSql } from '@/lib/features/outbox/claim-sql';
import { ENDED_ROW, endSql } from '@/lib/features/outbox/end-sql';
import { RECORDED_ROW, recordSql } from '@/lib/features/outbox/record-sql';
import { RESERVED_ROW, reserveSql } from '@/lib/features/outbox/reserve-sql';
import { UPSERTED_ROW, upsertDatabasesSql } from '@/lib/features/workspaces/upsert-databases-sql';
import { withoutNotify } from '@/lib/queue/local-turns';
import { withOwnDatabase } from '@/lib/testing/own-database';

const pool = withOwnDatabase();

// What a statement returns besides its shape because PostgreSQL runs a part of it only then, or with all columns of a
// part. Nobody reads it.
const NOT_READ = ['woken', 'page_id', 'event_id', 'workspace_id'];

/** The columns that a statement returns, with their types. */
async function columnsOf({ text, values }: Prisma.Sql): Promise<[string, string][]> {
  const { fields } = await pool().query({ text, values });
  const { rows } = await pool().query<{ oid: number; typname: string }>(
    'select oid::int, typname from pg_type where oid = any($1)',
    [fields.map(({ dataTypeID }) => dataTypeID)],
  );
  const types = new Map(rows.map(({ oid, typname }) => [oid, typname]));
  return fields
    .filter(({ name }) => !NOT_READ.includes(name))
    .map(({ name, dataTypeID }): [string, string] => [name, types.get(dataTypeID) ?? '']);
}

const ANY = Prisma.sql`true`;
const NO_CLAIM = { limit: 1, running: [], rotatedTo: null, leasedBy: null };
const SPAN = {
  accountId: randomUUID(),
  workspaceId: randomUUID(),
  databaseId: '',
  since: new Date(),
  most: 1,
  mostBytes: 1,
};
const LOOK = { accountId: randomUUID(), below: 1n, depth: 1, most: null, filter: {} };
const LOGGED = { rule: { id: randomUUID(), workspaceId: randomUUID() }, limit: 1 };

/** A turn whose plan has everything that a plan can have, so that the statement has all its parts. */
function fullTurn(): CommitItem {
  const ids = { id: randomUUID(), accountId: randomUUID(), ruleId: randomUUID() };
  const sealed = new Uint8Array(1);
  const decided = { ...ids, eventAt: new Date(), sealedSummary: null, isEarly: false };
  const card = { ...decided, channelId: '1', eventId: '1', sealedBody: sealed, rollUp: true };
  const move = {
    ...ids,
    what: 'card',
    channelId: '1',
    at: null,
    sealedBody: null,
    isNew: true,
    isFirst: false,
    isPost: false,
  } as const;
  const message = { id: randomUUID(), channelId: '1', sealedBody: sealed, rollUp: true };
  const person = { discordUserId: '1', linkId: randomUUID() };
  const letters: Letter[] = [
    { ...person, outcome: 'message', messageId: randomUUID(), sealedBody: sealed, tellAt: null },
    { ...person, outcome: 'gathered', messageId: null, sealedBody: null, tellAt: new Date() },
  ];
  return {
    turn: {
      workspaceId: randomUUID(),
      pageId: randomUUID(),
      version: 1,
      leasedUntil: new Date(),
      snapshotVersion: null,
      loadedAt: new Date(),
      workspace: { accountId: ids.accountId },
    } as CommitItem['turn'],
    plan: {
      ...emptyPlan(null),
      created: [
        { ...card, outcome: 'message', tellAt: null },
        { ...card, outcome: 'message', sealedBody: null, tellAt: null, letters },
        { ...card, outcome: 'gathered', sealedBody: null, tellAt: new Date() },
      ],
      changed: [{ ...decided, was: 'settling', outcome: 'message', message, tellAt: null }],
      living: [{ ...move, decisionId: null, discordMessageId: null }],
      echo: {
        echoId: randomUUID(),
        isDone: true,
        message: { kind: 'post', id: randomUUID(), sealedBody: sealed },
      },
      isForgotten: true,
    },
  };
}

const STATEMENTS: [string, RowShape, () => Prisma.Sql][] = [
  ['claims turns of pages', LOADED_ROW, () => loadSql(claimPagesSql(NO_CLAIM))],
  ['loads what is stored about a page', LOADED_ROW, () => loadSql(unclaimedSql(randomUUID(), ''))],
  ['loads the rest about them', REST_ROW, () => restSql([])],
  ['loads the rules about a page', RULE_ROW, () => rulesSql(randomUUID(), '', '')],
  ['finds when the next page is due', NEXT_PAGE_ROW, () => nextPageSql],
  ['saves turns of pages', COMMITTED_ROW, () => commitSql([], withoutNotify(undefined), ANY)],
  [
    'saves turns that decided everything at once',
    COMMITTED_ROW,
    () => commitSql([fullTurn()], withoutNotify(undefined), ANY),
  ],
  [
    'saves everything at once that the clock has found',
    { index: 'int4', hasWoken: 'bool' },
    () => tellSql([{ ...fullTurn(), ruleId: randomUUID(), mark: '', reminding: null }], SPAN),
  ],
  ['claims channels', CLAIMED_ROW, () => claimSql({ leasedBy: null, rotatedTo: null, limit: 1, shared: 1 })],
  ['finds when the next channel can be served', NEXT_CHANNEL_ROW, () => nextChannelSql],
  ['reserves notifications', RESERVED_ROW, () => reserveSql([], [], ANY)],
  ['records calls', RECORDED_ROW, () => recordSql([], ANY)],
  ['ends messages', ENDED_ROW, () => endSql({}, 'failed', '')],
  ['shows what waits', BACKLOG_ROW, () => backlogSql],
  ['reads a log', LOG_ROW, () => logSql({ ...LOGGED, show: 'all' })],
  ['reads what was posted', LOG_ROW, () => logSql({ ...LOGGED, show: 'posted' })],
  ['reads one entry of a log', LOG_ROW, () => entrySql(LOGGED.rule, randomUUID())],
  ['looks at what rules made of events', LOOKED_ROW, () => activitySql({ ...LOOK, isOld: false })],
  ['looks at what they said long ago', LOOKED_ROW, () => activitySql({ ...LOOK, isOld: true })],
  ['sends a card again', RESENT_ROW, () => resendSql(randomUUID(), randomUUID(), randomUUID())],
  ['finds the newest cards', NEWEST_ROW, () => newestSql([])],
  ['reads past events', EVENT_ROW, () => eventsSql({ ...SPAN, databaseIds: [SPAN.databaseId] })],
  ['reads what was kept of them', KEPT_ROW, () => keptSql(SPAN)],
  [
    'stores databases',
    UPSERTED_ROW,
    () => upsertDatabasesSql(randomUUID(), { databases: [], askedAt: new Date() }),
  ],
];

test.each(STATEMENTS)(
  'what the statement that %s returns is of the shape of its row',
  async (_, shape, sql) => {
    const expected = Object.entries(shape).map(([name, type]) => [name, type.replace('?', '')]);
    expect(Object.fromEntries(await columnsOf(sql()))).toEqual(Object.fromEntries(expected));
  },
);
