import { z } from 'zod';
import type { Env } from '@/lib/env';
import { type Finding, orFine, wrong } from './finding';
import type { Subject } from './subject';

const SHORTEST_SECRET = 32;
const SHORTEST_METRICS_TOKEN = 16;
const LEAST_DIFFERENT_BYTES = 8;
const NEW_SECRET = 'Make a new one with "openssl rand -base64 32".';

const SECRETS = [
  'NEXTAUTH_SECRET',
  'AUTH0_CLIENT_SECRET',
  'DISCORD_CLIENT_SECRET',
  'DISCORD_BOT_TOKEN',
  'NOTION_CLIENT_SECRET',
  'NOTION_WEBHOOK_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const satisfies (keyof Env)[];

/** How the values of these services begin, and where to find the right one. */
const BEGINNINGS: [keyof Env, RegExp, string][] = [
  [
    'NOTION_WEBHOOK_TOKEN',
    /^secret_/,
    'the verification token that the log showed when the subscription was made',
  ],
  ['STRIPE_SECRET_KEY', /^(sk|rk)_(test|live)_/, 'the secret key, which begins with sk_ or rk_'],
  ['STRIPE_WEBHOOK_SECRET', /^whsec_/, "the endpoint's signing secret, which begins with whsec_"],
  ['STRIPE_PRICE_ID', /^price_/, "the price's id, which begins with price_"],
];

/** Checks that need no call to anybody. */
export const variables: Subject = {
  name: 'Variables',
  check: ({ env }) =>
    orFine(
      [
        ...checkOrigin(env),
        ...checkSecrets(env),
        ...checkKeys(env),
        ...checkShapes(env),
        ...checkOptional(env),
      ],
      'Every variable is set and well formed.',
    ),
};

function checkOrigin({ APP_URL, AUTH0_CALLBACK_URL }: Env): Finding[] {
  const { origin } = new URL(APP_URL);
  const found: Finding[] = [];
  if (APP_URL !== origin) {
    found.push(wrong('APP_URL is more than an origin, or has capitals.', `Set APP_URL=${origin}.`));
  }
  if (new URL(AUTH0_CALLBACK_URL).origin !== origin) {
    found.push(
      wrong('AUTH0_CALLBACK_URL leads to another origin than APP_URL.', 'Remove AUTH0_CALLBACK_URL.'),
    );
  }
  return found;
}

function checkSecrets(env: Env): Finding[] {
  const twice = SECRETS.filter((one) => SECRETS.some((other) => other !== one && env[other] === env[one]));
  const found: Finding[] = [];
  if (env.NEXTAUTH_SECRET.length < SHORTEST_SECRET) {
    found.push(wrong(`NEXTAUTH_SECRET has fewer than ${SHORTEST_SECRET} characters.`, NEW_SECRET));
  }
  if (env.METRICS_TOKEN && env.METRICS_TOKEN.length < SHORTEST_METRICS_TOKEN) {
    found.push(wrong(`METRICS_TOKEN has fewer than ${SHORTEST_METRICS_TOKEN} characters.`, NEW_SECRET));
  }
  if (twice.length > 0) {
    found.push(wrong(`${twice.join(' and ')} have the same value.`, 'Copy each from where it belongs.'));
  }
  return found;
}

function checkKeys({ ENCRYPTION_KEYS: keys }: Env): Finding[] {
  const found: Finding[] = [];
  if (new Set(keys.map((key) => key.toString('hex'))).size < keys.length) {
    found.push(wrong('ENCRYPTION_KEYS has a key twice.', 'Remove the second one.'));
  }
  if (keys.some((key) => new Set(key).size < LEAST_DIFFERENT_BYTES)) {
    found.push(wrong('ENCRYPTION_KEYS has a key that can be guessed.', NEW_SECRET));
  }
  return found;
}

function checkShapes(env: Env): Finding[] {
  return BEGINNINGS.filter(([name, beginning]) => !beginning.test(String(env[name]))).map(([name, , right]) =>
    wrong(`${name} is not what it should be.`, `Set it to ${right}.`),
  );
}

function checkOptional({ SENTRY_DSN, SUPPORT_EMAIL }: Env): Finding[] {
  const found: Finding[] = [];
  if (SUPPORT_EMAIL && !z.email().safeParse(SUPPORT_EMAIL).success) {
    found.push(wrong('SUPPORT_EMAIL is not an e-mail address.', 'Correct or remove it.'));
  }
  if (SENTRY_DSN && !(URL.canParse(SENTRY_DSN) && new URL(SENTRY_DSN).username)) {
    found.push(
      wrong('SENTRY_DSN is not a DSN.', 'Copy it from the settings of the Sentry project, or remove it.'),
    );
  }
  return found;
}
