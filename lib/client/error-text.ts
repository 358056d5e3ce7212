import { ApiError } from './api';

/**
 * What to tell the person: the server's own sentence, or `refused` for any other response outside 2xx. Any other error
 * means that no response arrived, and becomes `fallback`.
 */
export function errorText(error: unknown, refused: string, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  const saysWhy = error.serverText !== null && error.code !== 'internal_error';
  return saysWhy ? error.serverText : refused;
}
