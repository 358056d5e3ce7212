import { Prisma, runStatement } from '@/lib/db/database';
import { lookedUp } from '@/lib/db/planner-hints';
import { completeValue, getPage, type Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import { blockCallsSql, connectionLimit } from '../calls/call-limits';
import { withNotion } from '../connections/notion-access';
import type { LoadedTurn } from './loaded-turn';

export type Reading =
  | { page: Page }
  | { gone: 'page_trashed' | 'page_gone' }
  | { refused: 'page_too_large' | 'notion_refused' | 'notion_unreachable' }
  | { retryAt: Date };

const GIVE_UP_AFTER_MS = DAY_MS;
const LONGEST_WAIT_MS = 5 * MINUTE_MS;

/**
 * Reads a turn's page, the tracked values in full. `waitingSince` says how long the turn has been waiting for it.
 * Otherwise says when to ask again, on the database's clock, or why never to.
 */
export async function readPage(
  { workspace, pageId, databaseTime }: LoadedTurn,
  tracked: string[],
  waitingSince: Date,
): Promise<Reading> {
  try {
    const page = await withNotion(workspace, (token) => getPage(token, pageId));
    // Tracked values are compared, so they are read in full; of the others a card shows only the beginning.
    for (const id of tracked.filter((each) => page.values.get(each)?.isCut)) {
      await withNotion(workspace, (token) => completeValue(token, page, id));
    }
    return page.isTrashed ? { gone: 'page_trashed' } : { page };
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    if (error.isGone) return { gone: 'page_gone' };
    if (error.isTooLarge) return { refused: 'page_too_large' };
    if (!error.isTransient) return { refused: 'notion_refused' };
    const waitedMs = databaseTime().getTime() - waitingSince.getTime();
    if (waitedMs > GIVE_UP_AFTER_MS) return { refused: 'notion_unreachable' };
    if (error.isLimit)
      return { retryAt: await blockConnection(workspace.id, error.retryAfterMs ?? SECOND_MS) };
    // Unless Notion says how long to wait, wait about as long as it has been unreachable.
    const patienceMs = Math.min(LONGEST_WAIT_MS, Math.max(SECOND_MS, waitedMs));
    return { retryAt: databaseTime(error.retryAfterMs ?? patienceMs) };
  }
}

/**
 * Delays every page of a connection until Notion answers its calls again. Returns when that is, on the database's
 * clock.
 */
export async function blockConnection(workspaceId: string, forMs: number): Promise<Date> {
  const block = { key: connectionLimit(workspaceId), until: performance.now() + forMs };
  const [blocked] = await runStatement<{ until: Date }>(Prisma.sql`
    with blocked as (
      ${blockCallsSql([block])} returning blocked_until
    ), waiting as (
      select workspace_id, page_id from page_turn, blocked
      where workspace_id = ${workspaceId}::uuid and due_at < blocked_until and leased_until < now()
      for update of page_turn skip locked
    ), moved as (
      update page_turn t set due_at = blocked_until from waiting w, blocked
      where t.workspace_id = ${lookedUp('w.workspace_id')} and t.page_id = ${lookedUp('w.page_id')}
    )
    select blocked_until as until from blocked`);
  return (blocked as { until: Date }).until;
}
