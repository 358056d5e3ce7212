import { db, type Transaction } from '@/lib/db/database';
import { getPage, type Page } from '@/lib/integrations/notion/notion-page';
import { goneAsNull, unreadableAsUndefined, withNotion } from './notion-access';
import type { WorkspaceAccess } from './notion-tokens';

/** Stores a page that a rule is going to watch. */
export async function storePage(tx: Transaction, workspaceId: string, page: Page): Promise<void> {
  const seen = seenOf(page);
  await tx.notionPage.upsert({
    where: { workspaceId_id: { workspaceId, id: page.id } },
    create: { workspaceId, id: page.id, ...seen },
    update: seen,
  });
}

/** Deletes what is stored about the pages of a workspace that no rule watches. */
export async function forgetUnwatched(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.notionPage.deleteMany({ where: { workspaceId, rules: { none: {} } } });
}

/** Updates what is stored about a page that rules may watch, from a reading; null if Notion no longer shows it. */
export async function followPage(workspaceId: string, id: string, page: Page | null): Promise<void> {
  const seen = page && !page.isTrashed ? seenOf(page) : { isShared: false };
  await db().notionPage.updateMany({ where: { workspaceId, id }, data: seen });
}

// Rules are called after their page.
const seenOf = ({ title, icon, url }: Page) => ({
  title: title.trim() || 'Untitled',
  icon,
  url: url || null,
  isShared: true,
});

/** Reads the pages that rules of a workspace watch. An unreadable one stays as it was. Throws NotionError. */
export async function refreshPages(workspace: WorkspaceAccess): Promise<void> {
  const pages = await db().notionPage.findMany({
    where: { workspaceId: workspace.id },
    select: { id: true },
  });
  for (const { id } of pages) {
    const page = await withNotion(workspace, (token) => getPage(token, id))
      .catch(goneAsNull)
      .catch(unreadableAsUndefined);
    if (page !== undefined) await followPage(workspace.id, id, page);
  }
}
