import { getPage, listPages, type Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { listSharedPages } from '@/lib/integrations/notion/notion-search';
import { MINUTE_MS, SECOND_MS, type TimeLeft } from '@/lib/time';
import { blockedForMs, connectionLimit } from '../calls/call-limits';
import { blockConnection } from '../changes/block-connection';
import { unreadableAsUndefined, withNotion } from '../workspaces/notion-access';
import { DATABASE_NOT_SHARED, notionProblem } from '../workspaces/notion-problem';
import type { WorkspaceAccess } from '../workspaces/notion-tokens';
import type { Lost } from './why-unknown';
import { TooLate, withDeadline } from './with-deadline';

// Notion allows a connection three calls a second, and the pipeline needs them too:
// https://developers.notion.com/reference/request-limits
const MAX_CALLS = 12;
// Notion's list of edits may lag, and its times are rounded down to the minute.
const OVERLAP_MS = 5 * MINUTE_MS;

interface Wanted {
  workspace: WorkspaceAccess;
  /** Null if the source is not a database: its pages may be in any database or in none. */
  databaseId: string | null;
  /** When the first event of each page happened, by page id. */
  pages: Map<string, Date>;
  /** Pages that are kept if they are found in the database, but not looked for. */
  others: Set<string>;
  /** The properties that are kept of each page. */
  propertyIds: Set<string>;
}

export interface PagesRead {
  /** By page id. */
  pages: Map<string, Page>;
  /** Why the other pages that were asked for are not known, by page id. Wanted pages in neither were not reached. */
  lost: Map<string, Lost>;
  /** How many pages Notion returned. */
  looked: number;
}

/** Why a page is not among those that were read. */
export const lostOf = ({ lost }: PagesRead, id: string): Lost => lost.get(id) ?? 'unreached';

/**
 * Reads the wanted pages of a source: first batches of the pages that were edited last, then the missing ones one by
 * one, until the time or the calls are used up or Notion asks for a pause. Throws AppError when Notion refuses the
 * database.
 */
export async function readPages(wanted: Wanted, left: TimeLeft): Promise<PagesRead> {
  const { workspace } = wanted;
  const read: PagesRead = { pages: new Map(), lost: new Map(), looked: 0 };
  const ask = asker(workspace, left);
  if (wanted.pages.size === 0 || (await blockedForMs(connectionLimit(workspace.id))) > 0) return read;
  try {
    // An unreadable list may have readable pages.
    await readList(wanted, read, ask).catch(unreadableAsUndefined);
    for (const id of wanted.pages.keys()) {
      if (!read.pages.has(id)) await readOne(wanted, read, ask, id);
    }
  } catch (error) {
    await endReading(workspace, error);
  }
  return read;
}

/**
 * Reads the pages of a database, last edited first, as far as the time and the calls reach, and whether those are all.
 * Of their values it keeps those of these properties. Throws AppError when Notion refuses the database.
 */
export async function readNewest(
  { workspace, databaseId, propertyIds }: Pick<Wanted, 'workspace' | 'propertyIds'> & { databaseId: string },
  left: TimeLeft,
): Promise<{ pages: Page[]; isWhole: boolean }> {
  const pages: Page[] = [];
  const ask = asker(workspace, left);
  let cursor: string | undefined;
  if ((await blockedForMs(connectionLimit(workspace.id))) > 0) return { pages, isWhole: false };
  try {
    do {
      const from = cursor;
      const batch = await ask((token) => listPages(token, databaseId, from));
      pages.push(...batch.pages.map((page) => reduced(page, propertyIds)));
      cursor = batch.nextCursor ?? undefined;
    } while (cursor);
    return { pages, isWhole: true };
  } catch (error) {
    await endReading(workspace, error);
    return { pages, isWhole: false };
  }
}

/** Ends reading without a failure if time or calls are used up, or Notion asks for a pause. Rethrows other errors. */
async function endReading(workspace: Wanted['workspace'], error: unknown): Promise<void> {
  if (error instanceof TooLate) return;
  if (!(error instanceof NotionError && error.isTransient)) {
    throw notionProblem(error, DATABASE_NOT_SHARED);
  }
  if (error.isLimit) await blockConnection(workspace.id, error.retryAfterMs ?? SECOND_MS);
}

type Ask = <T>(call: (token: string) => Promise<T>) => Promise<T>;

/** Calls Notion as long as there are calls and time left; then throws TooLate. */
function asker(workspace: Wanted['workspace'], left: TimeLeft): Ask {
  let calls = 0;
  return async (call) => {
    calls += 1;
    if (calls > MAX_CALLS || left() <= 0) throw new TooLate();
    return withDeadline(left, withNotion(workspace, call));
  };
}

async function readList({ databaseId, pages, others, propertyIds }: Wanted, read: PagesRead, ask: Ask) {
  let cursor: string | undefined;
  do {
    const from = cursor;
    const batch = await ask((token) =>
      databaseId === null ? listSharedPages(token, from) : listPages(token, databaseId, from),
    );
    read.looked += batch.pages.length;
    const kept = batch.pages.filter(({ id }) => pages.has(id) || others.has(id));
    for (const page of kept) read.pages.set(page.id, reduced(page, propertyIds));
    const missing = [...pages].filter(([id]) => !read.pages.has(id));
    const first = Math.min(...missing.map(([, at]) => at.getTime()));
    const last = batch.pages.at(-1);
    if (missing.length === 0 || (last && last.lastEditedAt.getTime() < first - OVERLAP_MS)) return;
    cursor = batch.nextCursor ?? undefined;
  } while (cursor);
}

async function readOne({ databaseId, propertyIds }: Wanted, read: PagesRead, ask: Ask, id: string) {
  try {
    const page = await ask((token) => getPage(token, id));
    read.looked += 1;
    const isElsewhere = databaseId !== null && page.databaseId !== databaseId;
    if (page.isTrashed || isElsewhere) read.lost.set(id, 'gone');
    else read.pages.set(id, reduced(page, propertyIds));
  } catch (error) {
    if (!(error instanceof NotionError) || error.isTransient) throw error;
    read.lost.set(id, error.isUnreadable ? 'unreadable' : 'gone');
  }
}

/** The page with only these values, because there may be very many pages. */
const reduced = (page: Page, propertyIds: Set<string>): Page => ({
  ...page,
  values: new Map([...page.values].filter(([id]) => propertyIds.has(id))),
});
