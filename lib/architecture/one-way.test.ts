import { expect, test } from 'vitest';
import { files, isRoute, product } from './product-files';

const CLIENTS = /^lib\/integrations\//;

test('only lib/env reads the environment', () => {
  const readers =
    /^(lib\/env\.ts|next\.config\.mjs|prisma\.config\.ts|(vitest|playwright)\.config\.ts|(scripts|e2e|bench)\/.*)$/;
  // Next replaces these two by constants when it builds.
  const constants = /process\.env\.(NODE_ENV|NEXT_RUNTIME)\b/g;
  const errors = product
    .filter(({ path, text }) => !readers.test(path) && text.replaceAll(constants, '').includes('process.env'))
    .map(({ path }) => `${path} reads process.env: add the variable to lib/env.ts and call env()`);
  expect(errors).toEqual([]);
});

test('only lib/db opens a transaction, so that none is open without its mark', () => {
  const errors = product
    .filter(({ path, text }) => path !== 'lib/db/database.ts' && text.includes('$transaction'))
    .map(({ path }) => `${path} uses $transaction: call transaction() of lib/db/database`);
  expect(errors).toEqual([]);
});

test('whoever makes a turn due wakes it by the functions of the database', () => {
  const errors = product
    .filter(({ path }) => !path.startsWith('lib/queue/'))
    .filter(({ text }) => text.includes('pagewire_turns'))
    .map(({ path }) => `${path} announces turns by itself: call wake_pages or wake_channels`);
  expect(errors).toEqual([]);
});

test('only lib/queue adds jobs, as they are declared', () => {
  const errors = files
    .filter(({ path }) => !path.startsWith('lib/queue/') && !path.endsWith('.test.ts'))
    .filter(({ text }) => /graphile_worker\.add_jobs?\b/.test(text))
    .map(({ path }) => `${path} adds a job by itself: declare it, and call a function of lib/queue/enqueue`);
  expect(errors).toEqual([]);
});

// Jobs that have to be done also when their account is gone.
const OUTLIVING = {
  'lib/features/billing/close-customer.ts': 'a subscription is ended because its account was deleted',
  'lib/features/servers/leave-server.ts': 'the bot leaves a server because its account was deleted',
  'lib/features/workspaces/revoke-token.ts': 'a token is revoked because its account was deleted',
};

test('only these jobs belong to no account; the types demand one of all others', () => {
  const found = product
    .filter(({ text }) => /\benqueue\w*\([^;]*\baccountId: (null|Prisma\.sql`null`)/.test(text))
    .map(({ path }) => path);
  expect(found.sort()).toEqual(Object.keys(OUTLIVING));
});

test('only clients that look for an open transaction call somebody outside', () => {
  const calls =
    /\bfetch\(|from '(node:)?(http|https|tls|undici)'|\bcreateConnection\(|\bnew Stripe\(|\bnew Client\(|\bwellKnown:/;
  const errors = product
    .filter(({ path }) => /^(lib\/(?!client\/|queue\/|db\/)|app\/)/.test(path))
    .filter(({ text }) => calls.test(text) || /createRemoteJWKSet\((?![^;]*customFetch)/.test(text))
    .filter(({ path, text }) => !(CLIENTS.test(path) && text.includes('requireNoTransaction()')))
    .map(
      ({ path }) => `${path} calls somebody outside by itself: use callHttp of lib/integrations/http-call`,
    );
  expect(errors).toEqual([]);
});

test('a route of the API exports only wrapped handlers', () => {
  const wrapped = /^export const (GET|POST|PUT|PATCH|DELETE|OPTIONS) = [a-z][A-Za-z]*Route(<[^>]*>)?\(/;
  const nextOption = /^export const (runtime|dynamic|maxDuration) = /;
  const errors = product
    .filter(({ path }) => path.startsWith('app/api/') && isRoute(path) && !path.startsWith('app/api/auth/'))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => line.startsWith('export ') && !wrapped.test(line) && !nextOption.test(line))
        .map((line) => `${path}: "${line}" must be a handler made by a wrapper of lib/http`),
    );
  expect(errors).toEqual([]);
});

// Screens without the shell, which has nothing to type in around them.
const WITHOUT_SHELL = /^components\/(callback|login|setup)\//;
// The guard of input sees the clicks on links.
const GOING = ['lib/client/use-push.ts', 'lib/client/use-go.ts', 'components/ui/link.tsx'];

test('the dashboard goes to a page only by useGo, which asks about input', () => {
  const errors = product
    .filter(({ path }) => !GOING.includes(path) && !WITHOUT_SHELL.test(path))
    .filter(({ text }) => /\buse(Router|Push)\b/.test(text))
    .map(({ path }) => `${path} goes on without a question: call useGo of lib/client/use-go`);
  expect(errors).toEqual([]);
});
