import { Prisma } from '@/lib/db/database';
import { lookedUpFrom } from '@/lib/db/planner-hints';
import { queueMessagesSql } from '../messages/queue-messages';
import { createDecisionsSql } from './create-decisions';
import { createCardsSql } from './stored-cards';

/** The part `made` of a statement: the decisions in `json` that meet `which`, numbered in their order. */
export const madeSql = (json: string, which = Prisma.empty): Prisma.Sql => Prisma.sql`made as materialized (
      select *, nextval('message_sequence_seq') as sequence
      from json_to_recordset(${json}::json) as c(index int, id uuid, "eventAt" timestamptz,
        "accountId" uuid, "ruleId" uuid, "eventId" text, "channelId" text, outcome decision_outcome,
        "isEarly" boolean, "isLiving" boolean, remark message_remark, "sealedSummary" text, "sealedBody" text,
        "rollUp" boolean, "tellsIn" uuid)
      ${which}
    )`;

/** The cards of `made` that may be part of a flood, as `paceSql` reads them. */
export const MADE_CARDS = Prisma.sql`
  select m.id, m."ruleId" as rule_id, m."accountId" as account_id, m."channelId" as channel_id, m.sequence,
    m."eventAt" as at
  from made m join decided using (index) where m."rollUp" and m."sealedBody" is not null`;

const IS_POSTED = Prisma.sql`m."sealedBody" is not null
  and m.id = ${lookedUpFrom(Prisma.sql`select id from created where message_id = id`)}`;

/**
 * The named parts of a statement that save the decisions of `made`. The part `decided` has the index and the page of
 * what was decided about (an empty page for none), and `rolled` the cards that are part of floods:
 *
 * 1. writes the decisions, each once for a rule and an event (`created`). One of several told together names its flood
 *    or, by `ifGathered` (a CASE branch on the decision `c`), its digest;
 * 2. queues the cards of those that were not written before (`posted`), and records them for their pages (`carded`).
 */
export const createdSql = (ifGathered: Prisma.Sql): Prisma.Sql => Prisma.sql`created as (
      ${createDecisionsSql(
        Prisma.sql`
        select c.id, c."eventAt", c."accountId", c."ruleId", c."eventId", d."pageId",
          case when f.id is null then c.outcome else 'gathered' end,
          case when c."tellsIn" is not null then c."tellsIn"
            when c."sealedBody" is not null or c."isLiving" then coalesce(f.flood_id, c.id) ${ifGathered} end,
          decode(c."sealedSummary", 'base64'), c.sequence, c."isEarly" and f.id is null
        from made c join decided d using (index) join rule r on r.id = c."ruleId" and r.account_id = c."accountId"
        left join rolled f on f.id = c.id`,
        ['sequence', 'is_early'],
      )}
      returning id, message_id
    ), posted as (
      ${queueMessagesSql(
        Prisma.sql`
        select id, "eventAt", sequence, "accountId", "ruleId", 'post'::message_kind, 'waiting'::message_state, "channelId",
          null, decode("sealedBody", 'base64'), remark
        from made m where ${IS_POSTED}`,
        ['remark'],
      )}
      returning id, target_id, account_id
    ), carded as (
      ${createCardsSql(Prisma.sql`
        select m.id, m."eventAt", m."accountId", m."ruleId", d."pageId" from made m join decided d using (index)
        where d."pageId" <> '' and ${IS_POSTED}`)}
    )`;
