import { Prisma, runStatement } from '@/lib/db/database';

/** Those of these messages in Discord that rows of messages hold already. */
export async function findTaken(discordMessageIds: string[]): Promise<Set<string>> {
  const rows = await runStatement<{ id: string }>(Prisma.sql`
    select discord_message_id as id from message where discord_message_id = any(${discordMessageIds}::text[])`);
  return new Set(rows.map(({ id }) => id));
}
