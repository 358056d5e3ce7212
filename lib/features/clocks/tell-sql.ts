import { Prisma } from '@/lib/db/database';
import { hasRun } from '@/lib/db/planner-hints';
import { type CommitItem, createdJson, laterRows, letterRows } from '../changes/turn-plan';
import { createdSql, MADE_CARDS, madeSql } from '../decisions/created-sql';
import { DIGEST_IF_GATHERED, openedSql } from '../digests/open-digests';
import { NONE_ROLLED, paceSql } from '../floods/pace-sql';
import { lettersSql } from '../letters/letters-sql';
import { livingSql } from '../living/living-sql';
import { wakeChannelsSql } from '../messages/queue-messages';

/** What is told of one page under one rule. Its turn has no lease, because nothing about the page itself is saved. */
export interface ToldItem extends CommitItem {
  ruleId: string;
  /** Identifies a reminder that is told only once; null for what may be decided again. */
  mark: string | null;
  /** Of what the rule reminded when its run began; null for what is told whatever it reminds of now. */
  reminding: { databaseId: string; propertyId: string | null; days: number } | null;
}

/**
 * Saves what the clock has found, in one statement:
 *
 * 1. locks the connection, from the account down like every deletion (`held`);
 * 2. locks the rules that are still on (`wanted`), which waits for an edit that is being saved, and keeps what they
 *    remind of by now (`told`);
 * 3. records the reminders (`reminded`) and leaves out those recorded before, so that a repeated run tells nothing twice
 *    (`decided`);
 * 4. continues like `commitSql`: opens digests for what is told later, holds back the cards of floods, writes decisions
 *    with their messages, cards, living cards and letters, and wakes the channels.
 *
 * Returns the index of each item that was saved.
 */
export function tellSql(items: ToldItem[], { workspaceId, accountId }: Whose): Prisma.Sql {
  const later = laterRows(items);
  const letters = letterRows(items);
  const living = items.flatMap(({ plan }, index) => plan.living.map((move) => ({ ...move, index })));
  const ifGathered = later.length > 0 ? DIGEST_IF_GATHERED : Prisma.empty;
  const rollsUp = items.some(({ plan }) => plan.created.some(({ rollUp }) => rollUp));
  return Prisma.sql`
    with item as materialized (
      select * from json_to_recordset(${itemsJson(items)}::json) as i(index int, "pageId" text, "ruleId" uuid, mark text,
        "databaseId" text, "propertyId" text, days int)
    ), held as materialized (
      select w.id from notion_workspace w join account a on a.id = w.account_id
      where w.id = ${workspaceId}::uuid and a.id = ${accountId}::uuid for key share of a, w
    ), wanted as materialized (
      select r.id, r.database_id, r.schedule from rule r where r.id in (select i."ruleId" from item i, held)
        and r.account_id = ${accountId}::uuid and r.enabled order by r.id for share of r
    ), told as materialized (
      select i.* from item i join wanted w on w.id = i."ruleId"
      where i.days is null or (i."databaseId", i."propertyId", i.days) is not distinct from
        (w.database_id, w.schedule ->> 'propertyId', (w.schedule ->> 'days')::int)
    ), reminded as (
      insert into reminder (rule_id, page_id, mark, account_id)
      select i."ruleId", i."pageId", i.mark, ${accountId}::uuid from told i
      where i.mark is not null order by 1, 2
      on conflict do nothing
      returning rule_id, page_id
    ), decided as materialized (
      select i.* from told i
      where i.mark is null or exists (
        select 1 from reminded m where m.rule_id = i."ruleId" and m.page_id = i."pageId")
    ), ${madeSql(createdJson(items), Prisma.sql`where index in (select index from decided)`)}${
      later.length > 0 ? openedSql(later) : Prisma.empty
    }, ${rollsUp ? paceSql(MADE_CARDS) : NONE_ROLLED}, ${createdSql(ifGathered)}${living.length > 0 ? livingSql(living, ['created']) : Prisma.empty}${
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

const itemsJson = (items: ToldItem[]) =>
  JSON.stringify(
    items.map(({ turn: { pageId }, ruleId, mark, reminding }, index) => ({
      index,
      pageId,
      ruleId,
      mark,
      ...reminding,
    })),
  );
