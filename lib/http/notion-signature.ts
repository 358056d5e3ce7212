import { verifyWebhookSignature } from '@notionhq/client';
import { env } from '@/lib/env';

/** Whether Notion signed exactly this text with our verification token. Anything malformed is not signed. */
export async function isSignedByNotion(raw: string, headers: Headers): Promise<boolean> {
  const signature = headers.get('x-notion-signature');
  if (!signature) return false;
  return verifyWebhookSignature({ body: raw, signature, verificationToken: env().NOTION_WEBHOOK_TOKEN });
}
