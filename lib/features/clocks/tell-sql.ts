import { Prisma } from '@/lib/db/database';
import { hasRun } from '@/lib/db/planner-hints';
import type { CommitItem } from '../changes/turn-plan';
import { createdJson, laterRows, letterRows } from '../changes/turn-plan';
import { DIGEST_IF_GATHERED, openedSql } from '../digests/open-digests';
import { paceSql } from '../floods/pace-sql';
import { lettersSql } from '../letters/letters-sql';
import { livingSql } from '../living/living-sql';
import { queueMessagesSql, wakeChannelsSql } from '../outbox/queue-messages';

/** What is told of one page under one rule; its turn has no lease, because nothing of the page itself is saved. */
export interface ToldItem extends CommitItem {
  ruleId: string;
  /** What the page is reminded of once; null for what may be decided again. */
  mark: string | null;
}

/**
 * Saves what the clock has found, in one statement:
 *
 * 1. locks the connection from the account down, as whoever deletes any of it does (`held`);
 * 2. notes of what each page is reminded, under rules that are still on (`reminded`); what was noted before is left out, so
 *    that a run which is repeated tells nothing twice (`decided`);
 * 3. the rest is as in `commitSql`: digests are opened for what is told later, the cards of floods are held back, decisions
 *    are written with their messages, cards, living cards and letters, and the channels are woken.
 *
 * Returns the index of each item that was saved.
 */
export function tellSql(items: ToldItem[], { workspaceId, accountId }: Whose): Prisma.Sql {
  const later = laterRows(items);
  const letters = letterRows(items);
  const living = items.flatMap(({ plan }, index) => plan.living.map((move) => ({ ...move, index })));
  const rollsUp = items.some(({ plan }) => plan.created.some(({ rollUp }) => rollUp));
  return Prisma.sql`
    with item as materialized (
      select * from json_to_recordset(${itemsJson(items)}::json) as i(index int, "pageId" text, "ruleId" uuid, mark text)
    ), held as materialized (
      select w.id from notion_workspace w join account a on a.id = w.account_id
      where w.id = ${workspaceId}::uuid and a.id = ${accountId}::uuid for key share of a, w
    ), wanted as materialized (
      select r.id from rule r where r.id in (select i."ruleId" from item i, held) and r.account_id = ${accountId}::uuid
        and r.enabled order by r.id for key share of r
    ), reminded as (
      insert into reminder (rule_id, page_id, mark, account_id)
      select i."ruleId", i."pageId", i.mark, ${accountId}::uuid from item i join wanted w on w.id = i."ruleId"
      where i.mark is not null order by 1, 2
      on conflict do nothing
      returning rule_id, page_id
    ), decided as materialized (
      select i.* from item i join wanted w on w.id = i."ruleId"
      where i.mark is null or exists (
        select 1 from reminded m where m.rule_id = i."ruleId" and m.page_id = i."pageId")
    ), made as materialized (
      select *, nextval('message_sequence_seq') as sequence
      from json_to_recordset(${createdJson(items)}::json) as c(index int, id uuid, "eventAt" timestamptz,
        "accountId" uuid, "ruleId" uuid, "eventId" text, "channelId" text, outcome decision_outcome,
        "isLiving" boolean, remark message_remark, "sealedSummary" text, "sealedBody" text, "rollUp" boolean,
        "tellsIn" uuid)
      where index in (select index from decided)
    )${later.length > 0 ? openedSql(later, 'decided') : Prisma.empty}, ${rollsUp ? paceSql(CARDS) : NONE_ROLLED}, created as (
      insert into decision (id, event_at, sequence, account_id, rule_id, event_id, page_id, outcome, message_id,
        sealed_summary)
      select c.id, c."eventAt", c.sequence, c."accountId", c."ruleId", c."eventId", d."pageId",
        case when f.id is null then c.outcome else 'gathered' end,
        case when c."tellsIn" is not null then c."tellsIn"
          when c."sealedBody" is not null or c."isLiving" then coalesce(f.flood_id, c.id)
          ${later.length > 0 ? DIGEST_IF_GATHERED : Prisma.empty} end, decode(c."sealedSummary", 'base64')
      from made c join decided d using (index) left join rolled f on f.id = c.id
      on conflict (rule_id, event_id, event_at) do nothing
      returning id, message_id
    ), posted as (
      ${queueMessagesSql(
        Prisma.sql`
        select id, "eventAt", sequence, "accountId", "ruleId", 'post'::message_kind, 'waiting'::message_state, "channelId",
          null, decode("sealedBody", 'base64'), remark
        from made where "sealedBody" is not null and id = any(array(select id from created where message_id = id))`,
        ['remark'],
      )}
      returning id, target_id, account_id
    ), carded as (
      insert into card (message_id, at, account_id, rule_id, page_id)
      select m.id, m."eventAt", m."accountId", m."ruleId", d."pageId" from made m join decided d using (index)
      where "sealedBody" is not null and d."pageId" <> '' and id = any(array(select id from created where message_id = id))
    )${living.length > 0 ? livingSql(living, ['created']) : Prisma.empty}${
      letters.length > 0 ? lettersSql(letters, ['made'], ['created']) : Prisma.empty
    }, rung as materialized (
      ${wakeChannelsSql(Prisma.sql`
        select target_id, account_id from posted
        ${living.length > 0 ? Prisma.sql`union all select target_id, account_id from moved` : Prisma.empty}`)}
    )
    select index, (select woken from rung) is not null as "hasWoken" from decided
    where ${rollsUp ? hasRun('counted') : Prisma.sql`true`}
      and ${letters.length > 0 ? hasRun('lettered') : Prisma.sql`true`}`;
}

interface Whose {
  workspaceId: string;
  accountId: string;
}

const CARDS = Prisma.sql`
  select id, "ruleId" as rule_id, "accountId" as account_id, "channelId" as channel_id, sequence
  from made join decided using (index) where "rollUp" and "sealedBody" is not null`;

const NONE_ROLLED = Prisma.sql`rolled as (select null::uuid as id, null::uuid as flood_id where false)`;

const itemsJson = (items: ToldItem[]) =>
  JSON.stringify(items.map(({ turn: { pageId }, ruleId, mark }, index) => ({ index, pageId, ruleId, mark })));
