import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../prisma/migrate';

/**
 * Brings a database to the state after the last migration whose name satisfies `isDone`. Returns the names of the
 * migrations applied.
 */
export async function migrateTo(url: string, isDone: (name: string) => boolean): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'migrations-'));
  try {
    cpSync('prisma/schema.prisma', join(root, 'prisma/schema.prisma'));
    for (const name of readdirSync('prisma/migrations')) {
      if (!name.startsWith('2') || isDone(name)) {
        cpSync(join('prisma/migrations', name), join(root, 'prisma/migrations', name), { recursive: true });
      }
    }
    return await migrate(url, root);
  } finally {
    rmSync(root, { recursive: true });
  }
}
