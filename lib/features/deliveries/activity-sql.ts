import { Prisma } from '@/lib/db/database';
import { lookedUp } from '@/lib/db/planner-hints';
import type { RowOf, RowShape } from '@/lib/db/row-shape';
import { LIMIT_OF_MESSAGE } from '../calls/current-limit';
import { EVERYTHING } from '../matching/words';
import {
  DECIDED,
  DECISIONS_SINCE,
  DIGEST_OF_ENTRY,
  ENTRY_COLUMNS,
  ENTRY_ROW,
  IS_ENTRY,
  MESSAGE_OF_ENTRY,
  saidSql,
} from './log-sql';
import type { ActivityOutcome } from './schema';

const ACTIVITY_ROW = {
  ...ENTRY_ROW,
  ruleId: 'uuid',
  pageId: 'text?',
  /** What people call the rule; null when they gave it no name. */
  givenName: 'text?',
  sourceName: 'text',
  /** What the rule is about. */
  ruleEventType: 'event_type',
  /** Where the rule posts now. */
  ruleChannelId: 'text',
  ruleChannelName: 'text',
  /** To whom it speaks, as stored. */
  destination: 'jsonb',
} as const satisfies RowShape;

/** An entry of a rule's log, and whose it is. */
export type ActivityRow = RowOf<typeof ACTIVITY_ROW>;

/** The last entry that was looked at; null when nothing is left below. */
const END_ROW = { endSequence: 'int8?', endAt: 'timestamptz?' } as const satisfies RowShape;

/** A row of `activitySql`: how far it has looked, and what it found there. */
export const LOOKED_ROW = { ...END_ROW, ...ACTIVITY_ROW } as const satisfies RowShape;

/** Null throughout, but for the end, when nothing was found. */
export type LookedRow = RowOf<typeof END_ROW> & Partial<ActivityRow>;

export interface Look {
  accountId: string;
  /** Only entries below this position. */
  below: bigint;
  /** Whether to look at the time before the oldest kept decision, at messages without details. */
  isOld: boolean;
  /** How many entries of each lane are looked at. */
  depth: number;
  /** How many entries to return if nothing is filtered out; null for all. */
  most: number | null;
  filter: {
    rule?: string | undefined;
    channel?: string | undefined;
    outcome?: ActivityOutcome | undefined;
    person?: string | undefined;
  };
}

// One statement reads at most this much of sealed details, plus the last entry's.
const DETAILS_MAX_BYTES = 4 * 1024 * 1024;

/**
 * Looks at one part of the log of all rules of an account, newest first, and returns what passes the filter:
 *
 * 1. reads the newest entries below a position, up to `depth` in each lane (`found`). A lane is a set of entries that
 *    an index has in this order, usually those of a rule (`mine`);
 * 2. finds the position above which this is complete (`ended`): a lane with `depth` entries may have more below its
 *    last one, and the size of the details is limited. Everything below that position is left for the next look;
 * 3. finds how far the messages of these entries got (`told`), and applies the filter (`passed`).
 *
 * However many entries there are, it reads no more than `depth` of each lane. Always returns a row.
 */
export function activitySql({ accountId, below, isOld, depth, most, filter }: Look): Prisma.Sql {
  const { rule = null, channel = null, outcome, person = null } = filter;
  const state = outcome === 'posted' ? 'sent' : (outcome ?? null);
  const newest = Prisma.sql`and sequence < ${below} order by sequence desc limit ${depth}`;
  return Prisma.sql`
    with mine as materialized (
      select r.id, r.workspace_id, r.channel_id, r.channel_name, r.name as given_name, r.event_type, r.destination,
        coalesce(d.name, p.title, ${EVERYTHING}) as name
      from rule r left join notion_database d on d.workspace_id = r.workspace_id and d.id = r.database_id
        left join notion_page p on p.workspace_id = r.workspace_id and p.id = r.page_id
      where r.account_id = ${accountId}::uuid and (${rule}::uuid is null or r.id = ${rule}::uuid)
    ), found as materialized (
      ${Prisma.join(lanesOf(accountId, isOld ? 'old' : outcome, newest), ' union all ')}
    ), ended as (
      select sequence, at from found where sequence = (
        select max(sequence) from (
          select min(sequence) as sequence from found group by kind, lane having count(*) >= ${depth}
          union all
          select sequence from (
            select sequence, sum(octet_length(sealed_summary)) over (order by sequence desc) as bytes from found) read
          where bytes > ${DETAILS_MAX_BYTES}) as stop) limit 1
    ), told as (
      select ${ENTRY_COLUMNS}, e.rule_id as "ruleId", e.page_id, e.event_id
      from (
        select * from found where sequence >= coalesce((select sequence from ended), 0)
        order by sequence desc limit ${most}
      ) e left join lateral (${MESSAGE_OF_ENTRY}) m on true ${DIGEST_OF_ENTRY} ${LIMIT_OF_MESSAGE}
    ), passed as (
      select t.*, r.workspace_id, r.name as "sourceName", r.channel_id as "ruleChannelId",
        r.channel_name as "ruleChannelName", r.given_name as "givenName", r.event_type as "ruleEventType",
        r.destination
      from told t join mine r on r.id = t."ruleId"
      where (${state}::text is null or state = ${state})
        and (${channel}::text is null or coalesce("channelId", r.channel_id) = ${channel})
        and (${person}::text is null or exists (select 1 from notion_event
          where workspace_id = r.workspace_id and id = ${lookedUp('t.event_id')}
            and ${person} = any(authors || written_for)))
    )
    select ended.sequence as "endSequence", ended.at as "endAt", p.*, v.type as "eventType",
      coalesce(p.page_id, (select page_id from card where message_id = p.id and at = p."eventAt" limit 1)) as "pageId"
    from (select 1) always left join ended on true left join passed p on true
    left join lateral (
      select type from notion_event where workspace_id = p.workspace_id and id = ${lookedUp('p.event_id')} limit 1
    ) v on true
    order by p.sequence desc`;
}

/**
 * The lanes that hold all entries of an outcome. Waiting entries are found by channels and people with waiting messages
 * and by rules that tell several things together, settling ones by the account.
 */
function lanesOf(
  accountId: string,
  which: ActivityOutcome | 'old' | undefined,
  newest: Prisma.Sql,
): Prisma.Sql[] {
  const byRule = (kind: 'decided' | 'said' | 'told', entries: Prisma.Sql) => Prisma.sql`
    select ${Prisma.raw(`'${kind}'`)} as kind, mine.id::text as lane, e.* from mine cross join lateral (${entries}) e`;
  const said = (when: Prisma.Sql) =>
    byRule('said', saidSql(Prisma.sql`source_id = mine.id and ${IS_ENTRY} and ${when} ${newest}`));
  const decided = (when: Prisma.Sql) =>
    Prisma.sql`select ${DECIDED} from decision where ${when} and event_at >= ${DECISIONS_SINCE} ${newest}`;
  const toldByAnother = byRule(
    'told',
    decided(Prisma.sql`rule_id = mine.id and outcome = 'gathered' and id <> message_id`),
  );
  switch (which) {
    case 'old':
      return [said(Prisma.sql`state <> 'kept' and at < ${DECISIONS_SINCE}`)];
    case 'settling': {
      const settling = decided(Prisma.sql`account_id = ${accountId}::uuid and outcome = 'settling'`);
      return [Prisma.sql`select 'settling' as kind, '' as lane, e.* from (${settling}) e`];
    }
    case 'waiting': {
      const waiting = (target: Prisma.Sql) =>
        saidSql(
          Prisma.sql`target_id = ${target} and state = 'waiting' and kind <> 'direct' and ${IS_ENTRY} ${newest}`,
        );
      return [
        Prisma.sql`select 'waiting' as kind, t.channel_id as lane, e.* from channel_turn t
          cross join lateral (${waiting(Prisma.sql`t.channel_id`)}) e where t.account_id = ${accountId}::uuid`,
        Prisma.sql`select 'talk' as kind, c.id::text as lane, e.* from conversation c
          cross join lateral (${waiting(Prisma.sql`c.id::text`)}) e where c.account_id = ${accountId}::uuid`,
        toldByAnother,
      ];
    }
    case 'failed':
      return [said(Prisma.sql`state = 'failed'`), toldByAnother];
    case 'posted':
    case 'held':
      return [said(Prisma.sql`state <> 'kept'`), toldByAnother];
    default:
      return [byRule('decided', decided(Prisma.sql`rule_id = mine.id`))];
  }
}
