import { AppError } from '@/lib/errors';
import { NotionError } from '@/lib/integrations/notion/notion-request';

/** Translates a failed call to Notion for the person who caused it. Other errors are returned as they are. */
export function notionProblem(error: unknown, whenGone: string): unknown {
  if (!(error instanceof NotionError)) return error;
  if (error.isGone || error.status === 400) return new AppError('not_found', whenGone);
  if (error.isUnauthorized) {
    return new AppError(
      'not_connected',
      'Notion no longer accepts this connection. Connect the workspace again.',
    );
  }
  if (error.isTooLarge) {
    return new AppError(
      'upstream_failed',
      'This is too large: Pagewire reads up to 8 MB at a time from Notion.',
    );
  }
  return new AppError('upstream_failed', 'Notion does not answer. Try again in a minute.');
}
