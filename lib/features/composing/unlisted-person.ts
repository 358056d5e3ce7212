import { getPersonName } from '@/lib/integrations/notion/notion-catalog';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { processState } from '@/lib/process-state';
import { HOUR_MS } from '@/lib/time';
import { withNotion } from '../connections/notion-access';

const KEPT_MS = HOUR_MS;
const MOST_KEPT = 1000;

interface Asked {
  at: number;
  name: Promise<string | null>;
}

const asked = processState('unlistedPeople', () => new Map<string, Asked>());

/**
 * The name of somebody whom Notion does not list, such as a guest of the workspace. Null for a bot, and when Notion does
 * not tell. Each process asks for nobody twice within an hour, unless Notion does not answer.
 */
export function findUnlisted(
  workspace: { id: string; sealedTokens: Uint8Array },
  notionUserId: string,
): Promise<string | null> {
  const key = `${workspace.id}:${notionUserId}`;
  const known = asked.get(key);
  if (known && performance.now() - known.at < KEPT_MS) return known.name;
  const name = withNotion(workspace, (token) => getPersonName(token, notionUserId)).catch((error) => {
    const isRefused = error instanceof NotionError && !error.isTransient;
    if (!isRefused) asked.delete(key);
    if (!(error instanceof NotionError)) throw error;
    return null;
  });
  asked.delete(key);
  for (const oldest of [...asked.keys()].slice(0, asked.size - MOST_KEPT + 1)) asked.delete(oldest);
  asked.set(key, { at: performance.now(), name });
  return name;
}
