import type { NotionWorkspace } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { listPages, type Page } from '@/lib/integrations/notion/notion-page';
import { listSharedPages } from '@/lib/integrations/notion/notion-search';
import { isWatched, type RuleSource } from '../matching/sources';
import type { FoundSource } from '../rules/sources';
import { climb, startPosition } from '../tree/climb';
import { withNotion } from '../workspaces/notion-access';
import { DATABASE_NOT_SHARED, NO_PAGES_SHOWN, notionProblem } from '../workspaces/notion-problem';

/** Pages that a draft watches, latest edits first. Throws `not_found` when there is none. */
export async function listSamples(workspace: NotionWorkspace, source: FoundSource): Promise<Page[]> {
  const { database, page, columns } = source;
  if (database) {
    const { pages } = await withNotion(workspace, (token) => listPages(token, database.id)).catch((error) => {
      throw notionProblem(error, DATABASE_NOT_SHARED);
    });
    if (pages.length === 0) {
      throw new AppError('not_found', `${database.name} has no page yet. Add one to see its card.`);
    }
    return pages;
  }
  if (page && columns.subpages === 'none') return [page];
  const { pages } = await withNotion(workspace, (token) => listSharedPages(token)).catch((error) => {
    throw notionProblem(error, NO_PAGES_SHOWN);
  });
  const watched = pages.filter((each) => !each.isTrashed && standsIn(columns, each, pages));
  if (page) watched.push(page);
  if (watched.length === 0) throw new AppError('not_found', 'No page is shared with Pagewire yet.');
  return watched;
}

/** Whether a page is certainly watched, judging by the parents of the pages that were found with it. */
function standsIn(source: RuleSource, page: Page, found: Page[]): boolean {
  let position = startPosition({ pageId: page.id, databaseId: page.databaseId }, page.parent);
  while (position.end === 'open' && isWatched(source, position) === null) {
    const highest = position.above.at(-1);
    const parent = found.find(({ id }) => id === highest?.id)?.parent;
    if (!parent) break;
    position = climb(position, parent);
  }
  return isWatched(source, position) === true;
}
