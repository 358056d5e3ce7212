import { Prisma, runStatement } from '@/lib/db/database';

/** Whether the database was restored and has forgotten something that happened after a time. */
export async function hasForgottenSince(at: Date): Promise<boolean> {
  const rows = await runStatement(Prisma.sql`
    select 1 from seen_clock where id = 1 and forgotten_until > ${at}::timestamptz`);
  return rows.length > 0;
}

/**
 * A condition of a statement: whether what happened `at` a time may have been told although a restored database has
 * forgotten it. Clocks may differ by a minute.
 */
export const maybeToldSql = (at: Prisma.Sql): Prisma.Sql => Prisma.sql`exists (
  select 1 from seen_clock where id = 1 and forgotten_until + interval '1 minute' >= ${at})`;

/** A span that the database has forgotten, because it was restored to its beginning. */
export interface ForgottenSpan {
  since: Date;
  until: Date;
}

/** The last forgotten span; null when there was none. */
export async function findForgotten(): Promise<ForgottenSpan | null> {
  const [span] = await runStatement<ForgottenSpan>(Prisma.sql`
    select forgotten_since as since, forgotten_until as until from seen_clock
    where id = 1 and forgotten_since is not null and forgotten_until is not null`);
  return span ?? null;
}
