import { db } from '@/lib/db/database';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { getPersonName } from '@/lib/integrations/notion/notion-catalog';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { listKnownPeople } from '../links/known-people';
import { withNotion } from './notion-access';

// The most unlisted people for one rule.
const MAX_GUESTS = 10;

/**
 * Stores those of these people whom the workspace does not list although Notion knows them, such as guests, so that a
 * rule can name them. Asks Notion for ten of them at most. Throws `upstream_failed` when it does not answer.
 */
export async function keepGuests(workspace: NotionWorkspace, notionUserIds: string[]): Promise<void> {
  if (notionUserIds.length === 0) return;
  const known = new Set((await listKnownPeople(workspace)).map(({ id }) => id));
  const unlisted = notionUserIds.filter((id) => !known.has(id));
  for (const id of unlisted.slice(0, MAX_GUESTS)) {
    const name = await withNotion(workspace, (token) => getPersonName(token, id)).catch(nobody);
    const guest = name && { workspaceId: workspace.id, id, name, isGuest: true };
    if (guest) await db().notionUser.createMany({ data: guest, skipDuplicates: true });
  }
}

function nobody(error: unknown): null {
  if (!(error instanceof NotionError)) throw error;
  if (!error.isTransient) return null;
  throw new AppError('upstream_failed', 'Notion does not answer. Try again in a minute.');
}
