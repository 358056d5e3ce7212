import type { NotionWorkspace } from '@/lib/db/generated/client';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { afterDoors } from '@/lib/queue/after-doors';
import { SECOND_MS } from '@/lib/time';
import { withNotion } from '../connections/notion-access';
import { TaskProblem } from './task-problem';

const DEFAULT_WAIT_MS = 2 * SECOND_MS;

/** Calls Notion with the workspace's token. Throws TaskProblem for whatever Notion refuses or does not answer. */
export async function askNotion<T>(
  workspace: NotionWorkspace,
  call: (accessToken: string) => Promise<T>,
): Promise<T> {
  await afterDoors();
  try {
    return await withNotion(workspace, call);
  } catch (error) {
    throw error instanceof NotionError ? toTaskProblem(error) : error;
  }
}

/** What an error of Notion means to the person who caused the call. */
export function toTaskProblem(error: NotionError): TaskProblem {
  if (error.isTransient) return new TaskProblem('notion_silent', error.retryAfterMs ?? DEFAULT_WAIT_MS);
  if (error.isGone) return new TaskProblem('page_gone');
  if (error.isUnauthorized) return new TaskProblem('reconnect');
  return new TaskProblem(error.status === 400 ? 'database_changed' : 'notion_refused');
}
