import type { StripeState } from '../../../sandbox/stripe/stripe-state';
import type { InstallationFault, Stage } from './stage';

const endpoint = (changes: object) => (stage: Stage) =>
  stage.world('stripe', (state) => {
    state.endpoints = [
      {
        id: 'we_1',
        url: `${stage.product.url}/api/stripe/webhook`,
        status: 'enabled',
        apiVersion: '2026-10-28.endive',
        events: ['*'],
        ...changes,
      },
    ];
  });

const price = (changes: StripeState['price']) => (stage: Stage) =>
  stage.world('stripe', (state) => {
    state.price = changes;
  });

/** Faults in Stripe's dashboard. */
export const STRIPE_FAULTS: InstallationFault[] = [
  {
    what: 'a wrong key of Stripe',
    subject: 'Stripe price',
    tells: /does not know STRIPE_SECRET_KEY/,
    variables: { STRIPE_SECRET_KEY: 'sk_test_wrong' },
  },
  {
    what: 'a test price with a live key',
    subject: 'Stripe price',
    tells: /price of the test mode, but STRIPE_SECRET_KEY is a key of the live mode/,
    variables: ({ product }) => ({
      STRIPE_SECRET_KEY: product.sandbox.context.credentials.stripe.secretKey.replace('test', 'live'),
    }),
  },
  {
    what: 'a test key in production',
    subject: 'Stripe price',
    tells: /nobody pays/,
    variables: { ENVIRONMENT: 'production' },
  },
  {
    what: 'an unknown price',
    subject: 'Stripe price',
    tells: /does not know STRIPE_PRICE_ID/,
    variables: { STRIPE_PRICE_ID: 'price_unknown' },
  },
  { what: 'an archived price', subject: 'Stripe price', tells: /archived/, breaks: price({ active: false }) },
  {
    what: 'a yearly price',
    subject: 'Stripe price',
    tells: /not paid monthly/,
    breaks: price({ interval: 'year' }),
  },
  {
    what: 'a price for one payment',
    subject: 'Stripe price',
    tells: /not paid monthly/,
    breaks: price({ type: 'one_time' }),
  },
  {
    what: 'another amount',
    subject: 'Stripe price',
    tells: /is 9 USD, but the pages say \$19/,
    breaks: price({ unit_amount: 900 }),
  },
  {
    what: 'a missing webhook endpoint',
    subject: 'Stripe account',
    tells: /It calls old\.example/,
    breaks: endpoint({ url: 'https://old.example/api/stripe/webhook' }),
  },
  {
    what: 'a disabled webhook endpoint',
    subject: 'Stripe account',
    tells: /endpoint is disabled/,
    breaks: endpoint({ status: 'disabled' }),
  },
  {
    what: 'an endpoint of an older version',
    subject: 'Stripe account',
    tells: /has the version 2024-06-20/,
    breaks: endpoint({ apiVersion: '2024-06-20' }),
  },
  {
    what: 'an endpoint without an event',
    subject: 'Stripe account',
    tells: /lacks events: .*invoice\.payment_failed/,
    breaks: endpoint({ events: ['invoice.paid'] }),
  },
  {
    what: 'an unsaved customer portal',
    subject: 'Stripe account',
    tells: /portal has no settings/,
    breaks: (stage) =>
      stage.world('stripe', (state) => {
        state.isPortalUnsaved = true;
      }),
  },
];
