import type { Env } from '@/lib/env';
import { type Finding, orFine, remark, wrong } from './finding';
import type { Subject } from './subject';

/** The variables that lead to other programs. */
const ADDRESSES = [
  'APP_URL',
  'AUTH0_DOMAIN',
  'DISCORD_API_URL',
  'DISCORD_AUTHORIZE_URL',
  'DISCORD_CDN_URL',
  'NOTION_API_URL',
  'STRIPE_API_URL',
] as const satisfies (keyof Env)[];

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const VERSIONED = /\/api\/v10$/;

/** The variable that leads to a host; undefined when something else does. */
export const variableOf = (host: string, env: Env): string | undefined =>
  ADDRESSES.find((name) => new URL(env[name].replace(/^(?!https?:)/, 'https://')).host === host);

/** Checks that all connections are encrypted, and that the services can call us. */
export const addresses: Subject = {
  name: 'Addresses',
  check: ({ env }) =>
    orFine([...checkEncryption(env), ...checkPublic(env), ...checkVersion(env)], 'All addresses are https.'),
};

function checkEncryption(env: Env): Finding[] {
  const plain = ADDRESSES.filter((name) => env[name].startsWith('http://'));
  if (plain.length === 0) return [];
  const text = `Not encrypted: ${plain.join(', ')}.`;
  if (env.ENVIRONMENT === 'dev') return [remark(text)];
  return [wrong(text, 'Use https:// addresses, or set ENVIRONMENT=dev where only you work with it.')];
}

function checkPublic({ APP_URL, ENVIRONMENT }: Env): Finding[] {
  if (ENVIRONMENT === 'dev' || !LOOPBACK.includes(new URL(APP_URL).hostname)) return [];
  return [
    wrong('Nobody else can reach APP_URL.', 'Set it to the public https:// address of the application.'),
  ];
}

function checkVersion({ DISCORD_API_URL }: Env): Finding[] {
  if (VERSIONED.test(DISCORD_API_URL)) return [];
  // https://discord.com/developers/docs/reference#api-versioning
  return [
    wrong('DISCORD_API_URL names another version of the API.', 'Remove it, or let it end in /api/v10.'),
  ];
}
