import { createHmac } from 'node:crypto';

/** The value of `X-Notion-Signature` for a raw body. */
export function webhookSignature(body: string, verificationToken: string): string {
  return `sha256=${createHmac('sha256', verificationToken).update(body).digest('hex')}`;
}
