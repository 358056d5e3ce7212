import { Prisma } from '@/lib/db/database';
import { TELL_IN_EDIT } from '../decisions/change-decisions';
import { createCardsSql } from '../decisions/stored-cards';
import { makePostSql, ORPHAN_LINE } from '../messages/change-waiting';
import type { AboutCard, CurrentCard } from './current-card';

/** Why a card is posted again instead of edited. */
export type AnewRemark = 'card_deleted' | 'card_unsent';

/**
 * Turns an edit into the post of a new card, in one statement that returns its id:
 *
 * 1. keeps the rule, and locks the card (`former`), then the edit (`edit`);
 * 2. makes the edit the card (`moved`, `posted`, `carded`), without a thread;
 * 3. lets the new card report the decision that a line was to report, and drops the line (`told`, `folded`).
 */
export const postAnewSql = (
  message: AboutCard,
  card: CurrentCard,
  remark: AnewRemark,
): Prisma.Sql => Prisma.sql`
    with former as (
      select k.page_id, k.rule_id from rule r join living_card k on k.rule_id = r.id
      where k.page_id = ${message.pageId} and k.rule_id = ${message.sourceId}::uuid
        and k.message_id = ${card.messageId}::uuid
      for key share of r for update of k
    ), edit as (
      select m.id, m.at, m.account_id, m.decision_id, f.page_id, f.rule_id
      from former f join message m on m.id = ${message.id}::uuid and m.at = ${message.at}::timestamptz
      where m.kind = 'edit' and m.state = 'waiting' for update of m
    ), moved as (
      update living_card k set message_id = edit.id, at = edit.at, thread_id = null, thread_asked = false,
        thread_problem = null, thread_problem_at = null, post_state = null, edit_id = null, edit_at = null
      from edit where k.page_id = edit.page_id and k.rule_id = edit.rule_id
    ), posted as (
      ${makePostSql(remark)} returning m.id
    ), carded as (
      ${createCardsSql(Prisma.sql`select id, at, account_id, rule_id, page_id from edit`)}
    ), told as (
      ${TELL_IN_EDIT}
    ), folded as (
      ${ORPHAN_LINE}
    )
    select id from posted`;
