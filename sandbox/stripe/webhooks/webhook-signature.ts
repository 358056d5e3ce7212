import { createHmac } from 'node:crypto';

/**
 * The value of `Stripe-Signature` for a raw body, signed at a time in Unix seconds: as while a secret is replaced, when
 * the former one signs too, and with the scheme that only test mode adds: https://docs.stripe.com/webhooks/signature
 */
export function webhookSignature(body: string, secret: string, at: number): string {
  const sign = (by: string) => createHmac('sha256', by).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${sign(`former ${secret}`)},v1=${sign(secret)},v0=${sign('test mode')}`;
}
