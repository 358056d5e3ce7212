import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConnectedProduct } from '@/lib/testing/product';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let ruleId = '';
let linkId = '';
let requestId = '';
let input: Record<string, unknown>;

beforeAll(async () => {
  story = await startConnectedProduct();
  const { product, board, guild, channel, property } = story;
  input = {
    databaseId: board.dataSourceId,
    dbType: 'task',
    eventType: 'page_updated',
    channelId: channel('tasks'),
    watchedProperties: [property('Status')],
    statusTo: [],
    displayedFields: [],
  };
  ruleId = (await product.call('mira', 'POST', '/api/app/rules', input)).body.id;
  const user = { id: '208917000000000102', username: 'jonas_b' };
  const options = [{ name: 'link-account', type: 1 }];
  const asked = { id: '1', type: 2, guild_id: guild.id, member: { user }, data: { name: 'notion', options } };
  await postToDiscordDoor(product, JSON.stringify(asked));
  const links = await product.call('mira', 'GET', '/api/app/account-links');
  linkId = links.body.linkedAccounts[0].id;
  requestId = links.body.pendingRequests[0].id;
});
afterAll(() => story.product.stop());

const snapshot = async () => {
  const paths = ['rules', 'account-links', 'discord/server', 'setup/status'];
  const answers = await Promise.all(
    paths.map((path) => story.product.call('mira', 'GET', `/api/app/${path}`)),
  );
  // The time when Discord was last asked is not part of anybody's data.
  return answers.map(({ body }) => ({ ...body, checkedAt: null }));
};

type Ids = { rule: string; link: string; request: string };
const CALLS: [string, (ids: Ids) => [string, string, unknown?]][] = [
  ['editing a rule', ({ rule }) => ['PUT', `rules/${rule}`, input]],
  ['switching a rule', ({ rule }) => ['PUT', `rules/${rule}`, { enabled: false }]],
  ['deleting a rule', ({ rule }) => ['DELETE', `rules/${rule}`]],
  ['reading deliveries', ({ rule }) => ['GET', `rules/${rule}/deliveries`]],
  ['resending a card', ({ rule }) => ['POST', `rules/${rule}/deliveries/${randomUUID()}/resend`]],
  ['duplicating a rule', ({ rule }) => ['POST', `rules/${rule}/duplicate`]],
  ['checking a rule', ({ rule }) => ['POST', `rules/${rule}/check`]],
  [
    'approving a request',
    ({ request }) => ['POST', `account-links/approve/${request}`, { notionUserId: 'x' }],
  ],
  ['rejecting a request', ({ request }) => ['DELETE', `account-links/request/${request}`]],
  ['removing a link', ({ link }) => ['DELETE', `account-links/link/${link}`]],
];

async function refusedWith404(key: 'mira' | 'vera', [method, path, body]: [string, string, unknown?]) {
  const answer = await story.product.call(key, method, `/api/app/${path}`, body);
  expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String), code: 'not_found' } });
}

describe("somebody else's id is not found, and nothing changes", () => {
  test.each(CALLS)('%s', async (_, build) => {
    const before = await snapshot();
    await refusedWith404('vera', build({ rule: ruleId, link: linkId, request: requestId }));
    expect(await snapshot()).toEqual(before);
  });
});

describe('an unknown id is not found', () => {
  test.each(CALLS)('%s', async (_, build) => {
    for (const id of [randomUUID(), 'not-an-id', '%00', "1' or '1'='1"]) {
      const at = encodeURIComponent(id);
      await refusedWith404('mira', build({ rule: at, link: at, request: at }));
    }
  });

  test.each(['unknown', 'a b', '..%2F..', `${'x'.repeat(200)}`])('database %s', async (id) => {
    await refusedWith404('mira', ['GET', `notion/databases/${id}/properties`]);
  });

  test('the period of a year that no calendar has', async () => {
    await refusedWith404('mira', ['GET', 'billing/periods/0000-01-01T00:00:00Z']);
  });

  test('a database of another workspace', async () => {
    const foreign = (await story.product.databases()).get('Night market')?.dataSourceId;
    await refusedWith404('mira', ['GET', `notion/databases/${foreign}/properties`]);
  });
});

test.each([
  ['DELETE', 'discord/server', 409, 'not_connected'],
  ['DELETE', 'notion/workspace', 409, 'not_connected'],
  ['POST', 'discord/server/refresh', 409, 'not_connected'],
  ['POST', 'notion/workspace/refresh', 409, 'not_connected'],
  ['DELETE', 'notion/link', 404, 'not_found'],
  ['POST', 'notion/link-installer', 409, 'not_connected'],
])('%s %s is refused when nothing is connected', async (method, path, status, code) => {
  const answer = await story.product.call('vera', method, `/api/app/${path}`);
  expect(answer).toMatchObject({ status, body: { error: expect.any(String), code } });
});

test.each(['discord/server', 'notion/workspace', 'notion/link'])(
  'DELETE %s is refused when another one is there than the caller means',
  async (path) => {
    const before = await snapshot();
    const answer = await story.product.call('mira', 'DELETE', `/api/app/${path}?id=${randomUUID()}`);
    expect(answer).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('stays'), code: 'conflict' },
    });
    expect(await snapshot()).toEqual(before);
  },
);

const BODIES: [string, string, () => string][] = [
  ['creating a rule', 'POST', () => 'rules'],
  ['editing a rule', 'PUT', () => `rules/${ruleId}`],
  ['previewing a rule', 'POST', () => 'rules/preview'],
  ['testing a rule', 'POST', () => 'rules/test'],
  ['trying a rule', 'POST', () => 'rules/try'],
  ['approving a request', 'POST', () => `account-links/approve/${requestId}`],
  ['connecting Notion', 'POST', () => 'setup/connect-notion'],
];

describe('an unusable body is refused with a sentence', () => {
  const send = (method: string, path: string, body: string) =>
    story.product.call('mira', method, `/api/app/${path}`, body);

  test.each(BODIES)('not JSON: %s', async (_, method, path) => {
    for (const body of ['{', '', 'rule=1', '{"a":1}}']) {
      const answer = await send(method, path(), body);
      expect(answer).toMatchObject({
        status: 400,
        body: { error: expect.any(String), code: 'invalid_json' },
      });
    }
  });

  test.each(BODIES)('too large: %s', async (_, method, path) => {
    const answer = await send(method, path(), JSON.stringify({ enabled: 'x'.repeat(70_000) }));
    expect(answer).toMatchObject({ status: 413, body: { error: expect.any(String), code: 'too_large' } });
  });

  test.each(BODIES)('of another shape: %s', async (_, method, path) => {
    for (const body of ['null', '[]', '7', '"text"', '{"returnTo":5,"notionUserId":5,"enabled":"yes"}']) {
      const answer = await send(method, path(), body);
      expect(answer).toMatchObject({
        status: 400,
        body: { error: expect.any(String), code: 'invalid_input' },
      });
    }
  });

  test.each<[string, Record<string, unknown>]>([
    ['an unknown event', { eventType: 'page_locked' }],
    ['no database', { databaseId: '' }],
    ['no channel', { channelId: '' }],
    ['a list of another type', { watchedProperties: 'Status' }],
    ['a list of numbers', { displayedFields: [1] }],
    ['a list that is too long', { displayedFields: Array(101).fill('x') }],
    ['an unknown kind of database', { dbType: 'wiki' }],
  ])('a rule with %s', async (_, changes) => {
    for (const [method, path] of [
      ['POST', 'rules'],
      ['PUT', `rules/${ruleId}`],
      ['POST', 'rules/preview'],
      ['POST', 'rules/test'],
    ] as const) {
      const answer = await send(method, path, JSON.stringify({ ...input, ...changes }));
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
      expect(answer.body.error).not.toBe('Invalid input');
    }
  });

  test.each(['..', 'x/../y', '%2e%2e/x', 'a/b', 'a?b', 'a#b', 'é', 'a b'])(
    'a database %j that would be another address of Notion',
    async (databaseId) => {
      const source = { kind: 'database', databaseId };
      const exported = { ...input, databaseName: 'x' };
      const refused = { error: 'databaseId must be the id of a database in Notion', code: 'invalid_input' };
      for (const [path, body] of [
        ['rules', { ...input, databaseId }],
        ['rules', { ...input, databaseId: undefined, source }],
        ['rules/import', { file: { version: 1, rules: [{ ...exported, databaseId, dbType: undefined }] } }],
      ] as const) {
        const answer = await send('POST', path, JSON.stringify(body));
        expect(answer).toMatchObject({ status: 400, body: refused });
      }
    },
  );

  test.each(['..', '%2e%2e', 'a/b', 'a?b', 'é'])(
    'a person %j who would be another address of Notion',
    async (person) => {
      const terms = { ...input, authors: { mode: 'only', people: [person] } };
      const exported = { ...terms, databaseName: 'x', dbType: undefined };
      const refused = { error: 'authors.people must be ids of people in Notion', code: 'invalid_input' };
      for (const [path, body] of [
        ['rules/preview', terms],
        ['rules/import', { file: { version: 1, rules: [exported] } }],
      ] as const) {
        const answer = await send('POST', path, JSON.stringify(body));
        expect(answer).toMatchObject({ status: 400, body: refused });
      }
    },
  );

  test('a rule as it was answered, with several wrong fields, by the name of the first', async () => {
    const { body: rules } = await story.product.call('mira', 'GET', '/api/app/rules');
    const rule = rules.find(({ id }: { id: string }) => id === ruleId);
    const edit = async (changes: object) =>
      (await send('PUT', `rules/${ruleId}`, JSON.stringify({ ...rule, ...changes }))).body.error;
    expect(await edit({ card: 'big', size: 'huge' })).toMatch(/^(card|size)\b/);
    const items = [{ propertyId: 'Name', operator: 'is', values: [{}] }];
    expect(await edit({ conditions: { match: 'all', items } })).toMatch(/^Values of conditions\.items\b/);
    expect((await send('PUT', `rules/${ruleId}`, '{"enabled":"yes"}')).body.error).toMatch(/^enabled\b/);
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    'setup',
    '',
    '/with space',
    '/with\u0000zero',
    `/${'x'.repeat(500)}`,
  ])('an invalid return path: %j', async (returnTo) => {
    const answer = await send('POST', 'setup/connect-notion', JSON.stringify({ returnTo }));
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  });

  test.each(['', '\u0000', 'x'.repeat(101), 'unknown'])('a Notion user %j', async (notionUserId) => {
    const answer = await send('POST', `account-links/approve/${requestId}`, JSON.stringify({ notionUserId }));
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  });

  test('characters that cannot be stored, with the name of the field', async () => {
    const refuse = async (method: string, path: string, field: string, body?: string) => {
      const error = `${field}: this text contains a character that cannot be stored.`;
      const answer = await story.product.call('mira', method, `/api/app/${path}`, body);
      expect(answer).toMatchObject({ status: 400, body: { error, code: 'invalid_input' } });
    };
    for (const text of ['a\\u0000b', 'a\\ud800b', 'a\\udc00']) {
      const items = [{ propertyId: 'Name', operator: 'contains', values: ['?'] }];
      const rule = JSON.stringify({ ...input, conditions: { match: 'all', items } });
      await refuse('POST', 'rules', 'conditions.items.0.values.0', rule.replace('"?"', `"${text}"`));
      await refuse('PUT', `rules/${ruleId}`, 'name', JSON.stringify({ name: '?' }).replace('?', text));
      await refuse('POST', 'rules', 'The request', `"${text}"`);
    }
    for (const field of ['channel', 'person', 'text', 'rule', 'outcome', 'before']) {
      await refuse('GET', `activity?${field}=%00`, field);
    }
    await refuse('GET', 'notion/pages?query=a%00', 'query');
    await refuse('GET', `rules/${ruleId}/deliveries?before=%00`, 'before');
  });

  test('a body of many levels', async () => {
    const answer = await send('POST', 'rules', `${'['.repeat(30_000)}${']'.repeat(30_000)}`);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  });
});

test('approving asks for a Notion user by the field, and in the screen’s own words', async () => {
  const answer = await story.product.call('mira', 'POST', `/api/app/account-links/approve/${requestId}`, {});
  expect(answer.body).toEqual({
    error: 'notionUserId: Please select a Notion user',
    code: 'invalid_input',
  });
});

test('an unexpected failure reveals nothing but a reference', async () => {
  const { db } = await import('@/lib/db/database');
  await db().$executeRaw`alter table usage_period rename to usage_period_away`;
  try {
    const answer = await story.product.call('mira', 'GET', '/api/app/billing');
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      error: 'Something went wrong',
      code: 'internal_error',
      requestId: answer.headers.get('x-request-id'),
    });
  } finally {
    await db().$executeRaw`alter table usage_period_away rename to usage_period`;
  }
});
