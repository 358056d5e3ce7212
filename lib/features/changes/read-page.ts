import { completeValue } from '@/lib/integrations/notion/long-value';
import { type Comment, getComment } from '@/lib/integrations/notion/notion-comment';
import { getPage, type Page } from '@/lib/integrations/notion/notion-page';
import { UNKNOWN_PARENT } from '@/lib/integrations/notion/notion-parent';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { SECOND_MS } from '@/lib/time';
import { comparedProperties } from '../matching/snapshot';
import { TITLE_ID } from '../matching/words';
import { storeCommentAccess } from '../workspaces/comment-access';
import { withNotion } from '../workspaces/notion-access';
import type { WorkspaceAccess } from '../workspaces/notion-tokens';
import { blockConnection } from './block-connection';
import type { LoadedTurn } from './loaded-turn';
import type { PipelineRule } from './pipeline-rules';
import { rulesOf } from './turn-rules';
import { hasWaitedADay, nextAttemptAt } from './waiting';

/** A page as Notion shows it, and the rules that concern it. */
export interface Shown {
  page: Page;
  rules: PipelineRule[];
}

/** A page in the trash, which Notion still shows, or one that is gone. */
export type Gone = { gone: 'page_trashed' | 'page_gone' } & Partial<Shown>;

type Refusal =
  | { refused: 'page_too_large' | 'not_understood' | 'notion_refused' | 'notion_unreachable' }
  | { retryAt: Date };

export type CommentReading =
  | { comment: Comment }
  | { refused: 'comment_gone' | 'suggested_edit' | 'comments_refused' }
  | Refusal;

/**
 * Reads a turn's page; values that its rules compare are read in full. If it cannot be read, says when to ask again, on
 * the database's clock, or why not to.
 */
export async function readPage(turn: LoadedTurn): Promise<Shown | Gone | Refusal> {
  const { workspace, pageId } = turn;
  return askAbout(turn, async (): Promise<Shown | Gone> => {
    const page = await withNotion(workspace, (token) => getPage(token, pageId));
    const rules = await rulesOf(turn, page);
    const compared = comparedProperties(rules.filter(({ isUnlocated }) => !isUnlocated));
    // A card shows only the beginning of the other values.
    for (const id of compared.filter((each) => page.values.get(each)?.isCut)) {
      await complete(workspace, page, id);
    }
    return page.isTrashed ? { gone: 'page_trashed', page, rules } : { page, rules };
  });
}

/** Reads a value in full, or takes it from the page if somebody has deleted its property since the page was read. */
async function complete(workspace: WorkspaceAccess, page: Page, propertyId: string): Promise<void> {
  try {
    await withNotion(workspace, (token) => completeValue(token, page, propertyId));
  } catch (error) {
    if (!(error instanceof NotionError && (error.isGone || error.isInvalid))) throw error;
    // The page may be gone as well, or Notion may refuse for another reason.
    const now = await withNotion(workspace, (token) => getPage(token, page.id));
    if (now.values.has(propertyId)) throw error;
    page.values.delete(propertyId);
  }
}

/** Returns what `ask` learns from Notion about a turn's page, or when to ask again, or why not to. */
export async function askAbout<T>(
  turn: LoadedTurn,
  ask: () => Promise<T>,
): Promise<T | { gone: 'page_gone' } | Refusal> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    return error.isGone ? { gone: 'page_gone' } : refusalOf(turn, error);
  }
}

/** Reads comments on a turn's page, as `readPage` reads the page. Returns them by id, or when to ask again. */
export async function readComments(
  turn: LoadedTurn,
  ids: string[],
): Promise<Map<string, CommentReading> | { retryAt: Date }> {
  const readings = new Map<string, CommentReading>();
  await Promise.all([...new Set(ids)].map(async (id) => readings.set(id, await readComment(turn, id))));
  const late = [...readings.values()].find((reading) => 'retryAt' in reading);
  return late ?? readings;
}

// The API does not mark suggested edits, which appear as comments without content.
async function readComment(turn: LoadedTurn, commentId: string): Promise<CommentReading> {
  const { workspace } = turn;
  try {
    const comment = await withNotion(workspace, (token) => getComment(token, commentId));
    const isEmpty = comment.files === 0 && comment.parts.every(({ text }) => text.trim() === '');
    return isEmpty ? { refused: 'suggested_edit' } : { comment };
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    if (error.isGone) return { refused: 'comment_gone' };
    if (!error.isForbidden) return refusalOf(turn, error);
    await storeCommentAccess(workspace.id, false);
    return { refused: 'comments_refused' };
  }
}

async function refusalOf(turn: LoadedTurn, error: NotionError): Promise<Refusal> {
  const { workspace, databaseTime } = turn;
  if (error.isTooLarge) return { refused: 'page_too_large' };
  if (!error.isTransient && !error.isUnreadable) return { refused: 'notion_refused' };
  if (hasWaitedADay(turn)) return { refused: error.isUnreadable ? 'not_understood' : 'notion_unreachable' };
  if (error.isLimit) return { retryAt: await blockConnection(workspace.id, error.retryAfterMs ?? SECOND_MS) };
  const { retryAfterMs } = error;
  return { retryAt: retryAfterMs === undefined ? nextAttemptAt(turn) : databaseTime(retryAfterMs) };
}

/** The page as it was last seen; undefined if no title was kept, or without an event. */
export function lastSeen({ pageId, snapshot, events }: LoadedTurn): Page | undefined {
  const title = snapshot?.[TITLE_ID];
  const last = events.at(-1);
  if (!title || !last) return undefined;
  return {
    id: pageId,
    url: '',
    title: title.text,
    isTrashed: true,
    createdBy: null,
    lastEditedBy: null,
    createdAt: last.occurredAt,
    lastEditedAt: last.occurredAt,
    databaseId: events.find((event) => event.databaseId !== null)?.databaseId ?? null,
    parent: UNKNOWN_PARENT,
    icon: null,
    values: new Map(Object.entries(snapshot).map(([id, value]) => [id, { name: '', ...value }])),
  };
}
