import { createHmac } from 'node:crypto';

/** The value of `Stripe-Signature` for a raw body, signed at a time in Unix seconds. */
export function webhookSignature(body: string, secret: string, at: number): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}
