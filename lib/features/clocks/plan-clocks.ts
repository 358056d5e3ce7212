import { Prisma, type Transaction } from '@/lib/db/database';
import { clockOf } from '../calendar/clock-of';
import { termsOf } from '../matching/terms';
import { nextRun } from './next-run';

/**
 * Says when the clock fires a rule, or all rules of an account, next: as the rules and the account's clock say now. What is
 * due already stays so when only the account's clock has changed.
 */
export async function planClocks(
  tx: Transaction,
  accountId: string,
  ruleId: string | null = null,
): Promise<void> {
  const clock = clockOf(await tx.account.findUniqueOrThrow({ where: { id: accountId } }));
  const [{ now } = { now: new Date() }] = await tx.$queryRaw<{ now: Date }[]>`select now()`;
  const mine = Prisma.sql`account_id = ${accountId}::uuid and (${ruleId}::uuid is null or rule_id = ${ruleId}::uuid)`;
  const isKept = ruleId === null ? Prisma.sql`due_at <= now()` : Prisma.sql`false`;
  await tx.$executeRaw`delete from rule_clock where ${mine} and not (${isKept})`;
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

/** What a reminder depends on: with another property or another number of days, a rule reminds of another thing. */
const remindedBy = (schedule: unknown) => {
  const { propertyId = null, days = null } = (schedule ?? {}) as { propertyId?: string; days?: number };
  return JSON.stringify([propertyId, days]);
};

/** Plans a rule that was edited, and lets it remind anew when it now reminds of something else. */
export async function replanClock(
  tx: Transaction,
  before: { schedule: unknown; databaseId: string | null },
  rule: { id: string; accountId: string; schedule: unknown; databaseId: string | null },
): Promise<void> {
  const isSame =
    remindedBy(before.schedule) === remindedBy(rule.schedule) && before.databaseId === rule.databaseId;
  if (!isSame) await tx.reminder.deleteMany({ where: { ruleId: rule.id } });
  await planClocks(tx, rule.accountId, rule.id);
}
