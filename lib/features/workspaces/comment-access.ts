import { db } from '@/lib/db/database';
import { mayReadComments } from '@/lib/integrations/notion/notion-comment';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { isRecent, MINUTE_MS } from '@/lib/time';
import { withNotion } from './notion-access';
import type { WorkspaceAccess } from './notion-tokens';

// Short enough for somebody who has just allowed comments, and long enough that an open dashboard asks rarely.
const FRESH_MS = 10 * MINUTE_MS;

interface Known extends WorkspaceAccess {
  canReadComments: boolean | null;
}

/**
 * Asks Notion whether the connection may read comments, and stores the answer. Without one, returns the stored answer,
 * or null.
 */
export async function checkCommentAccess(workspace: Known): Promise<boolean | null> {
  const answer = await withNotion(workspace, mayReadComments).catch((error) => {
    if (error instanceof NotionError) return null;
    throw error;
  });
  const { canReadComments } = await storeCommentAccess(workspace.id, answer ?? workspace.canReadComments);
  return canReadComments;
}

/** Like `checkCommentAccess`, unless Notion has allowed it before, or was asked within ten minutes. */
export async function recheckCommentAccess(workspace: Known & { commentsCheckedAt: Date }): Promise<void> {
  const isFresh = isRecent(workspace.commentsCheckedAt, FRESH_MS);
  if (!workspace.canReadComments && !isFresh) await checkCommentAccess(workspace);
}

/** Keeps whether a connection may read comments, as Notion has just answered. */
export async function storeCommentAccess(
  workspaceId: string,
  canReadComments: boolean | null,
): Promise<{ canReadComments: boolean | null }> {
  const data = { canReadComments, commentsCheckedAt: new Date() };
  await db().notionWorkspace.updateMany({ where: { id: workspaceId }, data });
  return data;
}
