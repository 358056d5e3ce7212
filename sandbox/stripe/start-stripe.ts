import Stripe from 'stripe';
import { startSandbox } from '../main';
import { recordWebhooks } from '../webhook-recorder';
import { API_VERSION } from './stripe-world';

interface Event {
  id: string;
  type: string;
  data: { object: { id: string } };
}

/** Starts the sandbox next to an application that records Stripe's webhooks. For tests. */
export async function startStripe() {
  const application = await recordWebhooks<Event>('stripe-signature');
  const appUrl = application.url;
  const sandbox = await startSandbox({ ports: { identity: 0, discord: 0, notion: 0, stripe: 0 }, appUrl });
  const { context } = sandbox;
  const url = context.urls.stripe;
  const { secretKey, priceId } = context.credentials.stripe;

  const post = (path: string, body: unknown, method = 'POST') =>
    fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  return {
    context,
    url,
    appUrl,
    received: application.received,
    answers: application.answers,
    stripe: new Stripe(secretKey, {
      host: '127.0.0.1',
      port: new URL(url).port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
    }),
    checkout: {
      mode: 'subscription',
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: `${appUrl}/done?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${appUrl}/back`,
    } satisfies Stripe.Checkout.SessionCreateParams,
    /** A raw call with correct headers unless others are given. */
    raw: (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${secretKey}`,
          'stripe-version': API_VERSION,
          ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
        body,
      }),
    control: async (path: string, body: unknown, method = 'POST') => {
      const response = await post(`/_sandbox/stripe${path}`, body, method);
      if (!response.ok) throw new Error(await response.text());
      return response.json();
    },
    advanceDays: (days: number) => post('/_sandbox/clock', { advanceMs: days * 86_400_000 }),
    /** Does what a person does on a page of the stand-in. Returns the URL that the browser is redirected to. */
    submit: async (path: string, fields: Record<string, string>) => {
      const response = await fetch(new URL(path, url), {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
      return response.headers.get('location') ?? '';
    },
    stop: async () => {
      await sandbox.stop();
      await application.stop();
    },
  };
}

export type StripeStage = Awaited<ReturnType<typeof startStripe>>;
