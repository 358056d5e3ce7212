import { AppError } from '@/lib/errors';
import { NotionError } from '@/lib/integrations/notion/notion-request';

/** What the owner of a workspace has to do once its token is lost. */
export const RECONNECT = 'Notion no longer accepts this connection. Connect the workspace again.';

export const DATABASE_NOT_SHARED = 'That database is not shared with Pagewire.';
export const NO_PAGES_SHOWN = 'Notion shows Pagewire no pages.';

/** Translates a failed call to Notion for the person who caused it. Other errors are returned as they are. */
export function notionProblem(error: unknown, whenGone: string): unknown {
  if (!(error instanceof NotionError)) return error;
  if (error.isGone || error.status === 400) return new AppError('not_found', whenGone);
  if (error.isUnauthorized) {
    return new AppError('not_connected', RECONNECT);
  }
  if (error.isTooLarge) {
    return new AppError(
      'upstream_failed',
      'This is too large: Pagewire reads up to 8 MB at a time from Notion.',
    );
  }
  return new AppError('upstream_failed', 'Notion does not answer. Try again in a minute.');
}
