import { UnknownKeyError } from '@/lib/crypto';
import { Prisma, runStatement } from '@/lib/db/database';
import { log } from '@/lib/log';
import { type DatabaseTime, databaseTimeSince } from '@/lib/queue/database-clock';
import { type PageWrite, TOLD_WITHIN_MS } from '../tasks/page-writes';
import { LINE_RULE, type LineRule } from './line-rules';
import type { PageEvent } from './match';
import { openSnapshot, type Snapshot } from './snapshot';

export interface PendingEvent extends PageEvent {
  databaseId: string | null;
  receivedAt: Date;
}

/** A new page that has not settled: its card waits, or was posted early and is to be completed. */
export interface Unsettled {
  id: string;
  eventAt: Date;
  ruleId: string;
  state: 'settling' | 'waiting' | 'sent';
  createdAt: Date;
  event: PageEvent;
}

export interface ClaimedTurn {
  workspaceId: string;
  pageId: string;
  /** The turn's version when it was claimed. */
  version: number;
  /** Until when it is ours, and what proves that it still is. */
  leasedUntil: Date;
}

/** A claimed turn with everything that a decision needs but the page itself. */
export interface LoadedTurn extends ClaimedTurn {
  databaseTime: DatabaseTime;
  workspace: { id: string; accountId: string; botId: string; sealedTokens: Uint8Array };
  /** Until when Notion answers this connection nothing. */
  blockedUntil: Date | null;
  snapshot: Snapshot | null;
  /** Whether there is a snapshot that this process does not have the key of; it is null here then. */
  isSnapshotLocked: boolean;
  snapshotVersion: number | null;
  /** In the order in which things happened. */
  events: PendingEvent[];
  /** When the last event of the page came in; only known while something is unsettled. */
  lastEventAt: Date | null;
  unsettled: Unsettled[];
  /** What our bot wrote for people in chat, oldest first. */
  writes: PageWrite[];
  /**
   * Whether our bot made the page, or any other, and has not heard its id yet. Read with the writes, so that the page
   * is either among them or pending.
   */
  isCreationPending: boolean;
  /** The rules of every database that the events name, oldest first. */
  rules: LineRule[];
}

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

// Whether a rule has a card of a page is asked by `is not distinct from`, which only the index of the pages serves: where
// most rules have few cards, the planner would take the rule's own, and read all the cards of one that has thousands.

/** Everything about claimed turns that is stored, in one statement. A turn whose workspace is gone is absent. */
export async function loadTurns(turns: ClaimedTurn[]): Promise<LoadedTurn[]> {
  const askedAt = performance.now();
  const rows = await runStatement<Row>(Prisma.sql`
    select now() as "loadedAt", t.workspace_id as "workspaceId", t.page_id as "pageId", w.account_id as "accountId",
      w.bot_id as "botId", w.sealed_tokens as "sealedTokens", l.blocked_until as "blockedUntil",
      s.sealed_values as "sealedSnapshot", s.version as "snapshotVersion",
      e.events, u.unsettled, x.writes, x."isCreationPending", x.rules, x."lastEventAt"
    from unnest(${turns.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${turns.map(({ pageId }) => pageId)}::text[]) as t(workspace_id, page_id)
    join notion_workspace w on w.id = any(array[t.workspace_id])
    left join rate_limit l on l.key = any(array['notion:' || t.workspace_id]) and l.blocked_until > now()
    left join lateral (
      select sealed_values, version from page_snapshot
      where workspace_id = t.workspace_id and page_id = t.page_id limit 1
    ) s on true
    cross join lateral (
      select json_agg(json_build_object('id', e.id, 'type', e.type, 'databaseId', e.database_id,
          'authors', e.authors, 'updatedProperties', e.updated_properties, 'occurredAt', e.occurred_at,
          'receivedAt', e.received_at) order by e.occurred_at, e.received_at, e.id) as events,
        array_agg(distinct e.database_id) as databases,
        min(e.occurred_at) as since,
        bool_or(e.type = 'page.created') as has_created,
        bool_or(w.bot_id = any(e.authors)) as is_ours
      from notion_event e
      where e.workspace_id = t.workspace_id and e.page_id = t.page_id and e.processed_at is null
    ) e
    cross join lateral (
      select json_agg(json_build_object('id', d.id, 'eventAt', d.event_at, 'ruleId', d.rule_id, 'state', d.state,
          'createdAt', d.created_at, 'event', json_build_object('id', o.id, 'type', o.type, 'authors', o.authors,
            'updatedProperties', o.updated_properties, 'occurredAt', o.occurred_at))
          order by d.sequence) as unsettled,
        array_agg(d.rule_id) as rules,
        min(d.event_at) as since,
        bool_or(w.bot_id = any(o.authors)) as is_ours
      from delivery d
      cross join lateral (
        select * from notion_event
        where workspace_id = t.workspace_id and id = d.event_id limit 1
      ) o
      where d.account_id = w.account_id and d.page_id = t.page_id and d.rule_id is not null
        and (d.state = 'settling' or d.is_early) and d.state in ('settling', 'waiting', 'sent')
    ) u
    cross join lateral (
      select
        case when e.is_ours or u.is_ours then (
          select json_agg(json_build_object('propertyId', p.property_id, 'discordUserId', p.discord_user_id,
            'channelId', p.channel_id, 'at', p.at) order by p.at)
          from page_write p
          where p.workspace_id = t.workspace_id and p.page_id = t.page_id
            and p.at > least(e.since, u.since) - ${TOLD_WITHIN_MS} * interval '1 millisecond') end as writes,
        case when e.has_created and e.is_ours then exists (
          select 1 from page_write p
          where p.workspace_id = t.workspace_id and p.page_id is null
            and p.at > now() - ${TOLD_WITHIN_MS} * interval '1 millisecond') end as "isCreationPending",
        case when u.unsettled is not null then (
          select max(v.received_at) from notion_event v
          where v.workspace_id = t.workspace_id and v.page_id = t.page_id) end as "lastEventAt",
        (select json_agg(${LINE_RULE}::jsonb || jsonb_build_object('hasPosted', coalesce(e.has_created, false) and (exists (
            select 1 from delivery g where g.page_id = t.page_id and g.rule_id is not distinct from r.id and g.state <> 'skipped')
            or exists (
            select 1 from delivery g where g.rule_id = r.id and g.page_id = t.page_id and g.reason = 'gathered')))
            order by r.created_at, r.id)
          from rule r join notion_database b on b.workspace_id = r.workspace_id and b.id = r.database_id
          where r.workspace_id = t.workspace_id and (r.database_id = any(e.databases) or r.id = any(u.rules))) as rules
    ) x`);
  const claimed = new Map(turns.map((turn) => [keyOf(turn), turn]));
  return rows.map((row) => toLoadedTurn(row, claimed.get(keyOf(row)) as ClaimedTurn, askedAt));
}

/** The rules of one database, for a page that turns out to stand in another one than its events said. */
export async function loadRules(
  workspaceId: string,
  pageId: string,
  databaseId: string,
): Promise<LineRule[]> {
  const rows = await runStatement<{ rule: LineRule }>(Prisma.sql`
    select ${LINE_RULE}::jsonb || jsonb_build_object('hasPosted', exists (
      select 1 from delivery g where g.page_id = ${pageId} and g.rule_id is not distinct from r.id and g.state <> 'skipped') or exists (
      select 1 from delivery g where g.rule_id = r.id and g.page_id = ${pageId} and g.reason = 'gathered')) as rule
    from rule r join notion_database b on b.workspace_id = r.workspace_id and b.id = r.database_id
    where r.workspace_id = ${workspaceId}::uuid and r.database_id = ${databaseId}
    order by r.created_at, r.id`);
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
