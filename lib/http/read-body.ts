import { AppError } from '@/lib/errors';
import { readWithinLimits } from './read-within-limits';

/**
 * The request's body, decoded. Throws `too_large` before it holds more than `maxBytes`, `too_slow` and `overloaded` as
 * `readWithinLimits` does, and `invalid_input` when the caller disconnects before the end.
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  try {
    return await readWithinLimits((hold) => {
      if (!(declared >= 0)) return readChunks(request, maxBytes, hold);
      // HTTP limits the body to its declared length, so it can be read in one go.
      hold(declared);
      return request.arrayBuffer().then((bytes) => Buffer.from(bytes).toString('utf8'));
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_input', 'The request body did not arrive whole.');
  }
}

async function readChunks(request: Request, maxBytes: number, hold: (bytes: number) => void) {
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    hold(part.value.byteLength);
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooLarge = (maxBytes: number) =>
  new AppError('too_large', `The request is larger than ${maxBytes} bytes.`);

/** The request's body as JSON. Throws `invalid_json`, and what `readText` throws. */
export const readJson = async (request: Request, maxBytes: number): Promise<unknown> =>
  parseBody(await readText(request, maxBytes));

/** The JSON in a request's body. Throws `invalid_json`. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_json', 'The request body is not valid JSON.');
  }
}
