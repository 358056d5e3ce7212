import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, type NotionStage, startNotion } from '../start-notion';

let stage: NotionStage;
let token: string;
let page: string;
let source: string;

beforeAll(async () => {
  stage = await startNotion();
});
afterAll(() => stage.stop());
beforeEach(async () => {
  stage.store.reset();
  stage.faults.clear();
  token = (await connect(stage, 'mira', ['Sprint board', 'Design docs'])).access_token;
  const rows = await stage.control<{ id: string; dataSourceId: string }[]>(
    'GET',
    '/rows?database=Sprint%20board',
  );
  page = rows[0]?.id ?? '';
  source = rows[0]?.dataSourceId ?? '';
});

async function answerOf(call: Promise<Response>) {
  const response = await call;
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const write = (properties: unknown) =>
  answerOf(stage.call('PATCH', `/v1/pages/${page}`, { token, body: { properties } }));

test.each([
  ['no version', { 'notion-version': '' }, 'missing_version'],
  ['an unknown version', { 'notion-version': '2031-01-01' }, 'validation_error'],
  ['an older version', { 'notion-version': '2025-09-03' }, 'validation_error'],
])('%s is refused', async (_, headers, code) => {
  const { status, body } = await answerOf(stage.call('GET', '/v1/users/me', { token, headers }));
  expect([status, body.code, body.object]).toEqual([400, code, 'error']);
});

test('every response has a request id, which errors repeat', async () => {
  const fine = await stage.call('GET', '/v1/users/me', { token });
  expect(fine.headers.get('x-notion-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const bad = await answerOf(stage.call('GET', '/v1/users/me', { token: 'ntn_wrong' }));
  expect(bad.body).toMatchObject({ status: 401, code: 'unauthorized', message: 'API token is invalid.' });
  expect(bad.body.request_id).toBe(bad.headers.get('x-notion-request-id'));
});

test.each([
  ['GET', '/v1/nothing', 400, 'invalid_request_url'],
  ['GET', '/v1/pages/not-an-id', 400, 'validation_error'],
  ['GET', '/v1/pages/00000000-0000-4000-8000-000000000000', 404, 'object_not_found'],
])('%s %s answers %i %s', async (method, path, status, code) => {
  expect((await answerOf(stage.call(method, path, { token }))).body).toMatchObject({ status, code });
});

test('ids may come without dashes', async () => {
  expect((await stage.call('GET', `/v1/pages/${page.replaceAll('-', '')}`, { token })).status).toBe(200);
});

describe('a write is refused', () => {
  test.each([
    [
      'an unknown status',
      { Status: { status: { name: 'Nearly' } } },
      /Status option "Nearly" does not exist/,
    ],
    ['a computed property', { Points: { formula: { number: 1 } } }, /cannot be updated/],
    ['a created time', { Created: { created_time: '2026-01-01' } }, /cannot be updated/],
    ['an unknown property', { Mood: { select: { name: 'Good' } } }, /Mood is not a property that exists/],
    ['another type', { Status: { select: { name: 'Done' } } }, /Status is expected to be status/],
    ['an unknown member', { Status: { status: { name: 'Done', shade: 1 } } }, /Status\.status/],
    ['a number as text', { Estimate: { number: '3' } }, /Estimate\.number/],
    [
      'a text that is too long',
      { Notes: { rich_text: [{ text: { content: 'a'.repeat(2001) } }] } },
      /Notes\.rich_text/,
    ],
    ['a URL that is too long', { PR: { url: `https://a.example/${'a'.repeat(2000)}` } }, /PR\.url/],
    [
      'too many tags',
      { Tags: { multi_select: Array.from({ length: 101 }, (_, i) => ({ name: `${i}` })) } },
      /Tags/,
    ],
    ['a comma in an option', { Priority: { select: { name: 'One, two' } } }, /comma/],
    ['an invalid date', { 'Due date': { date: { start: 'soon' } } }, /Due date\.date/],
    [
      'an end before the start',
      { 'Due date': { date: { start: '2026-05-02', end: '2026-05-01' } } },
      /before start/,
    ],
  ])('%s', async (_, properties, message) => {
    const { status, body } = await write(properties);
    expect([status, body.code]).toEqual([400, 'validation_error']);
    expect(body.message).toMatch(message);
  });

  test('and leaves nothing behind, not even a new option', async () => {
    await write({ Priority: { select: { name: 'Fresh' } }, Status: { status: { name: 'Nearly' } } });
    const { body } = await answerOf(stage.call('GET', `/v1/data_sources/${source}`, { token }));
    expect(JSON.stringify(body)).not.toContain('Fresh');
  });

  test('when it names a person or page that the bot does not know', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    expect((await write({ Assignee: { people: [{ id }] } })).body.code).toBe('object_not_found');
    expect((await write({ 'Design docs': { relation: [{ id }] } })).body.code).toBe('object_not_found');
  });

  test.each([
    ['archived', { archived: true }],
    ['an unknown member', { colour: 'red' }],
  ])('with %s in the body', async (_, body) => {
    const answer = await answerOf(stage.call('PATCH', `/v1/pages/${page}`, { token, body }));
    expect(answer.body).toMatchObject({ status: 400, code: 'validation_error' });
  });

  test('when it is a form or invalid JSON', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await answerOf(stage.call('PATCH', `/v1/pages/${page}`, { token, body: { a: 1 }, headers }));
    expect(form.body).toMatchObject({ status: 400, code: 'invalid_json' });
  });
});

test.each([
  [{ property: 'Status', status: { equals: 'Nearly' } }, /not found for property/],
  [{ property: 'Status', select: { equals: 'Done' } }, /failed validation|does not match/],
  [{ property: 'Nothing', status: { equals: 'Done' } }, /Could not find property/],
  [{ and: [{ or: [{ and: [] }] }] }, /two levels/],
  [{ property: 'Name', title: { contains: 'a', equals: 'b' } }, /exactly one/],
])('the filter %j is refused', async (filter, message) => {
  const call = stage.call('POST', `/v1/data_sources/${source}/query`, { token, body: { filter } });
  const { body } = await answerOf(call);
  expect(body).toMatchObject({ code: 'validation_error', message: expect.stringMatching(message) });
});

test('a page is made in a data source, not in the database that contains it', async () => {
  const { body } = await answerOf(stage.call('GET', `/v1/data_sources/${source}`, { token }));
  const make = (parent: object) => answerOf(stage.call('POST', '/v1/pages', { token, body: { parent } }));
  expect((await make({ database_id: body.parent.database_id })).body.code).toBe('validation_error');
  expect((await make({ data_source_id: source })).status).toBe(200);
});

test('the 181st call of a minute gets a 429 that says when to retry', async () => {
  for (let index = 0; index < 180; index += 1)
    await (await stage.call('GET', '/v1/users/me', { token })).text();
  const { status, headers, body } = await answerOf(stage.call('GET', '/v1/users/me', { token }));
  expect([status, body.code]).toEqual([429, 'rate_limited']);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(50);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(body.additional_data).toEqual({
    rate_limit_reason: 'public_api_request_rate_limit',
    retry_after: String(seconds),
  });
  stage.advance(61_000);
  expect((await stage.call('GET', '/v1/users/me', { token })).status).toBe(200);
});

describe('faults', () => {
  const add = (kind: 'fail' | 'slow' | 'hangup', status: number, match = 'PATCH') =>
    stage.faults.add({ target: 'notion', kind, status, match, times: 1, delayMs: 120 });
  const estimate = async () => {
    const { body } = await answerOf(stage.call('GET', `/v1/pages/${page}`, { token }));
    return body.properties.Estimate.number;
  };

  test('fail answers with the code of its status and does nothing', async () => {
    add('fail', 503);
    expect((await write({ Estimate: { number: 99 } })).body).toMatchObject({
      status: 503,
      code: 'service_unavailable',
    });
    expect(await estimate()).toBe(8);
  });

  test('a hangup with 503 commits and says so', async () => {
    add('hangup', 503);
    const { body } = await write({ Estimate: { number: 99 } });
    expect(body).toMatchObject({
      status: 503,
      code: 'database_connection_unavailable',
      additional_data: { committed_resource_id: page },
    });
    expect(await estimate()).toBe(99);
  });

  test('a hangup commits and drops the connection', async () => {
    add('hangup', 500);
    await expect(write({ Estimate: { number: 98 } })).rejects.toThrow();
    expect(await estimate()).toBe(98);
  });

  test('slow waits', async () => {
    add('slow', 500);
    const started = Date.now();
    await write({ Estimate: { number: 97 } });
    expect(Date.now() - started).toBeGreaterThanOrEqual(115);
  });

  test('calls are counted by path', async () => {
    await stage.control('DELETE', '/calls');
    await estimate();
    expect(await stage.control('GET', '/calls')).toEqual({ [`GET /v1/pages/${page}`]: 1 });
  });
});

test('edited pages are listed by the minute of their last edit, oldest first, and cut where Notion cuts the list', async () => {
  const rows = await stage.control<{ id: string }[]>('GET', '/rows?database=Sprint%20board');
  for (const [index, { id }] of rows.slice(0, 3).entries()) {
    const at = `2031-01-01T10:0${index}:59.000Z`;
    await stage.control('PATCH', '/rows', { page: id, properties: { Estimate: 70 + index }, at });
  }
  await stage.control('PATCH', '/settings', { queryRowLimit: 1 });
  const body = {
    filter: { timestamp: 'last_edited_time', last_edited_time: { on_or_after: '2031-01-01T10:01:00.000Z' } },
    sorts: [{ timestamp: 'last_edited_time', direction: 'ascending' }],
  };
  const query = (given: unknown) =>
    answerOf(stage.call('POST', `/v1/data_sources/${source}/query`, { token, body: given }));
  const cut = await query(body);
  expect(cut.body.results.map((each: { id: string }) => each.id)).toEqual([rows[1]?.id]);
  expect(cut.body.request_status).toEqual({
    type: 'incomplete',
    incomplete_reason: 'query_result_limit_reached',
  });
  const unknownOperator = {
    timestamp: 'last_edited_time',
    last_edited_time: { since: '2031-01-01T10:01:00.000Z' },
  };
  expect((await query({ ...body, filter: unknownOperator })).status).toBe(400);
});

test('a database in the trash can be read, but neither listed nor queried', async () => {
  await stage.control('PATCH', '/databases', { database: 'Sprint board', inTrash: true });
  const read = await answerOf(stage.call('GET', `/v1/data_sources/${source}`, { token }));
  expect(read.body.in_trash).toBe(true);
  const query = await answerOf(stage.call('POST', `/v1/data_sources/${source}/query`, { token, body: {} }));
  expect(query.status).toBe(404);
  const search = await answerOf(
    stage.call('POST', '/v1/search', {
      token,
      body: { filter: { property: 'object', value: 'data_source' } },
    }),
  );
  expect(search.body.results).toHaveLength(1);
});
