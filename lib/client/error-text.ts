import { ApiError } from './api';

const INTERNAL = 'internal_error';

/**
 * What to tell the person: the server's own sentence, or `refused` for any other response outside 2xx. Any other error
 * means that no response arrived, and becomes `fallback`.
 */
export function errorText(error: unknown, refused: string, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  return reasonOf(error) ?? refused;
}

/** The contract's sentence for a failure, followed by the server's own sentence if that says why. */
export function failureText(error: unknown, refused: string, fallback = refused): string {
  if (!(error instanceof ApiError)) return fallback;
  const reason = reasonOf(error);
  return reason ? `${refused}. ${reason}` : refused;
}

function reasonOf({ serverText, code }: ApiError): string | null {
  return code === INTERNAL ? null : serverText;
}
