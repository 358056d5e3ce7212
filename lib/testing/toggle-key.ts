import { db, Prisma } from '@/lib/db/database';

/** Makes what a column holds that of a key which no process has; done again, it is as before. */
export async function toggleKey(table: string, column: string): Promise<void> {
  const [name, sealed] = [Prisma.raw(table), Prisma.raw(column)];
  await db().$executeRaw`
    update ${name} set ${sealed} = set_byte(${sealed}, 1, get_byte(${sealed}, 1) # 255) where ${sealed} is not null`;
}
