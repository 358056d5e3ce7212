import { isForeignKeyViolation, Prisma, runStatement } from '@/lib/db/database';
import { enqueueRowsSql } from '@/lib/queue/enqueue';
import { inBatches } from '@/lib/queue/in-batches';
import { completeCardJob } from './complete-card';
import type { ClaimedTurn, LoadedTurn } from './load-turns';
import type { SkipReason } from './match';
import { wakeChannelsSql } from './wake-channels';

/** What a rule made of an event. */
export interface NewDelivery {
  id: string;
  accountId: string;
  ruleId: string;
  channelId: string;
  eventId: string;
  eventAt: Date;
  state: 'settling' | 'waiting' | 'skipped';
  reason: SkipReason | null;
  /** Null when nobody has read the page. */
  sealedSummary: Uint8Array | null;
  sealedMessage: Uint8Array | null;
  isEarly: boolean;
}

/** What becomes of a card whose new page had not settled. */
export interface ChangedDelivery {
  id: string;
  eventAt: Date;
  was: 'settling' | 'waiting' | 'sent';
  state: 'waiting' | 'skipped' | 'sent';
  reason: SkipReason | null;
  sealedSummary: Uint8Array | null;
  /** The card to post, or the one that a posted card is to become. */
  sealedMessage: Uint8Array | null;
  isEarly: boolean;
}

/** What a turn has decided; it is saved as a whole or not at all. */
export interface TurnPlan {
  /** When to look again, on the database's clock; null when nothing is left to do. */
  dueAt: Date | null;
  finished: { id: string; outcome: string }[];
  created: NewDelivery[];
  changed: ChangedDelivery[];
  /** What the page looks like now, when it differs from what was known. */
  snapshot: { databaseId: string; sealed: Uint8Array } | null;
  /** Whether the page is gone, with what was known of it. */
  isForgotten: boolean;
}

export type Commit = { dueInMs: number | null } | 'stale';

interface Item {
  turn: ClaimedTurn & Pick<LoadedTurn, 'snapshotVersion'>;
  plan: TurnPlan;
}

const LARGEST_BATCH = 100;

const commitInBatches = inBatches(commitTurns, LARGEST_BATCH);

/**
 * Saves what a turn has decided and ends its lease. Says `stale` and writes nothing when the lease was lost, or
 * when what the decision stands on has changed: the page's snapshot, or a rule that is gone.
 */
export async function commitTurn(turn: LoadedTurn, plan: TurnPlan): Promise<Commit> {
  try {
    return await commitInBatches({ turn, plan });
  } catch (error) {
    if (isForeignKeyViolation(error)) return 'stale';
    throw error;
  }
}

const COMPLETE_CHANGED = enqueueRowsSql(completeCardJob, {
  payload: { deliveryId: Prisma.sql`id`, eventAt: Prisma.sql`event_at` },
  accountId: Prisma.sql`account_id`,
  from: Prisma.sql`changed where state = 'sent' and "hasCard"`,
  inMs: 0,
});

/**
 * One statement for many turns. The disk is not waited for: a decision that a crash of the database loses is made again,
 * and before any of its cards is posted, the card's place is written to the disk, with all that came before it. What it
 * waits for is locked from the account down, as whoever deletes any of it does: the other way round, the two would wait
 * for each other.
 */
async function commitTurns(items: Item[]): Promise<Commit[]> {
  const workspaceIds = items.map(({ turn }) => turn.workspaceId);
  const rows = await runStatement<{ place: number; dueInMs: number | null }>(Prisma.sql`
    with item as materialized (
      select * from json_to_recordset(${turnsJson(items)}::json) as i(place int, "workspaceId" uuid, "pageId" text,
        version int, lease timestamptz, "dueAt" timestamptz, "databaseId" text, snapshot text,
        "snapshotVersion" int, "isForgotten" boolean)
    ), held as materialized (
      select w.id from notion_workspace w join account a on a.id = any(array[w.account_id])
      where w.id = any(${workspaceIds}::uuid[])
      order by a.id, w.id for key share of a, w
    ), live as materialized (
      select i.*, t.version = i.version as "isQuiet"
      from (select i.* from item i join held h on h.id = i."workspaceId" order by i."workspaceId", i."pageId") i
      cross join lateral (
        select version from page_turn
        where workspace_id = i."workspaceId" and page_id = i."pageId" and leased_until = i.lease
        limit 1 for update
      ) t
    ), saved as (
      insert into page_snapshot (workspace_id, page_id, database_id, sealed_values, version)
      select "workspaceId", "pageId", "databaseId", decode(snapshot, 'base64'), coalesce("snapshotVersion", 0) + 1
      from live where snapshot is not null
      on conflict (workspace_id, page_id) do update
      set database_id = excluded.database_id, sealed_values = excluded.sealed_values, version = excluded.version,
        updated_at = now()
      where page_snapshot.version = excluded.version - 1
      returning workspace_id, page_id
    ), decided as materialized (
      select l.*, case when "isQuiet" then "dueAt" else date_trunc('milliseconds', now()) end as "nextAt" from live l
      where snapshot is null or exists (
        select 1 from saved s where s.workspace_id = l."workspaceId" and s.page_id = l."pageId")
    ), forgotten as (
      delete from page_snapshot s using decided d
      where d."isForgotten" and s.workspace_id = d."workspaceId" and s.page_id = d."pageId"
    ), finished as (
      update notion_event e set processed_at = now(), outcome = f.outcome
      from json_to_recordset(${finishedJson(items)}::json) as f(place int, "workspaceId" uuid, id text,
        outcome text)
      where e.workspace_id = f."workspaceId" and e.id = f.id
        and f.place in (select place from decided)
    ), created as (
      insert into delivery (id, event_at, account_id, rule_id, event_id, page_id, channel_id, state, reason,
        sealed_summary, sealed_message, is_early)
      select c.id, c."eventAt", c."accountId", c."ruleId", c."eventId", d."pageId", c."channelId", c.state, c.reason,
        decode(c."sealedSummary", 'base64'), decode(c."sealedMessage", 'base64'), c."isEarly"
      from json_to_recordset(${createdJson(items)}::json) as c(place int, nr int, id uuid, "eventAt" timestamptz,
        "accountId" uuid, "ruleId" uuid, "eventId" text, "channelId" text, state text, reason text,
        "sealedSummary" text, "sealedMessage" text, "isEarly" boolean)
      join decided d using (place) join rule r on r.id = c."ruleId"
      order by c.nr
      on conflict (rule_id, event_id, event_at) do nothing
      returning account_id, channel_id, state
    ), changed as (
      update delivery v set state = c.state, reason = case when c.was = 'settling' then c.reason else v.reason end, is_early = c."isEarly",
        sealed_summary = coalesce(decode(c."sealedSummary", 'base64'), v.sealed_summary),
        sealed_message = coalesce(decode(c."sealedMessage", 'base64'), v.sealed_message),
        sequence = case when c.was = 'settling' and c.state = 'waiting' then nextval('delivery_sequence_seq') else v.sequence end,
        finished_at = case when c.state = 'skipped' then now() else v.finished_at end
      from json_to_recordset(${changedJson(items)}::json) as c(place int, id uuid, "eventAt" timestamptz, was text,
        state text, reason text, "sealedSummary" text, "sealedMessage" text, "isEarly" boolean)
      join decided d using (place)
      where v.id = c.id and v.event_at = c."eventAt" and v.state = c.was
      returning v.id, v.event_at, v.account_id, v.channel_id, v.state, c."sealedMessage" is not null as "hasCard"
    ), ringing as materialized (
      select channel_id, account_id from created where state = 'waiting'
      union select channel_id, account_id from changed where state = 'waiting' and "hasCard"
      order by channel_id
    ), rung as (
      ${wakeChannelsSql(Prisma.sql`select channel_id, account_id from ringing`)}
    ), completed as materialized (
      ${COMPLETE_CHANGED}
    ), ended as (
      delete from page_turn t using decided d
      where d."nextAt" is null and t.workspace_id = any(array[d."workspaceId"]) and t.page_id = any(array[d."pageId"])
    ), released as (
      update page_turn t set leased_until = '-infinity', leased_by = null, due_at = d."nextAt"
      from decided d
      where d."nextAt" is not null
        and t.workspace_id = any(array[d."workspaceId"]) and t.page_id = any(array[d."pageId"])
    )
    select place, extract(epoch from "nextAt" - now())::float8 * 1000 as "dueInMs",
      (select count(*) from completed) as "otherWork"
    from decided where set_config('synchronous_commit', 'off', true) = 'off'`);
  const saved = new Map(rows.map(({ place, dueInMs }) => [place, { dueInMs }]));
  return items.map((_, place) => saved.get(place) ?? 'stale');
}

function turnsJson(items: Item[]): string {
  return JSON.stringify(
    items.map(({ turn, plan }, place) => ({
      place,
      workspaceId: turn.workspaceId,
      pageId: turn.pageId,
      version: turn.version,
      lease: turn.leasedUntil,
      dueAt: plan.dueAt,
      databaseId: plan.snapshot?.databaseId,
      snapshot: plan.snapshot && base64(plan.snapshot.sealed),
      snapshotVersion: turn.snapshotVersion,
      isForgotten: plan.isForgotten,
    })),
  );
}

function finishedJson(items: Item[]): string {
  return JSON.stringify(
    items.flatMap(({ turn: { workspaceId }, plan }, place) =>
      plan.finished.map((event) => ({ place, workspaceId, ...event })),
    ),
  );
}

function createdJson(items: Item[]): string {
  const rows = items.flatMap(({ plan }, place) =>
    plan.created.map((row) => ({ place, ...sealedAsText(row) })),
  );
  return JSON.stringify(rows.map((row, nr) => ({ nr, ...row })));
}

function changedJson(items: Item[]): string {
  return JSON.stringify(
    items.flatMap(({ plan }, place) => plan.changed.map((row) => ({ place, ...sealedAsText(row) }))),
  );
}

function sealedAsText<T extends { sealedSummary: Uint8Array | null; sealedMessage: Uint8Array | null }>(
  row: T,
) {
  const { sealedSummary, sealedMessage } = row;
  return {
    ...row,
    sealedSummary: sealedSummary && base64(sealedSummary),
    sealedMessage: sealedMessage && base64(sealedMessage),
  };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
