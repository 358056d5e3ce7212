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

interface Edited {
  /** The only rule whose digests are planned; all of the account without one. */
  ruleId?: string;
  /** Whether the rule has other times now. */
  isRetimed?: boolean;
  /** The account's clock before it was changed. */
  before?: Clock;
}

/**
 * Recalculates when the waiting digests of a rule, or of all rules of an account, are due, after the rules or the
 * account's clock have changed. What no longer has to wait is told with the next run; what is due already stays due.
 * What only waits for the end of the present quiet hours waits for what is their end now, unless its rule has other
 * times.
 */
export async function planDigests(
  tx: Transaction,
  accountId: string,
  { ruleId, isRetimed = false, before }: Edited,
): Promise<void> {
  const clock = clockOf(await tx.account.findUniqueOrThrow({ where: { id: accountId } }));
  const plan = { accountId, ruleId: ruleId ?? null, clock, before: before ?? clock, isRetimed };
  const waiting = await tx.$queryRaw<{ id: string; ruleId: string; dueAt: Date; now: Date }[]>(Prisma.sql`
    select id, rule_id as "ruleId", due_at as "dueAt", now() from digest
    where account_id = ${accountId}::uuid and (${plan.ruleId}::uuid is null or rule_id = ${plan.ruleId}::uuid)
      and due_at > now()
    order by rule_id for update`);
  for (const { id, ruleId: ofRule, dueAt: planned, now } of waiting) {
    const rule = await tx.rule.findUnique({ where: { id: ofRule } });
    if (!rule) continue;
    const times = (at: Clock) => tellLaterAt(termsOf(rule), at, now) ?? now;
    await tx.digest.update({ where: { id }, data: { dueAt: dueAgain(plan, { planned, now, times }) } });
  }
  await planPersons(tx, plan);
}

interface Plan {
  accountId: string;
  ruleId: string | null;
  clock: Clock;
  before: Clock;
  isRetimed: boolean;
}

interface Waiting {
  planned: Date;
  now: Date;
  /** When something found now would be told with a clock. */
  times: (clock: Clock) => Date;
}

function dueAgain({ clock, before, isRetimed }: Plan, { planned, now, times }: Waiting): Date {
  const isPutOff = planned.getTime() === quietUntil(before, now)?.getTime();
  const isItsTime = planned.getTime() === times(before).getTime();
  return isPutOff && !isItsTime && !isRetimed ? (quietUntil(clock, now) ?? now) : times(clock);
}

/** The same for what these rules have gathered for people. */
async function planPersons(tx: Transaction, plan: Plan): Promise<void> {
  const people = await tx.$queryRaw<{ id: string; notify: NotifyMode; now: Date }[]>`
    select id, notify::text, now() from account_link
    where account_id = ${plan.accountId}::uuid and digest_due_at is not null order by id for no key update`;
  for (const { id, notify, now } of people) {
    const tellAt = Prisma.sql`coalesce(tell_at, (select digest_due_at from account_link where id = ${id}::uuid))`;
    const waiting = await tx.$queryRaw<{ ruleId: string; planned: Date }[]>`
      select distinct rule_id as "ruleId", ${tellAt} as planned from letter
      where ${waitingLetters(id)} and (${plan.ruleId}::uuid is null or rule_id = ${plan.ruleId}::uuid)
        and ${tellAt} > now() order by 1, 2`;
    const rules = await tx.rule.findMany({ where: { id: { in: waiting.map(({ ruleId }) => ruleId) } } });
    const again = waiting.flatMap(({ ruleId, planned }) => {
      const rule = rules.find((each) => each.id === ruleId);
      if (!rule) return [];
      const times = (at: Clock) => {
        const ruleTellAt = tellLaterAt(termsOf(rule), at, now);
        return notify === 'digest' ? digestAt(ruleTellAt, at, now) : (ruleTellAt ?? now);
      };
      return [{ ruleId, planned, due: dueAgain(plan, { planned, now, times }) }];
    });
    await tx.$executeRaw`
      update letter set tell_at = again.due
      from json_to_recordset(${JSON.stringify(again)}::json)
        as again("ruleId" uuid, planned timestamptz, due timestamptz)
      where ${waitingLetters(id)} and rule_id = again."ruleId" and ${tellAt} = again.planned`;
    await tx.$executeRaw`
      update account_link set digest_due_at = (select min(coalesce(tell_at, digest_due_at)) from letter
        where ${waitingLetters(id)}) where id = ${id}::uuid`;
  }
}
