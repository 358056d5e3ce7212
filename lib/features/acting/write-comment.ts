import { UnknownKeyError } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import { createComment, findComment, type NewComment } from '@/lib/integrations/notion/notion-comment';
import { getPage, type Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import {
  commentWritten,
  findWrite,
  forgetWrite,
  markWritten,
  NEW_COMMENT,
  recordWrite,
} from '../changes/page-writes';
import { withNotion } from '../connections/notion-access';
import { askNotion, keyMissing, toTaskProblem } from '../tasks/ask-notion';
import type { DeferredAnswer } from '../tasks/interactions';
import { requireMember, workspaceOf } from '../tasks/member';
import type { ChatWork } from '../tasks/schema';
import { TaskProblem } from '../tasks/task-problem';

const SEARCH_EVERY_MS = 5 * SECOND_MS;
// Notion may work on a request for 60 seconds: https://developers.notion.com/reference/request-limits
const SEARCH_FOR_MS = 90 * SECOND_MS;

/**
 * Comments on a page for an interaction, once at most: if the outcome of an attempt is unknown, only searches for its
 * comment. Returns the page. Throws TaskProblem.
 */
export async function writeComment(
  answer: DeferredAnswer,
  { pageId, databaseId, text, name }: Extract<ChatWork, { kind: 'comment' }>,
): Promise<Page> {
  const workspace = await workspaceOf(await requireMember(answer.guildId, answer.userId));
  const page = await askNotion(workspace, (token) => getPage(token, pageId));
  if (page.isTrashed) throw new TaskProblem('page_gone');
  if (databaseId !== null && page.databaseId !== databaseId) throw new TaskProblem('database_changed');
  if ((await findWrite(answer.id))?.writtenAt) return page;
  const comment = { pageId, text, name };
  const startedAt = await attemptOf(answer);
  const id = startedAt
    ? await findWritten(workspace, comment, startedAt)
    : await write(workspace, answer, comment);
  await markWritten(answer.id, commentWritten(id));
  return page;
}

async function attemptOf({ id }: DeferredAnswer): Promise<Date | null> {
  const interaction = await db().chatInteraction.findUnique({ where: { id } });
  if (!interaction) throw new TaskProblem('not_connected');
  return interaction.createStartedAt;
}

const noteAttempt = ({ id }: DeferredAnswer, createStartedAt: Date | null) =>
  db().chatInteraction.update({ where: { id }, data: { createStartedAt } });

async function write(
  workspace: NotionWorkspace,
  answer: DeferredAnswer,
  comment: NewComment,
): Promise<string> {
  await recordWrite(workspace.id, answer, { pageId: comment.pageId, propertyId: NEW_COMMENT });
  await noteAttempt(answer, new Date());
  try {
    return await withNotion(workspace, (token) => createComment(token, comment));
  } catch (error) {
    if (error instanceof NotionError && error.committedId) return error.committedId;
    if (error instanceof NotionError && isUncertain(error)) throw unconfirmed();
    await noteAttempt(answer, null);
    await forgetWrite(answer.id);
    if (error instanceof UnknownKeyError) throw keyMissing();
    if (!(error instanceof NotionError)) throw error;
    throw error.isForbidden ? new TaskProblem('comments_forbidden') : toTaskProblem(error);
  }
}

// What Notion refuses for its limits is not carried out.
const isUncertain = ({ status, isLimit }: NotionError) => status === 0 || (status >= 500 && !isLimit);

/** The id of the comment that an earlier attempt made. */
async function findWritten(workspace: NotionWorkspace, comment: NewComment, since: Date): Promise<string> {
  const author = { authorId: workspace.botId, since: new Date(since.getTime() - MINUTE_MS) };
  try {
    const id = await withNotion(workspace, (token) => findComment(token, comment, author));
    if (id !== null) return id;
  } catch (error) {
    // Without the capability to read comments nobody can find out.
    if (error instanceof NotionError && !error.isTransient) throw new TaskProblem('maybe_commented');
    if (!(error instanceof NotionError)) throw error;
  }
  throw unconfirmed();
}

const unconfirmed = () => new TaskProblem('maybe_commented', SEARCH_EVERY_MS, SEARCH_FOR_MS);
