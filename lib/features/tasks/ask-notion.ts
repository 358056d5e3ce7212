import { UnknownKeyError } from '@/lib/crypto';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import { isPersonThere } from '@/lib/integrations/notion/notion-catalog';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { afterDoors } from '@/lib/queue/after-doors';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { withNotion } from '../workspaces/notion-access';
import { refreshKeptDatabase } from '../workspaces/refresh-database';
import { TaskProblem } from './task-problem';

const DEFAULT_WAIT_MS = 2 * SECOND_MS;
const MAX_ASKED = 10;

/** Calls Notion with the workspace's token. Throws TaskProblem for every refusal and when Notion does not answer. */
export async function askNotion<T>(
  workspace: NotionWorkspace,
  call: (accessToken: string) => Promise<T>,
): Promise<T> {
  await afterDoors();
  try {
    return await withNotion(workspace, call);
  } catch (error) {
    if (error instanceof UnknownKeyError) throw keyMissing();
    throw error instanceof NotionError ? toTaskProblem(error) : error;
  }
}

/**
 * Like `askNotion`, for a call about one database. If the database turns out to be gone or to have other properties
 * than stored, it is read again, so that the next attempt knows them.
 */
export async function askAboutDatabase<T>(
  workspace: NotionWorkspace,
  databaseId: string,
  call: (accessToken: string) => Promise<T>,
): Promise<T> {
  try {
    return await askNotion(workspace, call);
  } catch (error) {
    if (isOutOfDate(error)) await refreshKeptDatabase({ workspaceId: workspace.id, databaseId });
    throw error;
  }
}

/** Whether a problem means that Notion differs from what is stored. */
export function isOutOfDate(problem: unknown): boolean {
  return problem instanceof TaskProblem && ['page_gone', 'database_changed'].includes(problem.reason);
}

/**
 * Why Notion has refused to write people, as it is to be told: whether it no longer knows one of them, of whom it is
 * asked for the first ten. Otherwise the problem itself.
 */
export async function whyPeopleRefused(
  problem: unknown,
  workspace: NotionWorkspace,
  notionUserIds: string[],
): Promise<unknown> {
  if (!isOutOfDate(problem)) return problem;
  const asked = notionUserIds.slice(0, MAX_ASKED);
  const there = await Promise.all(asked.map((id) => isThere(workspace, id)));
  return there.includes(false) ? new TaskProblem('person_gone') : problem;
}

async function isThere(workspace: NotionWorkspace, notionUserId: string): Promise<boolean> {
  try {
    return await askNotion(workspace, (token) => isPersonThere(token, notionUserId));
  } catch (error) {
    if (error instanceof TaskProblem) return true;
    throw error;
  }
}

/** This process does not have the key of the workspace's tokens; another one may. */
export const keyMissing = () => new TaskProblem('key_missing', DEFAULT_WAIT_MS);

/** Translates an error of Notion for the person who caused the call. */
export function toTaskProblem(error: NotionError): TaskProblem {
  if (error.isBlocked) return new TaskProblem('notion_blocked');
  const isMisshapen = error.isUnreadable && !error.isTooLarge;
  if (error.isTransient || isMisshapen) {
    const waitMs = error.retryAfterMs ?? DEFAULT_WAIT_MS;
    return new TaskProblem(waitMs > MINUTE_MS ? 'notion_pause' : 'notion_silent', waitMs);
  }
  if (error.isGone) return new TaskProblem('page_gone');
  if (error.isUnauthorized) return new TaskProblem('reconnect');
  return new TaskProblem(error.status === 400 ? 'database_changed' : 'notion_refused');
}
