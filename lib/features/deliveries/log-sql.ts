import { Prisma } from '@/lib/db/database';
import type { RowOf, RowShape } from '@/lib/db/row-shape';
import { LIMIT_OF_MESSAGE } from '../calls/current-limit';
import type { DeliveryQuery } from './schema';

/** An entry of a log. */
export const ENTRY_ROW = {
  id: 'uuid',
  sequence: 'int8',
  state: 'text',
  /** Why an event was skipped, as a code. */
  reasonCode: 'text?',
  reason: 'text?',
  /** What is unusual about its message, as a code. */
  remark: 'text?',
  triedAt: 'timestamptz?',
  sealedSummary: 'bytea?',
  eventAt: 'timestamptz',
  finishedAt: 'timestamptz?',
  /** Where its message is, which may be a thread or a post; null without one. */
  placeId: 'text?',
  /** The channel of its message; null for the rule's channel. */
  channelId: 'text?',
  notBefore: 'timestamptz?',
  /** When the digest that it waits for is due. */
  digestAt: 'timestamptz?',
  attempts: 'int4',
  discordMessageId: 'text?',
  hasCard: 'bool',
  eventType: 'text?',
  /** Whether it was part of a flood, which one message counts. */
  isRolledUp: 'bool',
} as const satisfies RowShape;

export type EntryRow = RowOf<typeof ENTRY_ROW>;

/** An entry of a rule's log, with the people whom it concerns if the rule writes to people: see PEOPLE. */
export const LOG_ROW = { ...ENTRY_ROW, people: 'json?' } as const satisfies RowShape;

export type LogRow = RowOf<typeof LOG_ROW>;

interface LoggedRule {
  id: string;
  workspaceId: string;
}

interface Wanted extends DeliveryQuery {
  rule: LoggedRule;
}

// Far more than any summary has now. Summaries written before values were cut may have megabytes.
const SUMMARY_MAX_BYTES = 256 * 1024;

/** How long decisions are kept. Of older entries only the messages are left, without details. */
export const DECISIONS_KEPT_DAYS = 30;
export const DECISIONS_SINCE = Prisma.raw(`now() - interval '${DECISIONS_KEPT_DAYS} days'`);

const IS_TOLD_ELSEWHERE = Prisma.sql`(exists (
  select 1 from message where message.id = decision.message_id
    and (message.state <> 'waiting' or decision.id = decision.message_id))
  or exists (select 1 from flood where id = decision.message_id)
  or exists (select 1 from digest where digest.id = decision.message_id)
  or exists (select 1 from account_link where account_link.id = decision.message_id))`;

/**
 * Reads a page of a rule's log, newest first, and one entry more:
 *
 * 1. decisions of the last 30 days (`decided`), if all or only skipped entries are wanted;
 * 2. messages (`said`): of all times if only sent or failed ones are wanted, otherwise only those older than 30 days;
 * 3. changes that a message told together with others (`told`), if only sent or failed ones are wanted;
 * 4. for each entry its details, if they are still kept, and how far its message got.
 */
export function logSql({ rule, before, limit, show }: Wanted): Prisma.Sql {
  const older = before === undefined ? Prisma.empty : Prisma.sql`and sequence < ${BigInt(before)}`;
  const newest = Prisma.sql`${older} order by sequence desc limit ${limit + 1}`;
  // Literals instead of parameters, so that the planner sees that a partial index applies.
  const state = show === 'failed' ? Prisma.raw(`'failed'`) : Prisma.raw(`'sent'`);
  const isSkipped = Prisma.sql`and outcome not in ('message', 'settling')
    and not (outcome = 'gathered' and ${IS_TOLD_ELSEWHERE})`;
  const decided = Prisma.sql`
    select ${DECIDED} from decision
    where rule_id = ${rule.id}::uuid and event_at >= ${DECISIONS_SINCE}
      ${show === 'skipped' ? isSkipped : Prisma.empty} ${newest}`;
  const said = (which: Prisma.Sql) =>
    saidSql(Prisma.sql`source_id = ${rule.id}::uuid and ${IS_ENTRY} ${which} ${newest}`);
  const told = Prisma.sql`
    select ${DECIDED} from decision
    where rule_id = ${rule.id}::uuid and outcome = 'gathered' and id <> message_id and event_at >= ${DECISIONS_SINCE}
      and exists (select 1 from message where message.id = decision.message_id and message.state = ${state}) ${newest}`;
  const ended = Prisma.sql`(${said(Prisma.sql`and state = ${state}`)}) union all (${told})`;
  const old = (which: Prisma.Sql) =>
    said(Prisma.sql`and state <> 'kept' and at < ${DECISIONS_SINCE} and ${which}`);
  // Beside a full page of decisions only messages of the same positions are needed, which saves reading all younger
  // messages of the month in which the thirty days end.
  const isFull = Prisma.sql`(select count(*) from decided) > ${limit}`;
  const entries = {
    all: Prisma.sql`
      with decided as materialized (${decided})
      select * from decided
      union all (${old(Prisma.sql`${isFull} and sequence > (select min(sequence) from decided)`)})
      union all (${old(Prisma.sql`not ${isFull}`)})`,
    posted: ended,
    failed: ended,
    skipped: decided,
  };
  return toldSql(
    rule,
    Prisma.sql`select * from (${entries[show]}) found order by sequence desc limit ${limit + 1}`,
  );
}

/** Reads one entry of a rule's log; no row when it is not there. */
export function entrySql(rule: LoggedRule, deliveryId: string): Prisma.Sql {
  return toldSql(
    rule,
    Prisma.sql`
      (select ${DECIDED} from decision
        where id = ${deliveryId}::uuid and rule_id = ${rule.id}::uuid and event_at >= ${DECISIONS_SINCE} limit 1)
      union all
      (${saidSql(Prisma.sql`id = ${deliveryId}::uuid and source_id = ${rule.id}::uuid and ${IS_ENTRY}
        and state <> 'kept' and at < ${DECISIONS_SINCE} limit 1`)})`,
  );
}

/**
 * Whether a message is an entry of the log. An edit is one only if it is all that a decision led to, a flood's counter
 * and a notice of held messages never are, and of letters to several people only the first is.
 */
export const IS_ENTRY = Prisma.raw(
  `((kind <> 'edit' and kind <> 'counter' and kind <> 'letter' and kind <> 'notice') or decision_id = id)`,
);

/** The columns of a decision as an entry of the log. */
export const DECIDED = Prisma.raw(
  'rule_id, id, event_at as at, sequence, outcome, message_id, event_id, page_id, sealed_summary',
);

/** Messages as entries of the log, with what is still kept of the decisions that led to them. */
export const saidSql = (which: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select m.source_id as rule_id, m.id, m.at, m.sequence, coalesce(d.outcome, 'message') as outcome, m.id as message_id,
    d.event_id, d.page_id, d.sealed_summary
  from (select source_id, id, at, sequence from message where ${which}) m
  left join lateral (
    select outcome, event_id, page_id, sealed_summary from decision
    where id = m.id and event_at = m.at and event_at >= ${DECISIONS_SINCE} limit 1) d on true`;

/** Entries of a rule's log, newest first, with how far their messages got. */
function toldSql(rule: LoggedRule, entries: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select ${ENTRY_COLUMNS}, v.type as "eventType", ${PEOPLE} as people
    from (${entries}) e
    left join lateral (${MESSAGE_OF_ENTRY}) m on true
    ${DIGEST_OF_ENTRY} ${LIMIT_OF_MESSAGE}
    left join notion_event v on v.workspace_id = ${rule.workspaceId}::uuid and v.id = e.event_id
    order by e.sequence desc`;
}

/** Whether an entry `e` was part of a flood. */
const IS_ROLLED_UP = Prisma.sql`(e.outcome = 'gathered' and exists (select 1 from flood where id = e.message_id))`;

/** Whether an entry `e` has no message `m`, or shares one that still waits. */
const IS_MERGED = Prisma.sql`(m.id is null or (e.outcome = 'gathered' and m.state = 'waiting' and m.id <> e.id))`;

/**
 * The message that an entry `e` led to. Its own message has the same time, and so is in the same partition. For a flood
 * it is the current counter.
 */
export const MESSAGE_OF_ENTRY = Prisma.sql`
  (select * from message where id = e.message_id and at = e.at and state <> 'kept' limit 1)
  union all
  (select m.* from flood f join message m on m.id = f.message_id and m.at = f.message_at
    where e.outcome = 'gathered' and f.id = e.message_id limit 1)
  union all
  (select * from message where id = e.message_id and e.message_id <> e.id and state <> 'kept' limit 1)
  limit 1`;

/** Joins the digest `g` that an entry `e` waits for: its rule's, or the first one of a person whom it concerns. */
export const DIGEST_OF_ENTRY = Prisma.sql`
  left join lateral (
    select due_at from digest where e.outcome = 'gathered' and id = e.message_id
    union all
    select greatest(k.digest_due_at, l.tell_at) from account_link k
    left join letter l on l.decision_id = e.id and l.discord_user_id = k.discord_user_id
    where e.outcome = 'gathered' and k.id = e.message_id and k.digest_due_at is not null
    limit 1) g on true`;

/** A person whom an entry concerns, as PEOPLE reads it. */
export interface LoggedPerson {
  /** Null for somebody who is no longer linked. */
  name: string | null;
  outcome: string;
  /** The state of the person's message; null without one. */
  state: 'waiting' | 'sent' | 'held' | 'failed' | null;
  reason: string | null;
  /** Since when Discord may have been asked to post it; null before that, and if it certainly was not posted. */
  triedAt: string | null;
}

/** The LoggedPersons of an entry `e`, as JSON; null when its rule does not write to people. */
const PEOPLE = Prisma.sql`(
  select json_agg(json_build_object('name', k.notion_display_name, 'outcome', l.outcome, 'state', lm.state,
    'reason', lm.reason, 'triedAt', lm.tried_at) order by l.message_id is null, k.notion_display_name)
  from letter l left join account_link k on k.id = l.link_id
  left join lateral (
    select state, reason, tried_at from message where id = l.message_id and at = l.message_at limit 1) lm on true
  where l.decision_id = e.id)`;

/** Whether a message `m` is in a thread or a post, so that its channel is the rule's. */
const IS_BELOW = Prisma.raw(
  `(m.kind in ('reply', 'thread_start') or coalesce(m.target_id = m.discord_message_id, false))`,
);

/** The columns of an entry `e`, its message `m`, and the digest `g` and the limit `l` that it waits for. */
export const ENTRY_COLUMNS = Prisma.sql`
  e.id, e.sequence, ${IS_ROLLED_UP} as "isRolledUp", case when e.outcome = 'settling' then 'settling'
      when g.due_at is not null then 'waiting'
      when ${IS_ROLLED_UP} then coalesce(m.state::text, 'waiting')
      when ${IS_MERGED} then 'skipped' else m.state::text end as state,
    case when g.due_at is null and not ${IS_ROLLED_UP} and ${IS_MERGED} then e.outcome::text end as "reasonCode",
    g.due_at as "digestAt", coalesce(l.reason, m.reason) as reason, m.remark::text as remark, m.tried_at as "triedAt", e.at as "eventAt",
    m.finished_at as "finishedAt", m.target_id as "placeId",
    case when m.kind <> 'letter' and not ${IS_BELOW} then m.target_id end as "channelId",
    case when octet_length(e.sealed_summary) <= ${SUMMARY_MAX_BYTES} then e.sealed_summary end as "sealedSummary",
    greatest(m.not_before, l.until) as "notBefore", coalesce(m.attempts, 0) as attempts, m.discord_message_id as "discordMessageId",
    coalesce(m.id = e.id and m.kind = 'post' and m.sealed_body is not null, false) as "hasCard"`;
