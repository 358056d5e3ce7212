import { AppError } from '@/lib/errors';
import { limitAddress } from './limit-address';
import { readText } from './read-body';
import { respond } from './respond';

const MAX_BODY_BYTES = 256 * 1024;

interface SignedDoor {
  /** Header of the signature. Without it nothing of the call is read. */
  signature: string;
  /** Whether the sender signed exactly this text. */
  verify: (raw: string, headers: Headers) => Promise<boolean>;
  /** What to do with it. Without a returned Response the answer is an empty 200. */
  handle: (raw: string) => Promise<Response | undefined>;
  /** A last look at a call that is not signed by whom it claims; true answers it with an empty 200. */
  tolerate?: (raw: string, headers: Headers) => Promise<boolean>;
}

/**
 * A door for signed calls: raw text, then the signature over exactly that text, then the handler. A call with
 * a bad signature gets 401 and nothing else happens. Only such calls are limited by address: what is signed is always
 * let in, since anybody can have a service send us calls that are signed for somebody else.
 */
export function signedRoute({ signature, verify, handle, tolerate }: SignedDoor) {
  return (request: Request): Promise<Response> =>
    respond(request, async () => {
      const { headers } = request;
      const raw = headers.has(signature) ? await readText(request, MAX_BODY_BYTES) : undefined;
      if (raw !== undefined && (await verify(raw, headers))) {
        return (await handle(raw)) ?? new Response(null, { status: 200 });
      }
      limitAddress(request, 'unsigned');
      if (raw !== undefined && (await tolerate?.(raw, headers))) return new Response(null, { status: 200 });
      throw new AppError('unauthorized', 'Bad signature.');
    });
}
