import { getPersonName } from '@/lib/integrations/notion/notion-catalog';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { processState } from '@/lib/process-state';
import { HOUR_MS, MINUTE_MS } from '@/lib/time';
import type { KnownPeople } from '../links/people';
import type { PageEvent } from '../matching/match';
import { withNotion } from '../workspaces/notion-access';
import type { WorkspaceAccess } from '../workspaces/notion-tokens';

const KEPT_MS = HOUR_MS;
const PAUSE_MS = MINUTE_MS;
const MAX_KEPT = 1000;
const MAX_ASKED = 2;
// Notion knows everybody who may open a page, so hardly any workspace has so many.
const MAX_NAMELESS = 3;
const NAMELESS_PAUSE_MS = 10 * MINUTE_MS;

interface Asked {
  /** On this process's clock. */
  until: number;
  name: Promise<string | null>;
  isNameless: boolean;
}

/** Keyed by workspace and person; by workspace alone while all its lookups are paused. */
const asked = processState('unlistedPeople', () => new Map<string, Asked>());

/**
 * Whom to ask for if Notion lists none of an event's authors: two of them at most, because the card waits for the
 * answers. Leaves out bots.
 */
export function authorsToAsk(
  { authors, botAuthors }: Pick<PageEvent, 'authors' | 'botAuthors'>,
  isListed: (id: string) => boolean,
): string[] {
  if (authors.some(isListed)) return [];
  return authors.filter((id) => !botAuthors.includes(id)).slice(0, MAX_ASKED);
}

/**
 * Starts looking up an author while the page is read, so that its card need not wait for the name. Comments often name
 * their author themselves.
 */
export function askAhead(workspace: WorkspaceAccess & { known: KnownPeople }, events: PageEvent[]): void {
  const { known } = workspace;
  const [first] = events
    .filter(({ authors, commentId }) => !commentId && authors.every((id) => known.has(id)))
    .flatMap((event) => authorsToAsk(event, (id) => known.get(id) != null));
  // The card asks again, and fails if that does.
  if (first) findUnlisted(workspace, first).catch(() => undefined);
}

/**
 * The name of somebody whom Notion does not list, such as a guest of the workspace. Null for a bot, and when Notion
 * does not say. A process asks for each person at most once an hour. It asks nothing about the workspace for a minute
 * when Notion does not answer, for ten minutes when it has no name for three people, and for an hour when the
 * connection may not read people.
 */
export async function findUnlisted(workspace: WorkspaceAccess, notionUserId: string): Promise<string | null> {
  const person = `${workspace.id}:${notionUserId}`;
  const known = recall(person) ?? recall(workspace.id);
  if (known) return known;
  const name = ask(workspace, notionUserId, person);
  keep(person, name, KEPT_MS);
  return name;
}

async function ask(workspace: WorkspaceAccess, notionUserId: string, person: string): Promise<string | null> {
  try {
    const name = await withNotion(workspace, (token) => getPersonName(token, notionUserId));
    if (name !== null) return name;
  } catch (error) {
    const pauseMs = error instanceof NotionError ? pauseAfter(error) : null;
    if (pauseMs !== 0) asked.delete(person);
    if (pauseMs === null) throw error;
    if (pauseMs > 0) {
      keep(workspace.id, null, pauseMs);
      return null;
    }
  }
  noteNameless(workspace.id, person);
  return null;
}

/** How long all lookups in the workspace pause; 0 when Notion refused only this person. */
function pauseAfter(error: NotionError): number {
  if (error.isForbidden) return KEPT_MS;
  return error.isTransient || error.isUnauthorized ? Math.max(PAUSE_MS, error.retryAfterMs ?? 0) : 0;
}

/** Notes that Notion has no name for a person, and pauses all lookups for a while after several such people. */
function noteNameless(workspaceId: string, person: string): void {
  const noted = asked.get(person);
  if (noted) noted.isNameless = true;
  const nameless = [...asked].filter(
    ([key, { until, isNameless }]) =>
      isNameless && key.startsWith(`${workspaceId}:`) && performance.now() < until,
  );
  if (nameless.length >= MAX_NAMELESS) keep(workspaceId, null, NAMELESS_PAUSE_MS);
}

function recall(key: string): Promise<string | null> | undefined {
  const known = asked.get(key);
  return known && performance.now() < known.until ? known.name : undefined;
}

function keep(key: string, name: Promise<string | null> | null, forMs: number): void {
  asked.delete(key);
  const [oldest] = asked.keys();
  if (oldest !== undefined && asked.size >= MAX_KEPT) asked.delete(oldest);
  asked.set(key, { until: performance.now() + forMs, name: Promise.resolve(name), isNameless: false });
}
