import { ApiError } from './api';

/**
 * What to tell the person: the server's own sentence, else `refused` for any other answer outside 2xx,
 * else the thrown message, else `fallback`.
 */
export function errorText(error: unknown, refused: string, fallback: string): string {
  if (error instanceof ApiError) return error.serverText ?? refused;
  if (error instanceof Error && error.message) return error.message;
  return fallback;
}
