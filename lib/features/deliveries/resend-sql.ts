import { Prisma } from '@/lib/db/database';
import { hasRun } from '@/lib/db/planner-hints';
import type { RowShape } from '@/lib/db/row-shape';
import { MOVE_ENTRIES } from '../decisions/change-decisions';
import { SEND_AGAIN } from '../messages/change-waiting';
import { wakeChannelsSql } from '../messages/queue-messages';

/** How many cards of one channel may be sent again in a minute. */
export const RESENDS_A_MINUTE = 10;

/**
 * The row of `resendSql`. `may` says whether the card may be sent again, `resent` whether it is; `isOff` whether its rule
 * is off, in which case it is not.
 */
export const RESENT_ROW = {
  exists: 'bool',
  hasFailed: 'bool',
  isOff: 'bool',
  may: 'bool',
  resent: 'bool',
} as const satisfies RowShape;

// Whether the page of a living card has another card by now.
const HAS_NEWER_CARD = Prisma.sql`
  select 1 from card c join living_card k on k.page_id = c.page_id and k.rule_id = c.rule_id
  where c.message_id = m.id and c.at = m.at and k.message_id <> m.id`;

/**
 * Sends a failed message again, in one statement:
 *
 * 1. locks the account and then the message, as deletions do (`found`);
 * 2. spaces out the messages that are sent again in one channel (`spaced`), and stops here when there are too many;
 * 3. moves it behind its channel's other messages (`resent`), and to the top of the rule's log (`listed`);
 * 4. lets the next turn ask Discord about the channel again (`doubted`), and wakes that turn last of all (`rung`).
 */
export function resendSql(accountId: string, ruleId: string, deliveryId: string): Prisma.Sql {
  const spacing = Prisma.sql`interval '1 minute' / ${RESENDS_A_MINUTE}::int`;
  return Prisma.sql`
    with found as (
      select m.id, m.at, m.target_id, m.state = 'failed' as failed, not r.enabled as off,
        m.state = 'failed' and m.sealed_body is not null and r.enabled and not exists (${HAS_NEWER_CARD}) as may
      from account a join message m on m.account_id = a.id join rule r on r.id = m.source_id and r.account_id = a.id
      where a.id = ${accountId}::uuid and m.source_id = ${ruleId}::uuid and m.id = ${deliveryId}::uuid
        and m.kind = 'post' and m.state <> 'kept'
      for no key update of a for update of m
    ), spaced as (
      insert into rate_limit as r (key, blocked_until)
      select 'resend:' || target_id, now() + ${spacing} from found where may
      on conflict (key) do update set blocked_until = greatest(r.blocked_until, now()) + ${spacing}
        where r.blocked_until <= now() + ${spacing} * ${RESENDS_A_MINUTE - 1}::int
      returning key
    ), going as (
      select found.id, found.at from found, spaced where found.may
    ), resent as (
      ${SEND_AGAIN}
      returning m.id, m.at, m.sequence, m.target_id, m.account_id
    ), listed as (
      ${MOVE_ENTRIES} returning 1
    ), doubted as (
      update channel_problem set since = 'epoch' where channel_id in (select target_id from resent) returning 1
    ), rung as (
      ${wakeChannelsSql(Prisma.sql`
        select target_id, account_id from resent where ${hasRun('listed')} and ${hasRun('doubted')}`)}
    )
    select coalesce((select may from found), false) as may, exists (select 1 from resent) as resent,
      coalesce((select failed from found), false) as "hasFailed",
      coalesce((select off from found), false) as "isOff", (select woken from rung),
      exists (select 1 from found) or exists (
        select 1 from decision where rule_id = ${ruleId}::uuid and account_id = ${accountId}::uuid
          and id = ${deliveryId}::uuid) as exists`;
}
