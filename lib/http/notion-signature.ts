import { createHmac, timingSafeEqual } from 'node:crypto';
import { env } from '@/lib/env';

/** Whether Notion signed exactly this text with our verification token. A malformed signature counts as none. */
export async function isSignedByNotion(raw: string, headers: Headers): Promise<boolean> {
  return isSignedWith(env().NOTION_WEBHOOK_TOKEN, raw, headers);
}

/** Whether a text is signed with this token in Notion's way. */
export function isSignedWith(token: string, raw: string, headers: Headers): boolean {
  // The check in Notion's client uses Web Crypto, which takes eight times as long.
  const expected = Buffer.from(`sha256=${createHmac('sha256', token).update(raw).digest('hex')}`);
  const given = Buffer.from(headers.get('x-notion-signature') ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
