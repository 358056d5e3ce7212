import { Prisma } from '@/lib/db/database';
import { COMMITS_ASYNCHRONOUSLY, hasRun, lookedUp, lookedUpFrom, sameAs } from '@/lib/db/planner-hints';
import type { RowShape } from '@/lib/db/row-shape';
import { reviseDecisionsSql } from '../decisions/change-decisions';
import { createdSql, MADE_CARDS, madeSql } from '../decisions/created-sql';
import { createCardsSql, NOTE_READ } from '../decisions/stored-cards';
import { DIGEST_IF_GATHERED, openedSql } from '../digests/open-digests';
import { echoSql } from '../echoes/echo-sql';
import { NONE_ROLLED, paceSql } from '../floods/pace-sql';
import { lettersSql } from '../letters/letters-sql';
import { livingSql } from '../living/living-sql';
import { dropEditsOfSql } from '../messages/drop-messages';
import { queueMessagesSql, wakeChannelsSql } from '../messages/queue-messages';
import { FORGET_PAGES, saveSnapshotsSql } from '../snapshots/stored-snapshots';
import { keepRulesSql } from '../tenancy/keep-rules';
import {
  type CommitItem,
  changedJson,
  createdJson,
  finishedJson,
  laterRows,
  letterRows,
  turnsJson,
} from './turn-plan';

/**
 * A row of `commitSql`: the index of a turn that was saved, and when it goes on; `dueInMs` is null when it has ended.
 * `hasWoken` says whether the statement woke channels.
 */
export const COMMITTED_ROW = {
  index: 'int4',
  dueInMs: 'float8?',
  hasWoken: 'bool',
} as const satisfies RowShape;

/**
 * Saves what many turns have decided, in one statement:
 *
 * 1. locks the connections and the rules, from the account down like every deletion, because another order could
 *    deadlock (`held`, `kept`), and the turns whose leases still hold (`live`);
 * 2. saves the pages' snapshots (`saved`); a turn whose snapshot somebody else has saved meanwhile is not `decided`;
 * 3. forgets pages that are gone and marks events as looked at, with the people for whom our bot made them;
 * 4. opens the digests of what is told later (`opened`), and holds back the cards of floods of rules that roll up
 *    (see `paceSql`);
 * 5. writes decisions of the rules that are still there, one for each rule and event, with their messages and cards
 *    (`created`, `posted`, `carded`);
 *    updates decisions about pages that had not settled (see `settledSql`) and living cards (see `livingSql`), and
 *    queues letters (see `lettersSql`) and replies (see `echoSql`);
 * 6. ends the turns, or says when they go on, and wakes the channels.
 *
 * Parts that have nothing to do in any of the turns are left out.
 *
 * Commits asynchronously. A decision lost in a crash is simply made again: the reservation of its first card commits
 * only once everything written so far is on disk. `first` (`withoutNotify`) and `patience` (`lockPatience`) are always
 * true; they have side effects that must come before any waking and any lock.
 */
export function commitSql(items: CommitItem[], first: Prisma.Sql, patience: Prisma.Sql): Prisma.Sql {
  const later = laterRows(items);
  const letters = letterRows(items);
  const living = items.flatMap(({ plan }, index) => plan.living.map((move) => ({ ...move, index })));
  const echoes = items.flatMap(({ plan: { echo } }, index) => (echo ? [{ ...echo, index }] : []));
  const hasSettled = items.some(({ plan }) => plan.changed.length > 0);
  const rollsUp = items.some(({ plan }) =>
    [...plan.created, ...plan.changed.map(({ message }) => message)].some((card) => card?.rollUp),
  );
  const ifGathered = later.length > 0 ? DIGEST_IF_GATHERED : Prisma.empty;
  const written: ('created' | 'revised')[] = hasSettled ? ['created', 'revised'] : ['created'];
  const opened = later.length > 0 ? openedSql(later) : Prisma.empty;
  const news = hasSettled ? newsSql(items) : Prisma.empty;
  const rolled = rollsUp ? paceSql(cardsSql(hasSettled)) : NONE_ROLLED;
  const settled = hasSettled ? settledSql(ifGathered) : Prisma.empty;
  const moved = living.length > 0 ? livingSql(living, written) : Prisma.empty;
  const numbered = hasSettled ? ['made', 'news'] : ['made'];
  const lettered = letters.length > 0 ? lettersSql(letters, numbered, written) : Prisma.empty;
  const echoed = echoes.length > 0 ? echoSql(echoes) : Prisma.empty;
  const queued = [
    'posted',
    ...(hasSettled ? ['settled', 'edits'] : []),
    ...(living.length > 0 ? ['moved'] : []),
    ...(echoes.length > 0 ? ['echoed'] : []),
  ];
  const conditions = [
    COMMITS_ASYNCHRONOUSLY,
    ...(rollsUp ? [hasRun('counted')] : []),
    ...(letters.length > 0 ? [hasRun('lettered')] : []),
  ];
  return Prisma.sql`
    with ${decidedSql(items, first, patience)}, ${madeSql(createdJson(items), OF_KEPT_RULES)}${opened}${news}, ${rolled},
    ${createdSql(ifGathered)}${settled}${moved}${lettered}${echoed}, ${ENDED}, rung as materialized (
      ${wakeChannelsSql(Prisma.raw(queued.map((part) => `select target_id, account_id from ${part}`).join(' union all ')))}
    )
    select index, extract(epoch from "nextAt" - now())::float8 * 1000 as "dueInMs",
      (select woken from rung) is not null as "hasWoken"
    from decided where ${Prisma.join(conditions, ' and ')}`;
}

// A rule that was deleted while `kept` waited for it is still there for the other parts, which began before.
const OF_KEPT_RULES = Prisma.sql`where "ruleId" in (select id from kept)`;

/** The parts of steps 1 to 3. */
function decidedSql(items: CommitItem[], first: Prisma.Sql, patience: Prisma.Sql): Prisma.Sql {
  const workspaceIds = items.map(({ turn }) => turn.workspaceId);
  const ruleIds = items.flatMap(({ plan: { created, changed, living } }) =>
    [...created, ...changed, ...living].map(({ ruleId }) => ruleId),
  );
  const hasForgotten = items.some(({ plan }) => plan.isForgotten);
  return Prisma.sql`item as materialized (
      select * from json_to_recordset(${turnsJson(items)}::json) as i(index int, "workspaceId" uuid, "pageId" text,
        version int, lease timestamptz, "dueAt" timestamptz, "databaseId" text, snapshot text,
        "snapshotVersion" int, "isForgotten" boolean)
      where ${first}
    ), held as materialized (
      select w.id from notion_workspace w join account a on a.id = ${lookedUp('w.account_id')}
      where w.id = any(${workspaceIds}::uuid[]) and (select ${patience})
      order by a.id, w.id for key share of a, w
    ), kept as materialized (
      ${keepRulesSql(Prisma.sql`id = any(${[...new Set(ruleIds)]}::uuid[])
        and workspace_id = any(${workspaceIds}::uuid[]) and ${hasRun('held')}`)}
    ), live as materialized (
      select i.*, t.version = i.version as "isQuiet"
      from (select i.* from item i join held h on h.id = i."workspaceId" order by i."workspaceId", i."pageId") i
      cross join lateral (
        select version from page_turn
        where workspace_id = i."workspaceId" and page_id = i."pageId" and leased_until = i.lease
        limit 1 for update
      ) t
      where ${hasRun('kept')}
    ), saved as (
      ${saveSnapshotsSql(Prisma.sql`
        select "workspaceId", "pageId", "databaseId", decode(snapshot, 'base64'), coalesce("snapshotVersion", 0) + 1
        from live where snapshot is not null`)}
      returning workspace_id, page_id
    ), decided as materialized (
      select l.*, case when "isQuiet" then "dueAt" else date_trunc('milliseconds', now()) end as "nextAt" from live l
      where snapshot is null or exists (
        select 1 from saved s where s.workspace_id = l."workspaceId" and s.page_id = l."pageId")
    )${hasForgotten ? FORGOTTEN : Prisma.empty}, finished as (
      update notion_event e set processed_at = now(), outcome = f.outcome, written_for = f."writtenFor"
      from json_to_recordset(${finishedJson(items)}::json) as f(index int, "workspaceId" uuid, id text,
        outcome text, "writtenFor" text[])
      where e.workspace_id = f."workspaceId" and e.id = f.id
        and f.index in (select index from decided)
    )`;
}

/** The parts that end the turns of `decided`, or say when they go on. */
const ENDED = Prisma.sql`ended as (
      delete from page_turn t using decided d
      where d."nextAt" is null and t.workspace_id = ${lookedUp('d."workspaceId"')} and t.page_id = ${lookedUp('d."pageId"')}
    ), released as (
      update page_turn t set leased_until = '-infinity', leased_by = null, due_at = d."nextAt"
      from decided d
      where d."nextAt" is not null
        and t.workspace_id = ${lookedUp('d."workspaceId"')} and t.page_id = ${lookedUp('d."pageId"')}
    )`;

/** The cards that may be part of a flood, as `paceSql` reads them. */
const cardsSql = (hasSettled: boolean) => Prisma.sql`${MADE_CARDS}
  ${
    hasSettled
      ? Prisma.sql`union all select id, "ruleId", "accountId", "channelId", sequence, "eventAt" from news
  where "rollUp" and "sealedBody" is not null and was = 'settling'`
      : Prisma.empty
  }`;

// Opens every partition of the table, so it is left out unless there is something to forget.
const FORGOTTEN = Prisma.sql`, forgotten as (
      ${FORGET_PAGES}
    )`;

/**
 * The part about pages that had not settled: updates decisions that nobody has changed meanwhile (`revised`), queues
 * the cards of pages that have settled (`settled`), and edits of cards that were posted early (`edits`). An edit
 * replaces one that still waits (`superseded`), and is left out if the card shows a newer reading of the page
 * (`seen`).
 */
function settledSql(ifGathered: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`, revised as (
      ${reviseDecisionsSql(ifGathered)}
      returning v.id, v.account_id, v.rule_id, v.page_id, v.message_id
    ), settled as (
      ${queueMessagesSql(
        Prisma.sql`
        select c.id, c."eventAt", c.sequence, v.account_id, v.rule_id, 'post'::message_kind, 'waiting'::message_state,
          c."channelId", null, decode(c."sealedBody", 'base64'), c.remark
        from news c join revised v on v.id = c.id and v.message_id = c.id
        where c.was = 'settling' and c."sealedBody" is not null`,
        ['remark'],
      )}
      returning id, target_id, account_id
    ), settled_cards as (
      ${createCardsSql(Prisma.sql`
        select c.id, c."eventAt", v.account_id, v.rule_id, v.page_id
        from news c join revised v on v.id = c.id and v.message_id = c.id
        where c.was = 'settling' and c."sealedBody" is not null`)}
    ), seen as (
      ${NOTE_READ}
      returning k.message_id
    ), posted_early as materialized (
      select c.*, m.account_id, m.source_id, m.target_id, m.discord_message_id
      from news c
      join message m on m.id = c.id and m.at = c."eventAt" and m.account_id ${sameAs('c."accountId"')}
      where c.id = ${lookedUpFrom(Prisma.sql`select message_id from seen`)} and m.discord_message_id is not null
    ), superseded as (
      ${dropEditsOfSql('posted_early')}
    ), edits as (
      ${queueMessagesSql(Prisma.sql`
        select "messageId", date_trunc('milliseconds', now()), sequence, account_id, source_id, 'edit'::message_kind,
          'waiting'::message_state, target_id, discord_message_id, decode("sealedBody", 'base64')
        from posted_early`)}
      returning id, target_id, account_id
    )`;
}

const newsSql = (items: CommitItem[]) => Prisma.sql`, news as materialized (
      select *, nextval('message_sequence_seq') as sequence
      from json_to_recordset(${changedJson(items)}::json) as c(index int, id uuid, "eventAt" timestamptz, "accountId" uuid, was text,
        outcome decision_outcome, "isEarly" boolean, "sealedSummary" text, "sealedBody" text, "messageId" uuid,
        "channelId" text, "readAt" timestamptz, remark message_remark, "ruleId" uuid, "rollUp" boolean, "tellsIn" uuid)
      join decided using (index) ${OF_KEPT_RULES}
    )`;
