import { AppError } from '@/lib/errors';

/**
 * The request's body as the bytes' own text. Throws `too_large` as soon as more than `maxBytes` have come, so
 * that nobody fills the memory by lying about the length.
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  // HTTP holds a sender to the length that it has declared, so the body can be taken whole.
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared <= maxBytes) return Buffer.from(await request.arrayBuffer()).toString('utf8');
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw new AppError('too_large', `The request is larger than ${maxBytes} bytes.`);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The request's body as JSON. Throws `invalid_json`, and `invalid_input` for a text that no database can hold. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes);
  try {
    return JSON.parse(text, withoutZeroBytes);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_json', 'The request body is not valid JSON.');
  }
}

// PostgreSQL refuses a text with a zero byte.
function withoutZeroBytes(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && value.includes('\u0000')) {
    throw new AppError('invalid_input', 'A text holds a character that cannot be stored.');
  }
  return value;
}
