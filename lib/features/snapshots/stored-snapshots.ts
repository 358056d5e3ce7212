import { UnknownKeyError } from '@/lib/crypto';
import { db, Prisma, type Transaction } from '@/lib/db/database';
import { log } from '@/lib/log';
import { openSnapshot, type Snapshot, sealSnapshot } from '../matching/snapshot';

/** What a stored snapshot holds, as far as this process can open it. */
export interface OpenedSnapshot {
  /** Null if it cannot be opened. */
  values: Snapshot | null;
  /** Whether that is because this process lacks its key, which another may have. */
  isLocked: boolean;
}

/** A page's last snapshot, and its number among all of the page. */
export interface StoredSnapshot extends OpenedSnapshot {
  version: number;
}

/** Opens a stored snapshot. One that no key opens counts as none. */
export function openStored(sealed: Uint8Array, workspaceId: string, pageId: string): OpenedSnapshot {
  try {
    return { values: openSnapshot(sealed, workspaceId, pageId), isLocked: false };
  } catch (error) {
    if (error instanceof UnknownKeyError) return { values: null, isLocked: true };
    log.warn({ err: error, workspaceId, pageId }, 'snapshot not opened');
    return { values: null, isLocked: false };
  }
}

/** The last snapshots of these pages, by page id; absent for pages that were never seen. */
export async function readSnapshots(
  workspaceId: string,
  pageIds: string[],
): Promise<Map<string, StoredSnapshot>> {
  const rows = await db().pageSnapshot.findMany({ where: { workspaceId, pageId: { in: pageIds } } });
  return new Map(
    rows.map(({ pageId, sealedValues, version }) => [
      pageId,
      { ...openStored(sealedValues, workspaceId, pageId), version },
    ]),
  );
}

/**
 * A page's last snapshot, locked until the transaction ends; null when the page was never seen. `isRecent` says whether
 * it was saved since `askedAt`.
 */
export async function lockSnapshot(
  tx: Transaction,
  workspaceId: string,
  pageId: string,
  askedAt: Date,
): Promise<(OpenedSnapshot & { isRecent: boolean }) | null> {
  const [row] = await tx.$queryRaw<{ sealed: Uint8Array; isRecent: boolean }[]>`
    select sealed_values as sealed, updated_at >= ${askedAt}::timestamptz as "isRecent"
    from page_snapshot where workspace_id = ${workspaceId}::uuid and page_id = ${pageId} for update`;
  return row ? { ...openStored(row.sealed, workspaceId, pageId), isRecent: row.isRecent } : null;
}

/**
 * Replaces a page's snapshot, which is locked, or saves its first one (`isFirst`). Returns false, with nothing changed,
 * if somebody else has saved the first one meanwhile.
 */
export async function replaceSnapshot(
  tx: Transaction,
  workspaceId: string,
  page: { id: string; databaseId: string; isFirst: boolean },
  snapshot: Snapshot,
): Promise<boolean> {
  const sealed = sealSnapshot(snapshot, workspaceId, page.id);
  const saved = await tx.$executeRaw`
    insert into page_snapshot (workspace_id, page_id, database_id, sealed_values, updated_at)
    values (${workspaceId}::uuid, ${page.id}, ${page.databaseId}, ${sealed}, now())
    on conflict (workspace_id, page_id) do update
    set database_id = excluded.database_id, sealed_values = excluded.sealed_values, updated_at = now(),
      version = page_snapshot.version + 1
    where not ${page.isFirst}::boolean`;
  return saved > 0;
}

/**
 * Saves snapshots of which nobody has saved another since they were read. `rows` selects workspace_id, page_id,
 * database_id, sealed_values, and as the version the one that follows the one that was read. A statement that writes.
 */
export const saveSnapshotsSql = (rows: Prisma.Sql) => Prisma.sql`
  insert into page_snapshot (workspace_id, page_id, database_id, sealed_values, version)
  ${rows}
  on conflict (workspace_id, page_id) do update
  set database_id = excluded.database_id, sealed_values = excluded.sealed_values, version = excluded.version,
    updated_at = now()
  where page_snapshot.version = excluded.version - 1`;

/** Forgets the pages in the part `decided` of a statement of which it says "isForgotten". */
export const FORGET_PAGES = Prisma.sql`
  delete from page_snapshot s using decided d
  where d."isForgotten" and s.workspace_id = d."workspaceId" and s.page_id = d."pageId"`;

/** Forgets some pages of a workspace. */
export async function forgetPages(workspaceId: string, pageIds: string[]): Promise<void> {
  await db().pageSnapshot.deleteMany({ where: { workspaceId, pageId: { in: pageIds } } });
}

/** Forgets all pages of a database, or all that are in none. */
export async function forgetDatabase(
  tx: Transaction,
  database: { workspaceId: string; databaseId: string },
): Promise<void> {
  await tx.pageSnapshot.deleteMany({ where: database });
}
