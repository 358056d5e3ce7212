import Stripe from 'stripe';
import type { Env } from '@/lib/env';
import { STRIPE_EVENTS } from '@/lib/integrations/stripe/stripe-event';
import { type Answer, UNAUTHORIZED } from './ask';
import { type Finding, orFine, wrong } from './finding';
import { askStripe, refused } from './stripe-call';
import type { Context, Subject } from './subject';

const PATH = '/api/stripe/webhook';
const EVERYTHING = '*';

/** Checks the webhook endpoint and the customer portal. */
export const stripeAccount: Subject = {
  name: 'Stripe account',
  check: async (context) => {
    const answer = await askStripe(context, '/webhook_endpoints?limit=100');
    // The price's subject already says what is wrong with the key.
    if (answer.status === UNAUTHORIZED) return [];
    return orFine(
      [...checkEndpoint(context.env, answer), ...(await checkPortal(context))],
      'Stripe tells the application about payments, and the customer portal is set up.',
    );
  },
};

function checkEndpoint({ APP_URL }: Env, answer: Answer): Finding[] {
  if (answer.status !== 200) return [refused(answer, 'webhook endpoints')];
  const { data } = answer.json as { data: Stripe.WebhookEndpoint[] };
  const address = `${APP_URL}${PATH}`;
  const endpoint = data.find(({ url }) => url === address);
  if (!endpoint) {
    const elsewhere =
      data.length > 0 ? ` It calls ${data.map(({ url }) => new URL(url).host).join(', ')}.` : '';
    return [
      wrong(`Stripe does not call the application.${elsewhere}`, `Create an endpoint with ${address}.`),
    ];
  }
  return judge(endpoint);
}

function judge(endpoint: Stripe.WebhookEndpoint): Finding[] {
  const events = endpoint.enabled_events;
  const missing = STRIPE_EVENTS.filter((each) => !events.includes(each) && !events.includes(EVERYTHING));
  const found: Finding[] = [];
  if (endpoint.status !== 'enabled')
    found.push(wrong('The webhook endpoint is disabled.', 'Enable it in Stripe.'));
  if (endpoint.api_version !== Stripe.API_VERSION) {
    const text = `The webhook endpoint has the version ${endpoint.api_version ?? "of the account's default"}.`;
    found.push(wrong(text, `Create it anew with version ${Stripe.API_VERSION}; it cannot be changed.`));
  }
  if (missing.length > 0) {
    found.push(
      wrong(`The webhook endpoint lacks events: ${missing.join(', ')}.`, 'Add them to the endpoint.'),
    );
  }
  return found;
}

async function checkPortal(context: Context): Promise<Finding[]> {
  const answer = await askStripe(
    context,
    '/billing_portal/configurations?active=true&is_default=true&limit=1',
  );
  if (answer.status !== 200) return [refused(answer, 'the customer portal')];
  const { data } = answer.json as { data: unknown[] };
  if (data.length > 0) return [];
  const text = 'The customer portal has no settings, so nobody can manage a subscription.';
  return [wrong(text, 'Save them once under Settings, Billing, Customer portal.')];
}
