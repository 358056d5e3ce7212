import { AppError } from '@/lib/errors';
import { readText } from './read-body';
import { respond } from './respond';

const MAX_BODY_BYTES = 1024 * 1024;

interface SignedDoor {
  /** Whether the sender signed exactly this text. */
  verify: (raw: string, headers: Headers) => Promise<boolean>;
  /** What to do with it. Without a returned Response the answer is an empty 200. */
  handle: (raw: string) => Promise<Response | undefined>;
  /** A last look at a call that is not signed by whom it claims; true answers it with an empty 200. */
  tolerate?: (raw: string, headers: Headers) => Promise<boolean>;
}

/**
 * A door for signed calls: raw text, then the signature over exactly that text, then the handler. A call with
 * a bad signature gets 401 and nothing else happens.
 */
export function signedRoute({ verify, handle, tolerate }: SignedDoor) {
  return (request: Request): Promise<Response> =>
    respond(request, async () => {
      const raw = await readText(request, MAX_BODY_BYTES);
      const { headers } = request;
      if (await verify(raw, headers)) return (await handle(raw)) ?? new Response(null, { status: 200 });
      if (await tolerate?.(raw, headers)) return new Response(null, { status: 200 });
      throw new AppError('unauthorized', 'Bad signature.');
    });
}
