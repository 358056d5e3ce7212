import { db, Prisma, type Transaction, transaction } from '@/lib/db/database';
import { defineJob, noPayload } from '@/lib/queue/define-job';
import { enqueueSql } from '@/lib/queue/enqueue';
import { type Clock, quietUntil, tellLaterAt } from '../calendar/calendar';
import { clockOf } from '../calendar/clock-of';
import { digestAt } from '../letters/digest-time';
import type { NotifyMode } from '../letters/notify-setting';
import { termsOf } from '../matching/terms';
import { tellDigestJob } from './tell-digest';
import { tellPersonJob, waitingLetters } from './tell-person';

// More than the workers can tell in a minute; the next runs take the rest.
const MAX_AT_ONCE = 10_000;

export const startDueDigestsJob = defineJob({ name: 'start-due-digests', payload: noPayload, key: [] });

/** Enqueues a job for every digest that is due. A rule that has found nothing has no digest, and costs nothing here. */
export async function startDueDigests(): Promise<void> {
  const due = await db().$queryRaw<{ id: string; accountId: string }[]>`
    select id, account_id as "accountId" from digest where due_at <= now() order by due_at limit ${MAX_AT_ONCE}`;
  const items = due.map(({ id: digestId, accountId }) => ({ accountId, payload: { accountId, digestId } }));
  if (items.length > 0) await transaction((tx) => tx.$executeRaw(enqueueSql(tellDigestJob, items)));
  await startDuePersons();
}

/** Enqueues a job for every person whose digest is due. */
async function startDuePersons(): Promise<void> {
  const due = await db().$queryRaw<{ id: string; accountId: string }[]>`
    select id, account_id as "accountId" from account_link where digest_due_at <= now()
    order by digest_due_at limit ${MAX_AT_ONCE}`;
  const items = due.map(({ id: linkId, accountId }) => ({ accountId, payload: { accountId, linkId } }));
  if (items.length > 0) await transaction((tx) => tx.$executeRaw(enqueueSql(tellPersonJob, items)));
}

/**
 * Recalculates when the waiting digests of a rule, or of all rules of an account, are due, after the rules or the
 * account's clock have changed. What no longer has to wait is told with the next run; what is due already stays due, and
 * so does what only waits for the end of the present quiet hours, unless its rule has other times now.
 */
export async function planDigests(
  tx: Transaction,
  accountId: string,
  ruleId: string | null = null,
  isRetimed = false,
): Promise<void> {
  const clock = clockOf(await tx.account.findUniqueOrThrow({ where: { id: accountId } }));
  const waiting = await tx.$queryRaw<{ id: string; ruleId: string; dueAt: Date; now: Date }[]>(Prisma.sql`
    select id, rule_id as "ruleId", due_at as "dueAt", now() from digest
    where account_id = ${accountId}::uuid and (${ruleId}::uuid is null or rule_id = ${ruleId}::uuid) and due_at > now()
    order by rule_id for update`);
  const putOffUntil = (now: Date) => (isRetimed ? null : quietUntil(clock, now));
  for (const { id, ruleId: ofRule, dueAt, now } of waiting) {
    if (putOffUntil(now)?.getTime() === dueAt.getTime()) continue;
    const rule = await tx.rule.findUnique({ where: { id: ofRule } });
    if (!rule) continue;
    await tx.digest.update({ where: { id }, data: { dueAt: tellLaterAt(termsOf(rule), clock, now) ?? now } });
  }
  await planPersons(tx, { accountId, ruleId, clock, putOffUntil });
}

interface Planned {
  accountId: string;
  ruleId: string | null;
  clock: Clock;
  /** Until when something waits that stays as it is; null for nothing. */
  putOffUntil: (now: Date) => Date | null;
}

/** The same for what these rules have gathered for people. */
async function planPersons(
  tx: Transaction,
  { accountId, ruleId, clock, putOffUntil }: Planned,
): Promise<void> {
  const people = await tx.$queryRaw<{ id: string; notify: NotifyMode; now: Date }[]>`
    select id, notify::text, now() from account_link
    where account_id = ${accountId}::uuid and digest_due_at is not null order by id for update`;
  for (const { id, notify, now } of people) {
    const later = Prisma.sql`${waitingLetters(id)} and (${ruleId}::uuid is null or rule_id = ${ruleId}::uuid)
      and coalesce(tell_at, (select digest_due_at from account_link where id = ${id}::uuid)) > now()
      and (tell_at = ${putOffUntil(now)}::timestamptz) is not true`;
    const rules = await tx.$queryRaw<{ id: string }[]>`
      select distinct rule_id as id from letter where ${later} order by 1`;
    for (const rule of await tx.rule.findMany({ where: { id: { in: rules.map((each) => each.id) } } })) {
      const ruleTellAt = tellLaterAt(termsOf(rule), clock, now);
      const tellAt = notify === 'digest' ? digestAt(ruleTellAt, clock, now) : (ruleTellAt ?? now);
      await tx.$executeRaw`
        update letter set tell_at = ${tellAt}::timestamptz where ${later} and rule_id = ${rule.id}::uuid`;
    }
    await tx.$executeRaw`
      update account_link set digest_due_at = (select min(coalesce(tell_at, digest_due_at)) from letter
        where ${waitingLetters(id)}) where id = ${id}::uuid`;
  }
}
