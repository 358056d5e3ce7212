import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { db } from '@/lib/db/database';
import { appConfigSchema, meSchema } from '@/lib/features/account/schema';
import { billingSchema, usagePeriodSchema } from '@/lib/features/billing/schema';
import { preferencesSchema } from '@/lib/features/calendar/schema';
import { activityPageSchema } from '@/lib/features/deliveries/schema';
import { accountLinksSchema } from '@/lib/features/links/schema';
import { ruleSchema } from '@/lib/features/rules/schema';
import { serverSchema } from '@/lib/features/servers/schema';
import { setupStatusSchema } from '@/lib/features/setup/schema';
import { pagesSchema } from '@/lib/features/tree/schema';
import { propertiesSchema, workspaceSchema } from '@/lib/features/workspaces/schema';
import { routeFiles } from '@/lib/testing/doors';
import { startConnectedProduct } from '@/lib/testing/product';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let rule: Record<string, unknown>;

beforeAll(async () => {
  story = await startConnectedProduct();
  rule = {
    databaseId: story.board.dataSourceId,
    dbType: 'task',
    eventType: 'page_updated',
    channelId: story.channel('tasks'),
    watchedProperties: [story.property('Status')],
    statusTo: ['Done'],
    displayedFields: [story.property('Priority')],
  };
  await story.product.call('mira', 'POST', '/api/app/rules', rule);
});
afterAll(() => story.product.stop());

const call: TestCall = (...parts) => story.product.call(...parts);
type TestCall = (typeof story.product)['call'];

describe('a response has the shape of the contract', () => {
  test.each<[string, ZodType]>([
    ['/api/app/me', meSchema],
    ['/api/app/rules', ruleSchema.array().nonempty()],
    ['/api/app/activity', activityPageSchema],
    ['/api/app/preferences', preferencesSchema],
    ['/api/app/discord/server', serverSchema],
    ['/api/app/notion/workspace', workspaceSchema],
    ['/api/app/notion/pages?query=golem', pagesSchema],
    ['/api/app/account-links', accountLinksSchema],
    ['/api/app/setup/status', setupStatusSchema],
    ['/api/app/billing', billingSchema],
    ['/api/app/billing/periods', usagePeriodSchema.array()],
  ])('GET %s', async (path, schema) => {
    const answer = await call('mira', 'GET', path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(schema.parse(answer.body)).toEqual(answer.body);
  });

  test('GET /api/app/notion/databases/{id}/properties', async () => {
    const path = `/api/app/notion/databases/${story.board.dataSourceId}/properties`;
    const answer = await call('mira', 'GET', path);
    expect(answer.status).toBe(200);
    const { properties } = propertiesSchema.parse(answer.body);
    expect(properties.find(({ name }) => name === 'Status')?.options.map(({ name }) => name)).toContain(
      'Done',
    );
  });

  test('GET /api/config needs no bearer and shows no secret', async () => {
    const answer = await call(null, 'GET', '/api/config');
    expect(answer.status).toBe(200);
    expect(appConfigSchema.strict().parse(answer.body)).toEqual(answer.body);
    const { credentials } = story.product.sandbox.context;
    for (const secret of [credentials.auth0.clientSecret, credentials.discord.botToken]) {
      expect(JSON.stringify(answer.body)).not.toContain(secret);
    }
  });

  test('GET /api/health reports database, worker and queue', async () => {
    const answer = await call(null, 'GET', '/api/health');
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'degraded', database: 'ok', worker: 'none' },
    });
  });
});

test('an account with nothing connected gets empty responses', async () => {
  const answers = await Promise.all(
    ['discord/server', 'notion/workspace', 'rules', 'account-links'].map((path) =>
      call('jonas', 'GET', `/api/app/${path}`),
    ),
  );
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, null],
    [200, null],
    [200, []],
    [200, { pendingRequests: [], linkedAccounts: [] }],
  ]);
  const me = await call('jonas', 'GET', '/api/app/me');
  expect(meSchema.parse(me.body)).toMatchObject({
    user: { discordUserId: '208917000000000102', isLinked: false, notionDisplayName: null },
    subscription: {
      plan: 'Starter',
      status: 'trial',
      rulesUsed: 0,
      rulesLimit: 10,
      notificationsLimit: 1000,
    },
    setup: { needsSetup: true },
  });
  const daysLeft = (Date.parse(me.body.subscription.trial_ends_at) - Date.now()) / 86_400_000;
  expect(Math.ceil(daysLeft)).toBe(14);
});

test('an account with everything connected gets it all', async () => {
  const { body } = await call('mira', 'GET', '/api/app/me');
  expect(body).toMatchObject({
    user: { isLinked: true, notionDisplayName: 'Mira Castellan' },
    subscription: { rulesUsed: 1 },
    checklist: { botInstalled: true, workspaceConnected: true, accountLinked: true, firstRuleCreated: true },
    setup: { needsSetup: false },
  });
});

test('a new person’s first simultaneous calls create one account', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => call('vera', 'GET', '/api/app/me')));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(await db().account.count({ where: { discordUserId: '208917000000000103' } })).toBe(1);
});

const id = randomUUID();
const PROTECTED: [string, string][] = [
  ['GET', '/api/app/me'],
  ['GET', '/api/app/rules'],
  ['POST', '/api/app/rules'],
  ['PUT', `/api/app/rules/${id}`],
  ['DELETE', `/api/app/rules/${id}`],
  ['GET', '/api/app/preferences'],
  ['PUT', '/api/app/preferences'],
  ['GET', '/api/app/activity'],
  ['GET', `/api/app/rules/${id}/deliveries`],
  ['GET', `/api/app/rules/${id}/deliveries/${id}`],
  ['POST', `/api/app/rules/${id}/deliveries/${id}/resend`],
  ['POST', `/api/app/rules/${id}/check`],
  ['POST', `/api/app/rules/${id}/duplicate`],
  ['POST', '/api/app/rules/preview'],
  ['GET', '/api/app/rules/export'],
  ['POST', '/api/app/rules/import'],
  ['POST', '/api/app/rules/test'],
  ['POST', '/api/app/rules/try'],
  ['GET', '/api/app/discord/server'],
  ['DELETE', '/api/app/discord/server'],
  ['POST', '/api/app/discord/server/refresh'],
  ['POST', '/api/app/notion/workspace/refresh'],
  ['GET', '/api/app/discord/takeovers'],
  ['POST', `/api/app/discord/takeovers/${id}/request`],
  ['POST', `/api/app/discord/takeovers/${id}/keep`],
  ['POST', `/api/app/discord/takeovers/${id}/hand-over`],
  ['GET', '/api/app/notion/workspace'],
  ['DELETE', '/api/app/notion/workspace'],
  ['GET', `/api/app/notion/databases/${id}/properties`],
  ['GET', '/api/app/notion/pages'],
  ['DELETE', '/api/app/notion/link'],
  ['POST', '/api/app/notion/link-installer'],
  ['GET', '/api/app/account-links'],
  ['POST', `/api/app/account-links/approve/${id}`],
  ['DELETE', `/api/app/account-links/request/${id}`],
  ['DELETE', `/api/app/account-links/link/${id}`],
  ['GET', '/api/app/setup/status'],
  ['POST', '/api/app/setup/connect-notion'],
  ['GET', '/api/discord/bot-install/url'],
  ['GET', '/api/app/billing'],
  ['POST', '/api/app/billing/create-checkout-session'],
  ['POST', '/api/app/billing/create-portal-session'],
  ['POST', '/api/app/billing/refresh'],
  ['GET', '/api/app/billing/periods'],
  ['GET', `/api/app/billing/periods/${id}`],
  ['DELETE', '/api/app/account'],
  ['GET', '/api/app/account/export'],
];

describe('a caller who is not signed in', () => {
  test.each(PROTECTED)('is refused at %s %s', async (method, path) => {
    const answer = await call(null, method, path, method === 'GET' ? undefined : '{}');
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: 'Sign in to continue.', code: 'unauthorized' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

test('this file covers every call of the application', () => {
  const calls = routeFiles()
    .filter((file) => file.startsWith('app/api/app/'))
    .flatMap((file) => {
      const path = file
        .replace('app', '')
        .replace('/route.ts', '')
        .replaceAll(/\[\w+\]/g, id);
      const methods = readFileSync(file, 'utf8').matchAll(/^export const ([A-Z]+) =/gm);
      return [...methods].map(([, method]) => `${method} ${path}`);
    });
  const tested = PROTECTED.map((call) => call.join(' '));
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.filter((call) => !tested.includes(call))).toEqual([]);
});
