import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { STARTER } from '@/lib/features/billing/plan';
import { DISCORD_EVENTS } from '@/lib/integrations/discord/discord-events';
import { INSTALL_CALLBACK, INSTALL_SCOPES } from '@/lib/integrations/discord/discord-install';
import { ASKED_PERMISSIONS, PERMISSIONS } from '@/lib/integrations/discord/permissions';
import { CONNECTIONS, SIGN_IN_CALLBACK, SIGN_IN_SCOPE } from '@/lib/integrations/identity/identity-provider';
import { NOTION_CALLBACK } from '@/lib/integrations/notion/notion-oauth';
import { NOTION_VERSION } from '@/lib/integrations/notion/notion-request';
import { STRIPE_EVENTS } from '@/lib/integrations/stripe/stripe-event';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { COMMANDS } from './pack/bundle-commands';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const guide = read('docs/deploy.md');
/** Without line breaks, so that a sentence is found even if it wraps. */
const text = guide.replaceAll(/\s+/g, ' ');
const compose = read('deploy/compose.yml');
const all = (pattern: RegExp) => [...new Set([...guide.matchAll(pattern)].map(([, found = '']) => found))];

test('it names every variable that has to be set', () => {
  const named = all(/\b([A-Z][A-Z0-9_]+)\b/g);
  expect(Object.keys(COMPLETE_ENVIRONMENT).filter((name) => !named.includes(name))).toEqual([]);
});

test('the addresses under APP_URL are those of the application', () => {
  const paths = all(/APP_URL(\/[^\s`,]*)/g);
  expect(paths).toEqual(
    expect.arrayContaining([
      SIGN_IN_CALLBACK,
      INSTALL_CALLBACK,
      NOTION_CALLBACK,
      '/?mode=app',
      '/api/discord/interactions',
      '/api/discord/events',
      '/api/notion/webhook',
      '/api/stripe/webhook',
      '/api/jobs/run',
    ]),
  );
});

test('Discord: scopes, permissions and events', () => {
  expect(all(/permissions number (\d+)/g)).toEqual([String(ASKED_PERMISSIONS)]);
  const names = Object.keys(PERMISSIONS);
  expect(text).toContain(`${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`);
  const scopes = INSTALL_SCOPES.map((scope) => `\`${scope}\``);
  expect(text).toContain(`the scopes ${scopes.slice(0, -1).join(', ')} and ${scopes.at(-1)}`);
  expect(text).toContain(`tick ${DISCORD_EVENTS.map((event) => `\`${event}\``).join(', ')}.`);
});

test('identity provider: scope and connections', () => {
  expect(text).toContain(`the scope \`${SIGN_IN_SCOPE}\``);
  expect(text).toContain(`has to be \`${CONNECTIONS.production}\`, and \`${CONNECTIONS.dev}\` where`);
});

test('Notion: version', () => {
  expect(all(/version (\d{4}-\d{2}-\d{2})(?!\.)/gi)).toEqual([NOTION_VERSION]);
});

test('Stripe: version, events and price', () => {
  expect(all(/API version (\d{4}-\d{2}-\d{2}\.\w+)/g)).toEqual([Stripe.API_VERSION]);
  expect(all(/^ {3}((?:checkout|customer|invoice)\.[\w.]+)$/gm)).toEqual(STRIPE_EVENTS);
  expect(text).toContain(`${STARTER.priceUsdPerMonth} USD each month`);
});

test('the ways to run start what a packed folder holds', () => {
  const started = ['compose.yml', 'Dockerfile', 'pagewire-web.service', 'pagewire-worker.service']
    .flatMap((name) => [...read(`deploy/${name}`).matchAll(/scripts\/([\w-]+)\.mjs/g)])
    .map(([, name = '']) => name);
  expect(new Set(started)).toEqual(new Set(['start', 'worker']));
  expect(COMMANDS).toEqual(expect.arrayContaining([...new Set(started)]));
  expect(compose).toContain('read_only: true');
  expect(read('deploy/Dockerfile')).toMatch(/^USER node$/m);
});
