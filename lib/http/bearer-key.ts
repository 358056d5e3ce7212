import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a request has this key as its bearer token, compared in constant time. */
export function hasKey(request: Request, key: string): boolean {
  const given = request.headers.get('authorization') ?? '';
  return timingSafeEqual(digest(given), digest(`Bearer ${key}`));
}

const digest = (text: string) => createHash('sha256').update(text).digest();
