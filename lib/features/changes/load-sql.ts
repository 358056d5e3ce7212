import { Prisma } from '@/lib/db/database';
import { lookedUp } from '@/lib/db/planner-hints';
import { LINE_RULE } from './line-rules';
import type { ClaimedTurn } from './loaded-turn';
import { TOLD_WITHIN_MS } from './page-writes';

/** Whether the rule `r` has a card of a page, or has one told together with others. */
const hasCard = (page: Prisma.Sql) => Prisma.sql`(exists (
    select 1 from card k where k.rule_id = r.id and k.page_id = ${page})
  or exists (
    select 1 from decision g where g.rule_id = r.id and g.page_id = ${page} and g.outcome = 'gathered'))`;

/**
 * Reads everything about claimed turns that is stored:
 *
 * 1. the connection of each page, for how long Notion answers it nothing, and what the page looked like (`w`, `l`, `s`);
 * 2. its events that nobody has looked at (`e`), in the order in which they happened;
 * 3. its cards that have not settled: those that wait for it, and those that were posted early (`u`);
 * 4. what only some of these need (`x`): our bot's own writes, when the last event came, and the rules of every database
 *    that is named, each with whether it has made something of the page before.
 */
export function loadSql(turns: ClaimedTurn[]): Prisma.Sql {
  return Prisma.sql`
    select now() as "loadedAt", t.workspace_id as "workspaceId", t.page_id as "pageId", w.account_id as "accountId",
      w.bot_id as "botId", w.sealed_tokens as "sealedTokens", l.blocked_until as "blockedUntil",
      s.sealed_values as "sealedSnapshot", s.version as "snapshotVersion",
      e.events, u.unsettled, x.writes, x."isCreationPending", x.rules, x."lastEventAt"
    from unnest(${turns.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${turns.map(({ pageId }) => pageId)}::text[]) as t(workspace_id, page_id)
    join notion_workspace w on w.id = ${lookedUp('t.workspace_id')}
    left join rate_limit l on l.key = ${lookedUp(`'notion:' || t.workspace_id`)} and l.blocked_until > now()
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
      select json_agg(json_build_object('id', d.id, 'eventAt', d.event_at, 'ruleId', d.rule_id,
          'state', case when d.outcome = 'settling' then 'settling' else m.state::text end,
          'createdAt', d.created_at, 'event', json_build_object('id', o.id, 'type', o.type, 'authors', o.authors,
            'updatedProperties', o.updated_properties, 'occurredAt', o.occurred_at))
          order by d.sequence) as unsettled,
        array_agg(d.rule_id) as rules,
        min(d.event_at) as since,
        bool_or(w.bot_id = any(o.authors)) as is_ours
      from decision d
      cross join lateral (
        select * from notion_event
        where workspace_id = t.workspace_id and id = d.event_id limit 1
      ) o
      left join lateral (
        select state from message where id = d.message_id and at = d.event_at limit 1
      ) m on true
      where d.account_id = w.account_id and d.page_id = t.page_id and (d.outcome = 'settling' or d.is_early)
        and (d.outcome = 'settling' or m.state in ('waiting', 'sent'))
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
        (select json_agg(${LINE_RULE}::jsonb || jsonb_build_object('hasPosted', case when e.has_created
            then coalesce(r.id = any(u.rules), false) or ${hasCard(Prisma.raw('t.page_id'))} else false end)
            order by r.created_at, r.id)
          from rule r join notion_database b on b.workspace_id = r.workspace_id and b.id = r.database_id
          where r.workspace_id = t.workspace_id and (r.database_id = any(e.databases) or r.id = any(u.rules))) as rules
    ) x`;
}

/** Reads the rules of one database as `loadSql` does, each with whether it has made something of a page before. */
export function rulesSql(workspaceId: string, pageId: string, databaseId: string): Prisma.Sql {
  return Prisma.sql`
    select ${LINE_RULE}::jsonb || jsonb_build_object('hasPosted', ${hasCard(Prisma.sql`${pageId}`)} or exists (
      select 1 from decision d where d.account_id = r.account_id and d.page_id = ${pageId} and d.rule_id = r.id
        and (d.outcome = 'settling' or d.is_early))) as rule
    from rule r join notion_database b on b.workspace_id = r.workspace_id and b.id = r.database_id
    where r.workspace_id = ${workspaceId}::uuid and r.database_id = ${databaseId}
    order by r.created_at, r.id`;
}
