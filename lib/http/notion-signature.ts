import { createHmac, timingSafeEqual } from 'node:crypto';
import { env } from '@/lib/env';

// What docs/deploy.md sets until Notion has sent a token. Everybody can read it there, so it proves nothing.
const NO_TOKEN = 'secret_none';

/** Whether Notion signed exactly this text with our verification token. A malformed signature counts as none. */
export async function isSignedByNotion(raw: string, headers: Headers): Promise<boolean> {
  const token = env().NOTION_WEBHOOK_TOKEN;
  return token !== NO_TOKEN && isSignedWith(token, raw, headers);
}

/** Whether a text is signed with this token in Notion's way. */
export function isSignedWith(token: string, raw: string, headers: Headers): boolean {
  // The check in Notion's client uses Web Crypto, which takes eight times as long.
  const expected = Buffer.from(`sha256=${createHmac('sha256', token).update(raw).digest('hex')}`);
  const given = Buffer.from(headers.get('x-notion-signature') ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
