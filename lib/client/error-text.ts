import { ApiError } from './api';

/**
 * What to tell the person: the server's own sentence, else `refused` for any other answer outside 2xx.
 * Whatever else was thrown is the browser's way to say that no answer came, and becomes `fallback`.
 */
export function errorText(error: unknown, refused: string, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  const saysWhy = error.serverText !== null && error.code !== 'internal_error';
  return saysWhy ? error.serverText : refused;
}
