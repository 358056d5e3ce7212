import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Prisma } from '@/lib/db/database';
import type { RowShape } from '@/lib/db/row-shape';
import { claimPagesSql } from '@/lib/features/changes/claim-pages-sql';
import { COMMITTED_ROW, commitSql } from '@/lib/features/changes/commit-sql';
import { givenSql, LOADED_ROW, loadSql, REST_ROW, restSql } from '@/lib/features/changes/load-sql';
import { type CommitItem, nothing } from '@/lib/features/changes/turn-plan';
import { tellSql } from '@/lib/features/clocks/tell-sql';
import { UPSERTED_ROW, upsertDatabasesSql } from '@/lib/features/connections/upsert-databases-sql';
import { entrySql, LOG_ROW, logSql } from '@/lib/features/deliveries/log-sql';
import { NEWEST_ROW, newestSql } from '@/lib/features/deliveries/newest-sql';
import { RESENT_ROW, resendSql } from '@/lib/features/deliveries/resend-sql';
import { BACKLOG_ROW, backlogSql } from '@/lib/features/health/backlog-sql';
import { EVENT_ROW, eventsSql, KEPT_ROW, keptSql } from '@/lib/features/hindsight/past-sql';
import { CLAIMED_ROW, claimSql } from '@/lib/features/outbox/claim-sql';
import { ENDED_ROW, endSql } from '@/lib/features/outbox/end-sql';
import { PLACED_ROW, placeSql } from '@/lib/features/outbox/place-sql';
import { RECORDED_ROW, recordSql } from '@/lib/features/outbox/record-sql';
import { heardBy } from '@/lib/queue/hear-here';
import { withOwnDatabase } from '@/lib/testing/own-database';

const pool = withOwnDatabase();

// A column outside the shape, which nobody reads: PostgreSQL runs a part of the statement only if something reads it.
const NOT_READ = 'woken';

/** The columns that a statement returns, with their types. */
async function columnsOf({ text, values }: Prisma.Sql): Promise<[string, string][]> {
  const { fields } = await pool().query({ text, values });
  const { rows } = await pool().query<{ oid: number; typname: string }>(
    'select oid::int, typname from pg_type where oid = any($1)',
    [fields.map(({ dataTypeID }) => dataTypeID)],
  );
  const types = new Map(rows.map(({ oid, typname }) => [oid, typname]));
  return fields
    .filter(({ name }) => name !== NOT_READ)
    .map(({ name, dataTypeID }): [string, string] => [name, types.get(dataTypeID) ?? '']);
}

const NO_CLAIM = { limit: 1, running: [], cursor: null, leasedBy: null };
const SPAN = {
  accountId: randomUUID(),
  workspaceId: randomUUID(),
  databaseId: '',
  since: new Date(),
  most: 1,
  mostBytes: 1,
};
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
      ...nothing(null),
      created: [
        { ...card, outcome: 'message', tellAt: null },
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
  ['loads turns of pages', LOADED_ROW, () => loadSql(givenSql([]))],
  ['loads the rest about them', REST_ROW, () => restSql([])],
  ['saves turns of pages', COMMITTED_ROW, () => commitSql([], heardBy(undefined))],
  [
    'saves turns that decided everything at once',
    COMMITTED_ROW,
    () => commitSql([fullTurn()], heardBy(undefined)),
  ],
  [
    'saves everything at once that the clock has found',
    { index: 'int4', hasWoken: 'bool' },
    () => tellSql([{ ...fullTurn(), ruleId: randomUUID(), mark: '' }], SPAN),
  ],
  ['claims channels', CLAIMED_ROW, () => claimSql(null, 1)],
  ['takes places', PLACED_ROW, () => placeSql([], [])],
  ['records calls', RECORDED_ROW, () => recordSql([])],
  ['ends messages', ENDED_ROW, () => endSql({}, 'failed', '')],
  ['shows what waits', BACKLOG_ROW, () => backlogSql],
  ['reads a log', LOG_ROW, () => logSql({ ...LOGGED, show: 'all' })],
  ['reads what was posted', LOG_ROW, () => logSql({ ...LOGGED, show: 'posted' })],
  ['reads one entry of a log', LOG_ROW, () => entrySql(LOGGED.rule, randomUUID())],
  ['sends a card again', RESENT_ROW, () => resendSql(randomUUID(), randomUUID(), randomUUID())],
  ['finds the newest cards', NEWEST_ROW, () => newestSql([])],
  ['reads past events', EVENT_ROW, () => eventsSql({ ...SPAN, databaseIds: [SPAN.databaseId] })],
  ['reads what was kept of them', KEPT_ROW, () => keptSql(SPAN)],
  ['stores databases', UPSERTED_ROW, () => upsertDatabasesSql(randomUUID(), [])],
];

test.each(STATEMENTS)(
  'what the statement that %s returns is of the shape of its row',
  async (_, shape, sql) => {
    const expected = Object.entries(shape).map(([name, type]) => [name, type.replace('?', '')]);
    expect(Object.fromEntries(await columnsOf(sql()))).toEqual(Object.fromEntries(expected));
  },
);
