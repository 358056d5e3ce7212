import { Prisma } from '@/lib/db/database';
import { hasRun, sameAs } from '@/lib/db/planner-hints';
import { mergeDecisionsSql } from '../decisions/change-decisions';
import { dropLastEditsSql } from '../messages/drop-messages';
import { queueMessagesSql } from '../messages/queue-messages';
import { ASLEEP_AFTER } from '../posted/current-card';
import { keepUpCardsSql, standCardsSql } from '../posted/record-card';
import type { LivingMove } from './plan-living';

/** A move of a page's turn; `index` is the turn's among those that are saved together. */
export type IndexedMove = LivingMove & { index: number };

/** The KnownCards of the page of a turn `t` in the workspace `w`, as JSON. */
export const KNOWN_CARDS = Prisma.sql`(
  select json_agg(json_build_object('ruleId', k.rule_id, 'channelId', k.channel_id, 'state', p.state,
    'discordMessageId', p.discord_message_id, 'isPost', k.is_post, 'isAsleep', k.last_event_at < now() - ${ASLEEP_AFTER}))
  from living_card k left join lateral (
    select state, discord_message_id from message
    where id = k.message_id and at = k.at and account_id ${sameAs('k.account_id')} limit 1) p on true
  where k.page_id = t.page_id and k.account_id = w.account_id)`;

/**
 * Parts of a WITH that save what becomes of living cards. The statement's part `decided` has the index and the page of
 * each turn, and `rolled` the cards that are not posted because too many came at once. `decisions` names its parts that
 * have the ids of written decisions:
 *
 * 1. numbers the messages in order, after the posts of `made` (`move`);
 * 2. makes each new post the card of its page (`new_card`), and locks the other cards as they are by now (`stood`);
 * 3. drops a card's edit that still waits (`outdated`): the newer edit tells its decision too (`retold`);
 * 4. queues edits and lines (`moved`). A line goes to the thread if there is one; otherwise the first line is to start
 *    it. In a forum, edits and lines all go to the post;
 * 5. notes the newest edit, and when something was last told (`kept_up`).
 */
export const livingSql = (
  moves: IndexedMove[],
  decisions: ('created' | 'revised')[],
): Prisma.Sql => Prisma.sql`, move as materialized (
      select *, nextval('message_sequence_seq') as sequence from (
        select l.*, d."pageId"
        from json_to_recordset(${movesJson(moves)}::json) as l(nr int, index int, what text, "accountId" uuid,
          "ruleId" uuid, "channelId" text, id uuid, at timestamptz, "decisionId" uuid, "sealedBody" text,
          "discordMessageId" text, "isNew" boolean, "isFirst" boolean, "isPost" boolean)
        join decided d using (index)
        where ${hasRun('made')} and ("decisionId" is null or "decisionId" in (${idsOf(decisions)}))
          and id not in (select id from rolled)
        order by nr
      ) ordered
    ), new_card as (
      ${standCardsSql(Prisma.sql`
        select "pageId", "ruleId", "accountId", "channelId", id, at, "isFirst", "isPost" from move where what = 'card'`)}
      returning 1
    ), stood as materialized (
      select k.*, n.edits from (
        select "pageId", "ruleId", count(*) filter (where what = 'edit') as edits from move
        where not "isNew" and what <> 'link' group by 1, 2 order by 1, 2
      ) n cross join lateral (
        select * from living_card where page_id = n."pageId" and rule_id = n."ruleId" limit 1 for update) k
    ), outdated as (
      ${dropLastEditsSql('stood', Prisma.sql`stood.edits > 0`)} returning m.id, m.at, m.decision_id
    ), retold as (
      ${mergeDecisionsSql('outdated', Prisma.sql`outdated.decision_id = d.id and d.message_id = d.id`)}
      returning 1
    ), moved as (
      ${queueMessagesSql(MOVED, ['page_id', 'decision_id'])}
      returning id, at, target_id, account_id
    ), kept_up as (
      ${keepUpCardsSql(Prisma.sql`
        select "pageId", "ruleId", (array_agg(id) filter (where what = 'edit'))[1] as edit_id,
          bool_or("decisionId" is not null) as tells, count(*) filter (where what = 'line') as lines
        from move where not "isNew" and what <> 'link' group by 1, 2`)}
    )`;

/**
 * A WITH that saves edits that bring a page's living cards up to date without telling of a decision. Whoever continues
 * the statement wakes the channels of `moved`.
 */
export const withRefreshedCards = (pageId: string, edits: LivingMove[]): Prisma.Sql => Prisma.sql`
    with decided as (
      select 0 as index, ${pageId}::text as "pageId"
    ), made as (
      select 1
    ), rolled as (
      select null::uuid as id where false
    )${livingSql(
      edits.map((edit) => ({ ...edit, index: 0, at: null, decisionId: null })),
      [],
    )}`;

// The cards and the edits that it drops are locked first: the channels that the new messages wake are the last lock of
// all. A link edits another message than the card. An edit keeps the decision that it tells, perhaps together with a line.
const MOVED = Prisma.sql`
        select m.id, coalesce(m.at, date_trunc('milliseconds', now())), m.sequence, m."accountId", m."ruleId",
          case when m.what <> 'line' then 'edit'
            when m."isFirst" and not m."isPost" and s.thread_id is null and not coalesce(s.thread_asked, false) then 'thread_start'
            else 'reply' end::message_kind,
          'waiting'::message_state, case when m.what = 'line' or m."isPost" then coalesce(s.thread_id, m."channelId") else m."channelId" end,
          m."discordMessageId", decode(m."sealedBody", 'base64'), m."pageId",
          case when m.what = 'edit' then m."decisionId" end
        from move m left join stood s on s.page_id = m."pageId" and s.rule_id = m."ruleId" and not m."isNew"
        where m.what <> 'card' and ${hasRun('new_card')} and ${hasRun('retold')} order by m.sequence`;

function movesJson(moves: IndexedMove[]): string {
  return JSON.stringify(
    moves.map(({ sealedBody, ...move }, nr) => ({
      ...move,
      nr,
      sealedBody: sealedBody && Buffer.from(sealedBody).toString('base64'),
    })),
  );
}

const idsOf = (parts: string[]) =>
  Prisma.raw(parts.map((part) => `select id from ${part}`).join(' union all ') || 'select null::uuid');
