import { ApiError } from './api';

const INTERNAL = 'internal_error';
const NOT_FOUND = 'not_found';
const SERVER_ERROR = 500;

/**
 * What to tell the person: the server's own sentence, or `refused` for any other answer outside 2xx. `fallback` if no
 * answer arrived.
 */
export function errorText(error: unknown, refused: string, fallback: string): string {
  if (!isAnswered(error)) return fallback;
  return reasonOf(error) ?? refused;
}

// The field of the request that a sentence names first: "conditions.items: ...".
const FIELD = /^[a-z]\w*(?:\.\w+)*: (?=["#A-Z])/;

/** `errorText` below a form, whose readers know nothing of the fields of a request. */
export const formErrorText = (...args: Parameters<typeof errorText>) => errorText(...args).replace(FIELD, '');

/**
 * Whether our server answered, so that it is known what became of the call. A gateway that lost the server's answer
 * says 502 or 504, without one of our codes; it has no reason for a 500.
 */
export const isAnswered = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code !== null || error.status <= SERVER_ERROR);

/**
 * Whether our server said that what the call is about does not exist. A proxy without a server to ask says 404 too, but
 * without our code.
 */
export const isMissing = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === NOT_FOUND;

/** The contract's sentence for a failure, followed by the server's own sentence if that says why. */
export function failureText(error: unknown, refused: string, fallback = refused): string {
  if (!(error instanceof ApiError)) return fallback;
  const reason = reasonOf(error);
  return reason ? `${refused}. ${reason}` : refused;
}

function reasonOf({ serverText, code }: ApiError): string | null {
  return code === INTERNAL ? null : serverText;
}
