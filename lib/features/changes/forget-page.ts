import { getDatabase } from '@/lib/integrations/notion/notion-catalog';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { COMMENTED } from '../matching/match';
import { isClockEvent } from '../matching/words';
import { withNotion } from '../workspaces/notion-access';
import type { WorkspaceAccess } from '../workspaces/notion-tokens';
import type { LoadedTurn } from './loaded-turn';
import type { Gone } from './read-page';

/**
 * Whether the stored values of a page that is not shown are deleted. A page in the trash may come back, and what changes
 * then is compared with the values that it had. Passes look through the trash of the databases that rules name, and
 * forget those pages. If its database is not shown either, the page may come back with it.
 */
export async function isForgotten(
  { workspace, events, rules: loaded }: LoadedTurn,
  { gone, page, rules = loaded }: Gone,
): Promise<boolean> {
  // Comments do not name the database.
  const said = events.filter(({ type }) => type !== COMMENTED);
  if (!page && said.length === 0) return false;
  const databaseId = page ? page.databaseId : said.findLast((event) => event.databaseId !== null)?.databaseId;
  const hasPasses = rules.some(
    ({ sourceKind, databaseId: named, eventType }) =>
      sourceKind === 'database' && named === databaseId && !isClockEvent(eventType),
  );
  if (!databaseId || !hasPasses) return true;
  return gone === 'page_gone' && (await isShown(workspace, databaseId));
}

async function isShown(workspace: WorkspaceAccess, databaseId: string): Promise<boolean> {
  try {
    return !(await withNotion(workspace, (token) => getDatabase(token, databaseId))).isTrashed;
  } catch (error) {
    if (error instanceof NotionError) return false;
    throw error;
  }
}
