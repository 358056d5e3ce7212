import { Prisma, runStatement } from '@/lib/db/database';

/** Whether the database has forgotten something that happened after a time, because it was restored to an earlier one. */
export async function hasForgottenSince(at: Date): Promise<boolean> {
  const rows = await runStatement(Prisma.sql`
    select 1 from seen_clock where id = 1 and forgotten_until > ${at}::timestamptz`);
  return rows.length > 0;
}
