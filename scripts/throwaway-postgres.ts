import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedPostgres, removePostgres, startPostgres } from './embedded-postgres';
import { isRunning } from './guarded-child';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** Five times what a run of all tests takes. */
const ROOM_BYTES = 4 * 1024 ** 3;
const DISK = '.pagewire/throwaway';

/**
 * Starts a PostgreSQL whose data nobody keeps. `remove` deletes the data; if this process is killed first, the next
 * such start does.
 *
 * The data is in memory if there is room: tests copy and drop a database of 1,000 files again and again, and ext4 avoids
 * files that were deleted shortly before, so a copy on disk takes ten times the processor time.
 */
export async function startThrowawayPostgres(options: {
  port: number;
  database?: string;
}): Promise<EmbeddedPostgres> {
  const parent = hasRoom(MEMORY) ? join(MEMORY, `pagewire-${process.getuid?.() ?? ''}`) : DISK;
  removeLeftovers(parent);
  const folder = join(parent, `${process.pid}-${randomUUID().slice(0, 8)}`);
  return startPostgres({ ...options, folder, throwaway: true });
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOM_BYTES;
}

/** Deletes what processes that no longer run left in this folder, under names that begin with their ids. */
export function removeLeftovers(parent: string): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    if (isRunning(Number.parseInt(name, 10), 'node')) continue;
    removePostgres(join(parent, name));
    rmSync(join(parent, name), { recursive: true, force: true });
  }
}
