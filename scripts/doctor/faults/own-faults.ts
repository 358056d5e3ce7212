import type { InstallationFault } from './stage';

/** Faults in what the operator configures, and in the proxy. */
export const OWN_FAULTS: InstallationFault[] = [
  {
    what: 'a path in APP_URL',
    subject: 'Variables',
    tells: /APP_URL is more than an origin/,
    variables: ({ product }) => ({ APP_URL: `${product.url}/app` }),
  },
  {
    what: 'a query in APP_URL',
    subject: 'Variables',
    tells: /APP_URL is more than an origin/,
    variables: ({ product }) => ({ APP_URL: `${product.url}?mode=app` }),
  },
  {
    what: 'capitals in APP_URL',
    subject: 'Variables',
    tells: /APP_URL is more than an origin, or has capitals/,
    variables: ({ product }) => ({ APP_URL: product.url.replace('http', 'HTTP') }),
  },
  {
    what: 'a login that ends elsewhere',
    subject: 'Variables',
    tells: /AUTH0_CALLBACK_URL leads to another origin/,
    variables: { AUTH0_CALLBACK_URL: 'https://elsewhere.example/callback' },
  },
  {
    what: 'a short session secret',
    subject: 'Variables',
    tells: /NEXTAUTH_SECRET has fewer/,
    variables: { NEXTAUTH_SECRET: 'secret' },
  },
  {
    what: 'a short token for the metrics',
    subject: 'Variables',
    tells: /METRICS_TOKEN has fewer/,
    variables: { METRICS_TOKEN: 'metrics' },
  },
  {
    what: 'one secret in two variables',
    subject: 'Variables',
    tells: /NEXTAUTH_SECRET and DISCORD_CLIENT_SECRET have the same/,
    variables: { NEXTAUTH_SECRET: 'x'.repeat(40), DISCORD_CLIENT_SECRET: 'x'.repeat(40) },
  },
  {
    what: 'an encryption key that can be guessed',
    subject: 'Variables',
    tells: /can be guessed/,
    variables: { ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64') },
  },
  {
    what: 'the publishable key of Stripe',
    subject: 'Variables',
    tells: /STRIPE_SECRET_KEY is not what/,
    variables: { STRIPE_SECRET_KEY: 'pk_test_1' },
  },
  {
    what: 'the id of a webhook endpoint instead of its secret',
    subject: 'Variables',
    tells: /STRIPE_WEBHOOK_SECRET is not/,
    variables: { STRIPE_WEBHOOK_SECRET: 'we_1' },
  },
  {
    what: 'plain http in production',
    subject: 'Addresses',
    tells: /Not encrypted: APP_URL, AUTH0_DOMAIN/,
    variables: { ENVIRONMENT: 'production' },
  },
  {
    what: 'an address of this machine in production',
    subject: 'Addresses',
    tells: /Nobody else can reach APP_URL/,
    variables: { ENVIRONMENT: 'production' },
  },
  {
    what: 'an unversioned Discord API',
    subject: 'Addresses',
    tells: /another version of the API/,
    variables: ({ product }) => ({ DISCORD_API_URL: `${product.sandbox.context.urls.discord}/api` }),
  },
  {
    what: 'an application that is not there',
    subject: 'Application',
    tells: /could not be reached/,
    variables: { APP_URL: 'http://localhost:1' },
  },
  {
    what: 'another application at APP_URL',
    subject: 'Application',
    tells: /Something else answers/,
    variables: ({ product }) => ({ APP_URL: product.sandbox.context.urls.notion }),
  },
  {
    what: 'an address that redirects',
    subject: 'Application',
    tells: /redirects to https:\/\/www\.pagewire\.example/,
    variables: async (stage) => ({
      APP_URL: await stage.serve((_, respond) =>
        respond(308, { location: 'https://www.pagewire.example/api/health' }),
      ),
    }),
  },
  {
    what: 'a proxy that is not trusted',
    subject: 'Application',
    tells: /proxy in front is not trusted/,
    variables: async (stage) => ({ APP_URL: await stage.proxyTo(stage.product.url) }),
  },
  {
    what: 'a proxy that keeps webhooks to itself',
    subject: 'Application',
    tells: /api\/stripe\/webhook answered 405/,
    variables: async (stage) => ({ APP_URL: await stage.proxyTo(stage.product.url, ['GET']) }),
  },
  {
    what: 'a clock that is five minutes off',
    subject: 'Clock',
    tells: /(299|300|301) seconds behind/,
    breaks: (stage) =>
      stage.world('clock', (state) => {
        state.aheadMs = 300_000;
      }),
  },
];
