import { texts } from '@/lib/bot-texts';
import { UnknownKeyError } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import { createComment, findComments, type NewComment } from '@/lib/integrations/notion/notion-comment';
import { getPage } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { askNotion, keyMissing, toTaskProblem } from '../tasks/ask-notion';
import { SEARCH_FOR_MS } from '../tasks/change-task';
import type { DeferredAnswer } from '../tasks/interactions';
import { requireMember, workspaceOf } from '../tasks/member';
import type { Work } from '../tasks/schema';
import { TaskProblem } from '../tasks/task-problem';
import { withNotion } from '../workspaces/notion-access';
import {
  commentWritten,
  findWrite,
  forgetWrite,
  hasWritten,
  markWritten,
  NEW_COMMENT,
  recordWrite,
} from '../writes/page-writes';

type Asked = Work<'comment'>;

const SEARCH_EVERY_MS = 5 * SECOND_MS;

/** A page that was commented on. */
export interface Commented {
  title: string;
  url: string;
}

/**
 * Comments on a page for an interaction, at most once: after an attempt with an unknown outcome, only searches for its
 * comment. Returns the page, without its title if Notion no longer shows it. Throws TaskProblem.
 */
export async function writeComment(answer: DeferredAnswer, asked: Asked): Promise<Commented> {
  const { pageId, databaseId, text, name } = asked;
  const comment = { pageId, text, name };
  const startedAt = await attemptOf(answer);
  if (startedAt) {
    await confirm(answer, comment, startedAt);
    return readAgain(answer, pageId);
  }
  const workspace = await workspaceOf(await requireMember(answer.guildId, answer.userId));
  const page = await askNotion(workspace, (token) => getPage(token, pageId));
  if (page.isTrashed) throw new TaskProblem('page_gone');
  if (databaseId !== null && page.databaseId !== databaseId) throw new TaskProblem('page_elsewhere');
  const id = await write(workspace, answer, comment);
  await markWritten(answer.id, commentWritten(id));
  return page;
}

/** Makes sure that an earlier attempt made the comment. Whatever fails here, the comment may exist. */
async function confirm(answer: DeferredAnswer, comment: NewComment, startedAt: Date): Promise<void> {
  if ((await findWrite(answer.id))?.writtenAt) return;
  try {
    const workspace = await workspaceOf(await requireMember(answer.guildId, answer.userId));
    const id = await findWritten(workspace, answer, comment, startedAt);
    await markWritten(answer.id, commentWritten(id));
  } catch (error) {
    throw error instanceof TaskProblem && error.reason !== 'maybe_commented' ? unconfirmed() : error;
  }
}

async function readAgain(answer: DeferredAnswer, pageId: string): Promise<Commented> {
  try {
    const workspace = await workspaceOf(await requireMember(answer.guildId, answer.userId));
    return await askNotion(workspace, (token) => getPage(token, pageId));
  } catch (error) {
    if (error instanceof TaskProblem) return { title: texts.aPage, url: '' };
    throw error;
  }
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
    if (error instanceof NotionError && error.mayBeDone) throw unconfirmed();
    await noteAttempt(answer, null);
    await forgetWrite(answer.id);
    if (error instanceof UnknownKeyError) throw keyMissing();
    if (!(error instanceof NotionError)) throw error;
    if (error.isForbidden) throw new TaskProblem('comments_forbidden');
    throw error.isInvalid ? new TaskProblem('notion_refused') : toTaskProblem(error);
  }
}

/** The id of the comment that an earlier attempt of this interaction made. Throws TaskProblem while it is not found. */
async function findWritten(
  workspace: NotionWorkspace,
  { id }: DeferredAnswer,
  comment: NewComment,
  since: Date,
): Promise<string> {
  const from = new Date(since.getTime() - MINUTE_MS);
  const author = { authorId: workspace.botId, since: from };
  try {
    const found = await withNotion(workspace, (token) => findComments(token, comment, author));
    const writes = await db().pageWrite.findMany({
      where: { pageId: comment.pageId, propertyId: NEW_COMMENT, interactionId: { not: id } },
    });
    const others = writes.filter(({ valueHash }) => valueHash !== null);
    const own = found.find((each) => !others.some((write) => hasWritten(write, commentWritten(each))));
    if (own !== undefined) return own;
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    // Without the capability to read comments, it stays unknown.
    if (!error.isTransient) throw new TaskProblem('maybe_commented');
  }
  throw unconfirmed();
}

const unconfirmed = () => new TaskProblem('maybe_commented', SEARCH_EVERY_MS, SEARCH_FOR_MS);
