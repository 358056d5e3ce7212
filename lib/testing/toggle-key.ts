import { db, Prisma } from '@/lib/db/database';

/** Makes a column's values look sealed with a key that no process has; calling it again undoes that. */
export async function toggleKey(table: string, column: string): Promise<void> {
  const [name, sealed] = [Prisma.raw(table), Prisma.raw(column)];
  await db().$executeRaw`
    update ${name} set ${sealed} = set_byte(${sealed}, 1, get_byte(${sealed}, 1) # 255) where ${sealed} is not null`;
}
