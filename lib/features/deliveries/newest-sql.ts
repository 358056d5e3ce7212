import { Prisma } from '@/lib/db/database';
import { sameAs } from '@/lib/db/planner-hints';
import type { RowOf, RowShape } from '@/lib/db/row-shape';
import { LIMIT_OF_MESSAGE } from '../calls/current-limit';
import { IS_ENTRY } from './log-sql';

/** A row of `newestSql`: a rule's newest card, and when the first waiting message of its channel is tried again. */
export const NEWEST_ROW = {
  ruleId: 'uuid',
  state: 'text?',
  reason: 'text?',
  triedAt: 'timestamptz?',
  at: 'timestamptz?',
  retryReason: 'text?',
  retryAt: 'timestamptz?',
} as const satisfies RowShape;

export type Newest = Omit<RowOf<typeof NEWEST_ROW>, 'ruleId' | 'triedAt'>;

/**
 * Reads the newest card of each rule, and the message that its channel waits for:
 *
 * 1. the newest of the rule's last own message, its last new page that has not settled, and its last change that a
 *    message told together with others (`newest`);
 * 2. the first message that waits in the rule's channel, with the limit that it waits for (`waiting`).
 */
export const newestSql = (ruleIds: string[]): Prisma.Sql => Prisma.sql`
    select r.id as "ruleId", newest.state, newest.reason, newest.tried_at as "triedAt",
      coalesce(newest.finished_at, newest.created_at) as at,
      waiting.reason as "retryReason", waiting.not_before as "retryAt"
    from rule r
    left join lateral (
      select * from (
        (select sequence, state::text, reason, tried_at, finished_at, created_at from message
          where source_id = r.id and ${IS_ENTRY} and state <> 'kept' order by sequence desc limit 1)
        union all
        (select sequence, 'settling', null, null, null, created_at from decision
          where account_id = r.account_id and rule_id ${sameAs('r.id')} and outcome = 'settling'
          order by sequence desc limit 1)
        union all
        (select d.sequence, m.state::text, m.reason, m.tried_at, m.finished_at, m.created_at
          from decision d join lateral (select * from message where id = d.message_id limit 1) m on m.state <> 'waiting'
          where d.rule_id = r.id and d.outcome = 'gathered' and d.id <> d.message_id order by d.sequence desc limit 1)
      ) last order by sequence desc limit 1
    ) newest on true
    left join lateral (
      select coalesce(l.reason, m.reason) as reason, greatest(m.not_before, l.until) as not_before
      from (select * from message where target_id = r.channel_id and state = 'waiting' order by sequence limit 1) m
      ${LIMIT_OF_MESSAGE}
    ) waiting on true
    where r.id = any(${ruleIds}::uuid[])`;
