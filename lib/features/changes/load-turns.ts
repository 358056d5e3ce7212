import { type Prisma, runStatement } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import { databaseTimeSince } from '@/lib/queue/database-clock';
import { type AccountClock, clockOf } from '../calendar/clock-of';
import type { KnownEcho } from '../echoes/plan-echo';
import type { Person } from '../links/people';
import type { KnownCard } from '../living/plan-living';
import { CREATED, type PageEvent } from '../matching/match';
import { openStored } from '../snapshots/stored-snapshots';
import type { PageWrite } from '../writes/page-writes';
import {
  type HalfLoaded,
  type LOADED_ROW,
  leasedSql,
  loadSql,
  type REST_ROW,
  type RULE_ROW,
  restSql,
  rulesSql,
  unclaimedSql,
} from './load-sql';
import type { ClaimedTurn, LoadedTurn, PendingEvent, Unsettled } from './loaded-turn';
import type { PipelineRule } from './pipeline-rules';

type Stored<T> = { [Key in keyof T]: T[Key] extends Date ? string : T[Key] };

interface Row extends RowOf<typeof LOADED_ROW> {
  clock: AccountClock;
  events: Stored<PendingEvent>[] | null;
  rules: PipelineRule[] | null;
  authors: ({ id: string; name: string | null } & Omit<Person, 'name'>)[] | null;
}

/** What `restSql` reads, for the turns that need it. */
interface Rest extends RowOf<typeof REST_ROW> {
  unsettled: (Omit<Stored<Unsettled>, 'event'> & { event: Stored<PageEvent> })[] | null;
  writes: Stored<PageWrite>[] | null;
  rules: PipelineRule[] | null;
}

/** Everything that is stored about a page, as a turn that nobody has claimed. Undefined if its workspace is gone. */
export const loadUnclaimed = async (workspaceId: string, pageId: string): Promise<LoadedTurn | undefined> =>
  (await loadFrom(unclaimedSql(workspaceId, pageId))).turns[0];

/** Loads a turn again. Undefined if its workspace is gone or its lease was lost. */
export const reloadTurn = async (turn: ClaimedTurn): Promise<LoadedTurn | undefined> =>
  (await loadFrom(leasedSql(turn))).turns[0];

/**
 * Everything that is stored about the turns that `source` selects, as `loadSql` takes it. A turn whose workspace is gone
 * is absent. Also returns the connection with which a claim's rotation ended; null at its end, without a rotation, and
 * without a turn.
 */
export async function loadFrom(
  source: Prisma.Sql,
): Promise<{ turns: LoadedTurn[]; rotatedTo: string | null }> {
  const askedAt = performance.now();
  const rows = await runStatement<Row>(loadSql(source));
  const unfinished = rows.filter(({ hasMore }) => hasMore);
  const rests = unfinished.length > 0 ? await loadRests(unfinished) : new Map<Row, Rest>();
  const turns = rows.map((row) => toLoadedTurn(row, rests.get(row), askedAt));
  return { turns, rotatedTo: rows[0]?.rotatedTo ?? null };
}

async function loadRests(rows: Row[]): Promise<Map<Row, Rest>> {
  const rests = await runStatement<Rest>(restSql(rows.map(toHalfLoaded)));
  return new Map(rests.map((rest) => [rows[rest.index] as Row, rest]));
}

function toHalfLoaded({ workspaceId, pageId, accountId, botId, events }: Row): HalfLoaded {
  const told = events ?? [];
  return {
    workspaceId,
    pageId,
    accountId,
    botId,
    databases: [...new Set(told.map(({ databaseId }) => databaseId))],
    since: told[0]?.occurredAt ?? null,
    hasCreated: told.some(({ type }) => type === CREATED),
    isOurs: told.some(({ authors }) => authors.includes(botId)),
  };
}

/** The rules that may concern a page of this database, for a page that is elsewhere than its events said. */
export async function loadRules(
  workspaceId: string,
  pageId: string,
  databaseId: string | null,
): Promise<PipelineRule[]> {
  const rows = await runStatement<RowOf<typeof RULE_ROW> & { rule: PipelineRule }>(
    rulesSql(workspaceId, pageId, databaseId),
  );
  return rows.map(({ rule }) => rule);
}

function toLoadedTurn(row: Row, rest: Rest | undefined, askedAt: number): LoadedTurn {
  const { workspaceId, pageId, version, leasedUntil, sealedSnapshot: sealed } = row;
  const known = sealed && openStored(sealed, workspaceId, pageId);
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
      known: new Map(
        row.authors?.map(({ id, name, discordUserId }) => [
          id,
          name === null ? null : { name, discordUserId },
        ]),
      ),
    },
    clock: clockOf(row.clock),
    blockedUntil: row.blockedUntil,
    snapshot: known?.values ?? null,
    isSnapshotLocked: known?.isLocked ?? false,
    snapshotVersion: row.snapshotVersion,
    events: (row.events ?? []).map((event) => ({
      ...toEvent(event),
      receivedAt: new Date(event.receivedAt),
    })),
    lastEventAt: rest?.lastEventAt ?? null,
    unsettled: (rest?.unsettled ?? []).map((one) => ({
      ...one,
      eventAt: new Date(one.eventAt),
      createdAt: new Date(one.createdAt),
      event: toEvent(one.event),
    })),
    writes: (rest?.writes ?? []).map((write) => ({ ...write, at: new Date(write.at) })),
    isCreationPending: rest?.isCreationPending ?? false,
    cards: (row.cards as KnownCard[] | null) ?? [],
    echo: row.echo as KnownEcho | null,
    rules: (rest ?? row).rules ?? [],
  };
}
