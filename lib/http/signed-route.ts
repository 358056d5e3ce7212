import { AppError } from '@/lib/errors';
import { metrics } from '@/lib/metrics';
import { limitAddress } from './limit-address';
import { readText } from './read-body';
import { respondAtDoor } from './respond';

const MAX_BODY_BYTES = 256 * 1024;

interface SignedDoor {
  /** Its name in the metrics. */
  door: 'notion' | 'interactions' | 'discord' | 'stripe';
  /** Header of the signature. Without it the body is not read. */
  signature: string;
  /** Whether the sender signed exactly this text. */
  verify: (raw: string, headers: Headers) => Promise<boolean>;
  /** Handles the call. If it returns no Response, the answer is an empty 200. */
  handle: (raw: string) => Promise<Response | undefined>;
  /** Last resort for a call whose signature does not match; true answers it with an empty 200. */
  tolerate?: (raw: string, headers: Headers) => Promise<boolean>;
}

/**
 * A door for signed calls: reads the raw text, checks the signature over exactly that text, then calls the handler. A
 * bad signature gets a 401 and nothing else happens. Only such calls are limited by address: a signed call is always
 * let in, because anybody can make a service send us calls signed on behalf of others.
 */
export function signedRoute({ door, signature, verify, handle, tolerate }: SignedDoor) {
  return async (request: Request): Promise<Response> => {
    const response = await respondAtDoor(request, async () => {
      const { headers } = request;
      const raw = headers.has(signature) ? await readText(request, MAX_BODY_BYTES) : undefined;
      if (raw !== undefined && (await verify(raw, headers))) {
        return (await handle(raw)) ?? new Response(null, { status: 200 });
      }
      limitAddress(request, 'unsigned');
      if (raw !== undefined && (await tolerate?.(raw, headers))) return new Response(null, { status: 200 });
      throw new AppError('unauthorized', 'Bad signature.');
    });
    metrics.webhooks.inc({ door, outcome: outcomeOf(response.status) });
    return response;
  };
}

function outcomeOf(status: number): string {
  if (status < 400) return 'accepted';
  if (status === 401) return 'bad_signature';
  if (status === 429) return 'limited';
  if (status === 503) return 'unavailable';
  return status < 500 ? 'refused' : 'failed';
}
