import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { startSandbox } from '../main';
import { API_VERSION } from './stripe-world';

interface ReceivedWebhook {
  body: string;
  signature: string;
  event: { id: string; type: string; data: { object: { id: string } } };
}

/** Starts the sandbox next to an application that records Stripe's webhooks. For tests. */
export async function startStripe() {
  const received: ReceivedWebhook[] = [];
  const answers: number[] = [];
  const application = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    received.push({ body, signature: String(request.headers['stripe-signature']), event: JSON.parse(body) });
    response.writeHead(answers.shift() ?? 200).end();
  });
  const appUrl = await listen(application);
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
    received,
    /** Statuses that the application returns for the next webhooks; 200 after that. */
    answers,
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
      application.close();
      application.closeAllConnections();
    },
  };
}

export type StripeStage = Awaited<ReturnType<typeof startStripe>>;

function listen(server: Server): Promise<string> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  );
}
