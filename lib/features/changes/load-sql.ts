import { Prisma } from '@/lib/db/database';
import { lookedUp, sameAs } from '@/lib/db/planner-hints';
import type { RowShape } from '@/lib/db/row-shape';
import { ACCOUNT_CLOCK } from '../calendar/clock-of';
import { KNOWN_ECHO } from '../echoes/echo-sql';
import { PERSON_NAME, personSql } from '../links/people';
import { KNOWN_CARDS } from '../living/living-sql';
import { TOLD_WITHIN_MS } from '../writes/page-writes';
import type { ClaimedTurn } from './loaded-turn';
import { PIPELINE_RULE, pipelineRuleTables } from './pipeline-rules';

/** Whether the rule `r` has told of a page already: in a card, a digest or a direct message. */
const hasPostedSql = (page: Prisma.Sql) => Prisma.sql`(exists (
    select 1 from card k
    where k.rule_id = r.id and k.page_id = ${page} and k.account_id ${sameAs('r.account_id')})
  or exists (
    select 1 from decision g
    where g.rule_id = r.id and g.page_id = ${page} and g.outcome = 'gathered'
      and g.account_id ${sameAs('r.account_id')})
  or exists (
    select 1 from letter l
    where l.rule_id = r.id and l.page_id = ${page} and l.outcome in ('message', 'gathered')
      and l.account_id ${sameAs('r.account_id')}))`;

// Events of a page concern a clock rule only in a forum, where it keeps the page's post up to date.
const IS_TOLD = Prisma.raw(`(r.schedule is null or r.destination ->> 'kind' = 'forum')`);

/** Whether the rule `r` may concern pages of a database; a rule without one may concern all of its workspace. */
const concerns = (databaseId: Prisma.Sql) =>
  Prisma.sql`((r.database_id = ${databaseId} or r.database_id is null) and ${IS_TOLD})`;

const within = Prisma.sql`${TOLD_WITHIN_MS} * interval '1 millisecond'`;

/** Whether a decision `d` is about the page of `t` and may not have settled. */
const isUnsettled = Prisma.sql`d.page_id = t.page_id and (d.outcome = 'settling' or d.is_early)`;

/** A source for `loadSql`: a page, as if it had a turn. */
export const unclaimedSql = (workspaceId: string, pageId: string): Prisma.Sql => Prisma.sql`
    with turn as (
      select ${workspaceId}::uuid as workspace_id, ${pageId}::text as page_id, 0 as version, now() as leased_until,
        null::uuid as rotated_to
    )`;

/** A source for `loadSql`: this turn, if it is still leased as it says. */
export const leasedSql = ({ workspaceId, pageId, leasedUntil }: ClaimedTurn): Prisma.Sql => Prisma.sql`
    with turn as (
      select workspace_id, page_id, version, leased_until, null::uuid as rotated_to from page_turn
      where workspace_id = ${workspaceId}::uuid and page_id = ${pageId} and leased_until = ${leasedUntil}
    )`;

/** A row of `loadSql`. */
export const LOADED_ROW = {
  loadedAt: 'timestamptz',
  workspaceId: 'uuid',
  pageId: 'text',
  version: 'int4',
  leasedUntil: 'timestamptz',
  accountId: 'uuid',
  botId: 'text',
  sealedTokens: 'bytea',
  blockedUntil: 'timestamptz?',
  clock: 'json',
  sealedSnapshot: 'bytea?',
  snapshotVersion: 'int4?',
  events: 'json?',
  hasMore: 'bool',
  rules: 'json?',
  cards: 'json?',
  echo: 'json?',
  authors: 'json?',
  rotatedTo: 'uuid?',
} as const satisfies RowShape;

/**
 * Reads what is stored about turns. `source` is a WITH whose part `turn` has their workspace_id, page_id, version and
 * leased_until, and rotated_to, the connection with which a claim's rotation ended.
 *
 * 1. the connection of each page, the clock of its account, until when Notion refuses its calls, the page's snapshot,
 *    its living cards, and the message from which it was made (`w`, `a`, `l`, `s`);
 * 2. its new events, in the order in which they happened (`e`);
 * 3. whether `restSql` has to read more (`m`);
 * 4. if not, the rules of every database that the events name, of pages and of workspaces. Also the authors, if there
 *    is only one turn: of many turns, those that post look up their authors together.
 */
export const loadSql = (source: Prisma.Sql): Prisma.Sql => Prisma.sql`
    ${source}
    select now() as "loadedAt", t.workspace_id as "workspaceId", t.page_id as "pageId", t.version,
      t.leased_until as "leasedUntil", w.account_id as "accountId",
      w.bot_id as "botId", w.sealed_tokens as "sealedTokens", l.blocked_until as "blockedUntil",
      ${ACCOUNT_CLOCK} as clock,
      s.sealed_values as "sealedSnapshot", s.version as "snapshotVersion", e.events, m.more as "hasMore",
      case when not m.more then (
        select json_agg(${PIPELINE_RULE}::jsonb || '{"hasPosted": false}' order by r.created_at, r.id)
        from rule r ${pipelineRuleTables(Prisma.sql`e.databases[1]`)}
        where r.workspace_id = t.workspace_id and ${concerns(Prisma.sql`any(e.databases)`)}) end as rules,
      ${KNOWN_CARDS} as cards, ${KNOWN_ECHO} as echo,
      case when (select count(*) from turn) = 1 then (
        select json_agg(json_build_object('id', p.id, 'name', ${PERSON_NAME}, 'discordUserId', k.discord_user_id))
        from (select distinct author as id
          from json_array_elements(e.events) told, json_array_elements_text(told -> 'authors') author) p
        ${personSql({ workspaceId: Prisma.sql`t.workspace_id`, accountId: Prisma.sql`w.account_id` })}) end as authors,
      t.rotated_to as "rotatedTo"
    from turn t
    join notion_workspace w on w.id = ${lookedUp('t.workspace_id')}
    join account a on a.id = ${lookedUp('w.account_id')}
    left join rate_limit l on l.key = ${lookedUp(`'notion:' || t.workspace_id`)} and l.blocked_until > now()
    left join lateral (
      select sealed_values, version from page_snapshot
      where workspace_id = t.workspace_id and page_id = t.page_id limit 1
    ) s on true
    cross join lateral (
      select json_agg(json_build_object('id', e.id, 'type', e.type, 'databaseId', e.database_id,
          'parentKind', e.parent_kind, 'parentId', e.parent_id, 'commentId', e.comment_id, 'authors', e.authors,
          'botAuthors', e.bot_authors, 'updatedProperties', e.updated_properties, 'occurredAt', e.occurred_at,
          'receivedAt', e.received_at) order by e.occurred_at, e.received_at, e.id) as events,
        array_agg(distinct e.database_id) as databases,
        coalesce(bool_or(e.type = 'page.created' or w.bot_id = any(e.authors)), false) as is_special
      from notion_event e
      where e.workspace_id = t.workspace_id and e.page_id = t.page_id and e.processed_at is null
    ) e
    cross join lateral (
      select e.is_special or exists (
        select 1 from decision d where d.account_id = w.account_id and ${isUnsettled}) as more
    ) m`;

/** A turn of which `loadSql` has read the first part. */
export interface HalfLoaded {
  workspaceId: string;
  pageId: string;
  accountId: string;
  botId: string;
  /** The databases of its events. */
  databases: (string | null)[];
  since: string | null;
  hasCreated: boolean;
  isOurs: boolean;
}

/** A row of `restSql`: the rest about the turn with this index. */
export const REST_ROW = {
  index: 'int4',
  unsettled: 'json?',
  writes: 'json?',
  isCreationPending: 'bool?',
  lastEventAt: 'timestamptz?',
  rules: 'json?',
} as const satisfies RowShape;

/**
 * Reads the rest about turns of new pages, of cards that have not settled, and of our bot's own changes:
 *
 * 1. the page's cards that have not settled: those that wait for it, and those that were posted early (`u`);
 * 2. our bot's own writes with the Notion users for whom it wrote, and, at the same instant, whether it is creating a
 *    page; when the last event came; and the rules of every database that the events name, of pages and of workspaces,
 *    each with whether it has told of the page before.
 */
export const restSql = (turns: HalfLoaded[]): Prisma.Sql => Prisma.sql`
    select t.index, u.unsettled,
      case when t."isOurs" or u.is_ours then (
        select json_agg(json_build_object('propertyId', p.property_id, 'discordUserId', p.discord_user_id,
          'notionUserId', k.notion_user_id, 'channelId', p.channel_id, 'valueHash', p.value_hash, 'at', p.at) order by p.at)
        from page_write p
        left join account_link k on k.account_id = t.account_id and k.discord_user_id = p.discord_user_id
        where p.workspace_id = t.workspace_id and p.page_id = t.page_id
          and p.at > least(t.since, u.since) - ${within}) end as writes,
      case when t."hasCreated" and t."isOurs" then exists (
        select 1 from page_write p
        where p.workspace_id = t.workspace_id and p.page_id is null
          and p.at > now() - ${within}) end as "isCreationPending",
      case when u.unsettled is not null then (
        select max(v.received_at) from notion_event v
        where v.workspace_id = t.workspace_id and v.page_id = t.page_id) end as "lastEventAt",
      (select json_agg(${PIPELINE_RULE}::jsonb || jsonb_build_object('hasPosted', case when t."hasCreated"
          then coalesce(r.id = any(u.rules), false) or ${hasPostedSql(Prisma.raw('t.page_id'))} else false end)
          order by r.created_at, r.id)
        from rule r join notion_workspace w on w.id = r.workspace_id ${pipelineRuleTables(Prisma.sql`t.databases[1]`)}
        where r.workspace_id = t.workspace_id
          and (${concerns(Prisma.sql`any(t.databases)`)} or r.id = any(u.rules))) as rules
    from (
      select index, "workspaceId" as workspace_id, "pageId" as page_id, "accountId" as account_id, "botId" as bot_id,
        databases, since, "hasCreated", "isOurs"
      from json_to_recordset(${JSON.stringify(turns.map((turn, index) => ({ index, ...turn })))}::json)
        as half (index int, "workspaceId" uuid, "pageId" text, "accountId" uuid, "botId" text, databases text[],
          since timestamptz, "hasCreated" boolean, "isOurs" boolean)
    ) t
    cross join lateral (
      select json_agg(json_build_object('id', d.id, 'eventAt', d.event_at, 'ruleId', d.rule_id,
          'state', case when d.outcome = 'settling' then 'settling' else m.state::text end,
          'createdAt', d.created_at, 'event', json_build_object('id', o.id, 'type', o.type, 'authors', o.authors,
            'botAuthors', o.bot_authors, 'updatedProperties', o.updated_properties, 'occurredAt', o.occurred_at))
          order by d.sequence) as unsettled,
        array_agg(d.rule_id) as rules,
        min(d.event_at) as since,
        bool_or(t.bot_id = any(o.authors)) as is_ours
      from decision d
      cross join lateral (
        select * from notion_event
        where workspace_id = t.workspace_id and id = d.event_id limit 1
      ) o
      left join lateral (
        select state from message
        where id = d.message_id and at = d.event_at and account_id ${sameAs('d.account_id')} limit 1
      ) m on true
      where d.account_id = t.account_id and ${isUnsettled}
        and (d.outcome = 'settling' or m.state in ('waiting', 'sent'))
    ) u`;

/** A row of `rulesSql`. */
export const RULE_ROW = { rule: 'jsonb' } as const satisfies RowShape;

/**
 * Reads the rules that may concern a page of this database, or outside databases, as `loadSql` does, each with whether
 * it has told of the page before.
 */
export function rulesSql(workspaceId: string, pageId: string, databaseId: string | null): Prisma.Sql {
  return Prisma.sql`
    select ${PIPELINE_RULE}::jsonb || jsonb_build_object('hasPosted', ${hasPostedSql(Prisma.sql`${pageId}`)} or exists (
      select 1 from decision d where d.account_id = r.account_id and d.page_id = ${pageId} and d.rule_id = r.id
        and (d.outcome = 'settling' or d.is_early))) as rule
    from rule r join notion_workspace w on w.id = r.workspace_id ${pipelineRuleTables(Prisma.sql`${databaseId}`)}
    where r.workspace_id = ${workspaceId}::uuid and ${concerns(Prisma.sql`${databaseId}`)}
    order by r.created_at, r.id`;
}
