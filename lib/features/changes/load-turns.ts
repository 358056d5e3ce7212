import { UnknownKeyError } from '@/lib/crypto';
import { runStatement } from '@/lib/db/database';
import { log } from '@/lib/log';
import { databaseTimeSince } from '@/lib/queue/database-clock';
import type { PageEvent } from '../matching/match';
import { openSnapshot } from '../matching/snapshot';
import type { LineRule } from './line-rules';
import { loadSql, rulesSql } from './load-sql';
import type { ClaimedTurn, LoadedTurn, PendingEvent, Unsettled } from './loaded-turn';
import type { PageWrite } from './page-writes';

type Stored<T> = { [Key in keyof T]: T[Key] extends Date ? string : T[Key] };

interface Row extends ClaimedTurn {
  loadedAt: Date;
  accountId: string;
  botId: string;
  sealedTokens: Uint8Array;
  blockedUntil: Date | null;
  sealedSnapshot: Uint8Array | null;
  snapshotVersion: number | null;
  events: Stored<PendingEvent>[] | null;
  lastEventAt: Date | null;
  unsettled: (Omit<Stored<Unsettled>, 'event'> & { event: Stored<PageEvent> })[] | null;
  writes: Stored<PageWrite>[] | null;
  isCreationPending: boolean | null;
  rules: LineRule[] | null;
}

/** Everything about claimed turns that is stored, in one statement. A turn whose workspace is gone is absent. */
export async function loadTurns(turns: ClaimedTurn[]): Promise<LoadedTurn[]> {
  const askedAt = performance.now();
  const rows = await runStatement<Row>(loadSql(turns));
  const claimed = new Map(turns.map((turn) => [keyOf(turn), turn]));
  return rows.map((row) => toLoadedTurn(row, claimed.get(keyOf(row)) as ClaimedTurn, askedAt));
}

/** The rules of one database, for a page that turns out to stand in another one than its events said. */
export async function loadRules(
  workspaceId: string,
  pageId: string,
  databaseId: string,
): Promise<LineRule[]> {
  const rows = await runStatement<{ rule: LineRule }>(rulesSql(workspaceId, pageId, databaseId));
  return rows.map(({ rule }) => rule);
}

// What is damaged is as good as never seen.
function openKnown(
  sealed: Uint8Array | null,
  { workspaceId, pageId }: ClaimedTurn,
): Pick<LoadedTurn, 'snapshot' | 'isSnapshotLocked'> {
  try {
    return { snapshot: sealed && openSnapshot(sealed, workspaceId, pageId), isSnapshotLocked: false };
  } catch (error) {
    if (error instanceof UnknownKeyError) return { snapshot: null, isSnapshotLocked: true };
    log.warn({ err: error, workspaceId, pageId }, 'snapshot not opened');
    return { snapshot: null, isSnapshotLocked: false };
  }
}

const keyOf = ({ workspaceId, pageId }: { workspaceId: string; pageId: string }) =>
  `${workspaceId}:${pageId}`;

function toLoadedTurn(row: Row, claimed: ClaimedTurn, askedAt: number): LoadedTurn {
  const { workspaceId, pageId, version, leasedUntil } = claimed;
  const toEvent = <T extends { occurredAt: string }>(event: T) => ({
    ...event,
    occurredAt: new Date(event.occurredAt),
  });
  return {
    workspaceId,
    pageId,
    version,
    leasedUntil,
    loadedAt: row.loadedAt,
    databaseTime: databaseTimeSince(row.loadedAt, askedAt),
    workspace: {
      id: workspaceId,
      accountId: row.accountId,
      botId: row.botId,
      sealedTokens: row.sealedTokens,
    },
    blockedUntil: row.blockedUntil,
    ...openKnown(row.sealedSnapshot, claimed),
    snapshotVersion: row.snapshotVersion,
    events: (row.events ?? []).map((event) => ({
      ...toEvent(event),
      receivedAt: new Date(event.receivedAt),
    })),
    lastEventAt: row.lastEventAt,
    unsettled: (row.unsettled ?? []).map((one) => ({
      ...one,
      eventAt: new Date(one.eventAt),
      createdAt: new Date(one.createdAt),
      event: toEvent(one.event),
    })),
    writes: (row.writes ?? []).map((write) => ({ ...write, at: new Date(write.at) })),
    isCreationPending: row.isCreationPending ?? false,
    rules: row.rules ?? [],
  };
}
