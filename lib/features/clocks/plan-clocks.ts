import { Prisma, type Transaction } from '@/lib/db/database';
import { clockOf } from '../calendar/clock-of';
import { termsOf } from '../matching/terms';
import { nextRun } from './next-run';

/**
 * Recalculates when the clock next fires a rule, or all rules of an account, after they or the account's clock have
 * changed. A rule that is already due stays due if only the account's clock has changed.
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
  const isSame =
    remindedBy(before.schedule) === remindedBy(rule.schedule) && before.databaseId === rule.databaseId;
  if (!isSame) await tx.reminder.deleteMany({ where: { ruleId: rule.id } });
  await planClocks(tx, rule.accountId, rule.id);
}
