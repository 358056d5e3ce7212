import { Prisma } from '@/lib/db/database';
import { sameAs } from '@/lib/db/planner-hints';

/**
 * Whether a waiting message is not sent because its rule is off. What Discord may have been asked to post is sent, and so
 * are edits, which keep true what stands, and a flood's counter that replaces one, because its cards were told before.
 * `message` is a name in the statement.
 */
export const isPausedSql = (message: string): Prisma.Sql => {
  const m = Prisma.raw(message);
  const isOfAccount = sameAs(`${message}.account_id`);
  return Prisma.sql`(${m}.kind in ('post', 'reply', 'thread_start', 'counter') and ${m}.tried_at is null
    and ${m}.usage_period_start is null and exists (select 1 from rule
      where rule.id = ${m}.source_id and rule.account_id ${isOfAccount} and not rule.enabled)
    and (${m}.kind <> 'counter' or exists (select 1 from flood
      where flood.id = ${m}.id and flood.account_id ${isOfAccount})))`;
};
