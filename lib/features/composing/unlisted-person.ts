import { getPersonName } from '@/lib/integrations/notion/notion-catalog';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { processState } from '@/lib/process-state';
import { HOUR_MS, MINUTE_MS } from '@/lib/time';
import { withNotion } from '../connections/notion-access';

const KEPT_MS = HOUR_MS;
const PAUSE_MS = MINUTE_MS;
const MOST_KEPT = 1000;

interface Asked {
  /** On this process's clock. */
  until: number;
  name: Promise<string | null>;
}

/** By the workspace and the person; by the workspace alone while it is asked for nobody. */
const asked = processState('unlistedPeople', () => new Map<string, Asked>());

/**
 * The name of somebody whom Notion does not list, such as a guest of the workspace. Null for a bot, and when Notion does
 * not tell. Each process asks for nobody twice within an hour. It asks for nobody in the workspace for a minute after
 * Notion did not answer, and for an hour after it said that the connection may not read people.
 */
export async function findUnlisted(
  workspace: { id: string; sealedTokens: Uint8Array },
  notionUserId: string,
): Promise<string | null> {
  const person = `${workspace.id}:${notionUserId}`;
  const known = recall(workspace.id) ?? recall(person);
  if (known) return known;
  const name = withNotion(workspace, (token) => getPersonName(token, notionUserId)).catch((error) => {
    if (!(error instanceof NotionError)) {
      asked.delete(person);
      throw error;
    }
    const pauseMs = pauseAfter(error);
    if (pauseMs > 0) {
      asked.delete(person);
      keep(workspace.id, null, pauseMs);
    }
    return null;
  });
  keep(person, name, KEPT_MS);
  return name;
}

/** For how long the workspace is asked for nobody; 0 when Notion refused this person only. */
function pauseAfter(error: NotionError): number {
  if (error.isForbidden) return KEPT_MS;
  return error.isTransient || error.isUnauthorized ? Math.max(PAUSE_MS, error.retryAfterMs ?? 0) : 0;
}

function recall(key: string): Promise<string | null> | undefined {
  const known = asked.get(key);
  return known && performance.now() < known.until ? known.name : undefined;
}

function keep(key: string, name: Promise<string | null> | null, forMs: number): void {
  asked.delete(key);
  for (const oldest of [...asked.keys()].slice(0, asked.size - MOST_KEPT + 1)) asked.delete(oldest);
  asked.set(key, { until: performance.now() + forMs, name: Promise.resolve(name) });
}
