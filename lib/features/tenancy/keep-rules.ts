import { Prisma } from '@/lib/db/database';

/**
 * Keeps rules from being deleted until the transaction ends. Comes before any lock of what a rule has: its messages,
 * decisions, cards and letters. A deletion locks the rule first and, seconds later, all of that, so whoever waited for
 * the rule with some of it locked would deadlock with the deletion.
 */
export const keepRulesSql = (which: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`select id from rule where ${which} order by id for key share`;

/**
 * The same for one rule and, first, its account, in a statement that also adds rows of the account or locks it: the
 * deletion of an account locks it before its rules.
 */
export const keepRuleOfAccountSql = (ruleId: string | null): Prisma.Sql => Prisma.sql`
      select r.id from rule r join account a on a.id = r.account_id where r.id = ${ruleId}::uuid for key share of a, r`;

/** The same for the rule that a message is sent for. */
export const keepRuleOfSql = ({ id, at }: { id: string; at: Date }): Prisma.Sql =>
  keepRulesSql(Prisma.sql`
      id = (select source_id from message where id = ${id}::uuid and at = ${at}::timestamptz)`);
