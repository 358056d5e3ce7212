import { db } from '@/lib/db/database';
import type { Account, NotionWorkspace } from '@/lib/db/generated/client';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { getPage, type Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { searchPages } from '@/lib/integrations/notion/notion-search';
import { withNotion } from '../workspaces/notion-access';
import { NO_PAGES_SHOWN, notionProblem } from '../workspaces/notion-problem';
import { requireWorkspace } from '../workspaces/queries';
import type { FoundPage } from './schema';

// A search, and a few calls for the titles of parents.
const COST = 2;
const MAX_FOUND = 20;
const MAX_PARENTS_ASKED = 5;

/**
 * Shared pages whose titles contain these words, as far as Notion's index knows them, or the one page with this id. At
 * most twenty. Throws `not_connected`, `rate_limited`, `upstream_failed`.
 */
export async function findPages(
  account: Account,
  query: string,
  pageId: string | null,
): Promise<{ pages: FoundPage[] }> {
  const workspace = await requireWorkspace(db(), { accountId: account.id });
  await limitOutsideCalls(account.id, COST);
  const found = pageId === null ? await search(workspace, query) : await readOne(workspace, pageId);
  const titles = await findTitles(workspace, found);
  const pages = found.map(({ id, title, icon, url, parent }) => ({
    id,
    title: title || 'Untitled',
    icon,
    url: url || null,
    parentTitle: (parent.id && titles.get(parent.id)) || null,
  }));
  return { pages };
}

async function search(workspace: NotionWorkspace, query: string): Promise<Page[]> {
  const { pages } = await withNotion(workspace, (token) => searchPages(token, query.trim(), MAX_FOUND)).catch(
    (error) => {
      throw notionProblem(error, NO_PAGES_SHOWN);
    },
  );
  return pages;
}

async function readOne(workspace: NotionWorkspace, pageId: string): Promise<Page[]> {
  const page = await readShared(workspace, pageId).catch((error) => {
    throw notionProblem(error, NO_PAGES_SHOWN);
  });
  return page && !page.isTrashed ? [page] : [];
}

/** The titles of the pages' parents, by id: as stored, from the pages themselves, or asked of Notion. */
async function findTitles(workspace: NotionWorkspace, pages: Page[]): Promise<Map<string, string>> {
  const ids = [...new Set(pages.flatMap(({ parent }) => parent.id ?? []))];
  const where = { workspaceId: workspace.id, id: { in: ids } };
  const databases = await db().notionDatabase.findMany({ where, select: { id: true, name: true } });
  const titles = new Map([
    ...databases.map(({ id, name }) => [id, name] as const),
    ...pages.map(({ id, title }) => [id, title] as const),
  ]);
  const asked = pages.flatMap(({ parent }) => (parent.kind === 'page' && parent.id ? [parent.id] : []));
  const unknown = [...new Set(asked)].filter((id) => !titles.has(id)).slice(0, MAX_PARENTS_ASKED);
  // A missing title of a parent should not fail the search.
  const read = await Promise.all(unknown.map((id) => readShared(workspace, id).catch(() => null)));
  for (const page of read) if (page) titles.set(page.id, page.title);
  return titles;
}

async function readShared(workspace: NotionWorkspace, pageId: string): Promise<Page | null> {
  try {
    return await withNotion(workspace, (token) => getPage(token, pageId));
  } catch (error) {
    if (error instanceof NotionError && (error.isGone || error.status === 400)) return null;
    throw error;
  }
}
