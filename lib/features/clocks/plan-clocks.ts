import { Prisma, type Transaction } from '@/lib/db/database';
import { quietUntil } from '../calendar/calendar';
import { clockOf } from '../calendar/clock-of';
import { termsOf } from '../matching/terms';
import { nextRun } from './next-run';

/**
 * Recalculates when the clock next fires a rule, or all rules of an account, after they or the account's clock have
 * changed. A run whose time has come but that was not made yet stays, unless its rule is off or has another schedule:
 * it is still due, or waits for what is now the end of quiet hours.
 */
export async function planClocks(
  tx: Transaction,
  accountId: string,
  ruleId: string | null = null,
  isRescheduled = false,
): Promise<void> {
  const clock = clockOf(await tx.account.findUniqueOrThrow({ where: { id: accountId } }));
  const [{ now } = { now: new Date() }] = await tx.$queryRaw<{ now: Date }[]>`select now()`;
  const mine = Prisma.sql`c.account_id = ${accountId}::uuid and (${ruleId}::uuid is null or c.rule_id = ${ruleId}::uuid)`;
  await tx.$executeRaw`
    delete from rule_clock c where ${mine} and (${isRescheduled} or c.nominal_at > now() or not exists (
      select 1 from rule r where r.id = c.rule_id and r.workspace_id = c.workspace_id and r.database_id = c.database_id
        and r.schedule is not null and r.enabled))`;
  await tx.$executeRaw`
    update rule_clock c
    set due_at = case when r.urgent then now() else coalesce(${quietUntil(clock, now)}::timestamptz, now()) end
    from rule r where ${mine} and r.id = c.rule_id and c.nominal_at <= now() and c.due_at > now()`;
  const rules = await tx.rule.findMany({
    where: { accountId, enabled: true, schedule: { not: Prisma.DbNull }, ...(ruleId && { id: ruleId }) },
  });
  const rows = rules.flatMap(({ id, workspaceId, databaseId, ...rule }) => {
    const { schedule, urgent } = termsOf(rule);
    if (!schedule || databaseId === null) return [];
    const run = nextRun({ schedule, urgent }, clock, now);
    return [{ ruleId: id, accountId, workspaceId, databaseId, ...run }];
  });
  if (rows.length > 0) await tx.ruleClock.createMany({ data: rows, skipDuplicates: true });
}

/** What decides when a rule is due, as a comparable string. How a summary is sorted does not. */
function timesOf(schedule: unknown): string {
  const { sort: _, skipEmpty: __, ...times } = (schedule ?? {}) as Record<string, unknown>;
  return JSON.stringify(times);
}

/** What a rule reminds of, as a comparable string: the property and the number of days. */
const remindedBy = (schedule: unknown) => {
  const { propertyId = null, days = null } = (schedule ?? {}) as { propertyId?: string; days?: number };
  return JSON.stringify([propertyId, days]);
};

/** Plans an edited rule, and forgets its reminders if it now reminds of something else. */
export async function replanClock(
  tx: Transaction,
  before: { schedule: unknown; databaseId: string | null },
  rule: { id: string; accountId: string; schedule: unknown; databaseId: string | null },
): Promise<void> {
  const isElsewhere = before.databaseId !== rule.databaseId;
  if (isElsewhere || remindedBy(before.schedule) !== remindedBy(rule.schedule)) {
    await tx.reminder.deleteMany({ where: { ruleId: rule.id } });
  }
  const isRescheduled = isElsewhere || timesOf(before.schedule) !== timesOf(rule.schedule);
  await planClocks(tx, rule.accountId, rule.id, isRescheduled);
}
