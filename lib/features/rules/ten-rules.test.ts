import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { startConnectedProduct } from '@/lib/testing/product';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;

beforeAll(async () => {
  story = await startConnectedProduct();
});
afterAll(() => story.product.stop());
beforeEach(async () => {
  await db().callCount.deleteMany();
  await db().rule.deleteMany();
});

const input = (changes: Record<string, unknown> = {}) => ({
  databaseId: story.board.dataSourceId,
  eventType: 'page_updated',
  channelId: story.channel('tasks'),
  watchedProperties: [story.property('Status')],
  statusTo: [],
  displayedFields: [],
  ...changes,
});
const create = (changes?: Record<string, unknown>) =>
  story.product.call('mira', 'POST', '/api/app/rules', input(changes));
const list = async () => (await story.product.call('mira', 'GET', '/api/app/rules')).body;
const fill = async (count: number) => {
  for (let made = 0; made < count; made += 1) await create({ eventType: 'page_created' });
};

test('the eleventh rule is refused with a sentence, and allowed after one was deleted', async () => {
  await fill(10);
  expect(await create()).toMatchObject({
    status: 403,
    body: { error: 'Your plan has 10 rules. Delete one to make another.', code: 'limit_reached' },
  });
  const [first] = await list();
  await story.product.call('mira', 'DELETE', `/api/app/rules/${first.id}`);
  expect((await create()).status).toBe(201);
});

test('twenty at the same time make exactly ten', async () => {
  // A call that waits too long for the account's lock is refused and has to be repeated.
  const insist = async (): ReturnType<typeof create> => {
    const answer = await create();
    return answer.status === 503 ? insist() : answer;
  };
  const answers = await Promise.all(Array.from({ length: 20 }, insist));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(10).fill(201), ...Array(10).fill(403)]);
  expect(await list()).toHaveLength(10);
});

test('a rule is duplicated switched off, and not beyond the tenth', async () => {
  const terms = {
    statusTo: ['Done'],
    authors: { mode: 'anyone', people: [], bots: false },
    mentions: { people: 'none', roleIds: [], userIds: ['208917000000000102'] },
  };
  const made = (await create({ ...terms, name: 'x'.repeat(80) })).body;
  const duplicate = () => story.product.call('mira', 'POST', `/api/app/rules/${made.id}/duplicate`);
  const { status, body } = await duplicate();
  expect(status).toBe(201);
  const name = `${'x'.repeat(73)} (copy)`;
  expect(body).toEqual({
    ...made,
    id: body.id,
    name,
    enabled: false,
    health: { ...made.health, state: 'off' },
  });
  expect(body.id).not.toBe(made.id);
  expect((await list())[0]).toEqual(body);
  await fill(8);
  expect(await duplicate()).toMatchObject({ status: 403, body: { code: 'limit_reached' } });
  expect(await list()).toHaveLength(10);
});

test('a request that is sent again creates one rule, with what it said last', async () => {
  const request = randomUUID();
  const send = (changes: Record<string, unknown>, person: 'mira' | 'jonas' = 'mira') =>
    story.product.call(person, 'POST', `/api/app/rules?request=${request}`, input(changes));
  const first = await send({ name: 'First' });
  const again = await send({ name: 'Second' });
  expect(first.status).toBe(201);
  expect(again).toMatchObject({ status: 201, body: { ...first.body, name: 'Second' } });
  expect(await list()).toEqual([again.body]);
  await fill(8);
  // Sent twice at once, the second waits for the first.
  const other = randomUUID();
  const both = await Promise.all(
    [1, 2].map(() => story.product.call('mira', 'POST', `/api/app/rules?request=${other}`, input())),
  );
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  expect(await list()).toHaveLength(10);
  expect(await send({ name: 'Third' })).toMatchObject({ status: 201, body: { id: first.body.id } });
  // It says nothing about the rules of somebody else, or of a request without an id.
  expect((await send({}, 'jonas')).body.code).toBe('not_connected');
  expect((await create()).body.code).toBe('limit_reached');
  const wrong = await story.product.call('mira', 'POST', '/api/app/rules?request=1', input());
  expect(wrong).toMatchObject({ status: 400, body: { error: 'request must be a UUID' } });
});

test('a duplication that is sent again makes one copy', async () => {
  const made = (await story.product.call('mira', 'POST', `/api/app/rules?request=${randomUUID()}`, input()))
    .body;
  const duplicate = (request: string) =>
    story.product.call('mira', 'POST', `/api/app/rules/${made.id}/duplicate?request=${request}`);
  const request = randomUUID();
  const first = await duplicate(request);
  expect(first.status).toBe(201);
  expect(await duplicate(request)).toMatchObject({ status: 201, body: first.body });
  expect(await list()).toHaveLength(2);
  const second = await duplicate(randomUUID());
  expect(second.body.id).not.toBe(first.body.id);
  // Without an id each call makes a copy.
  for (let more = 0; more < 2; more += 1) {
    await story.product.call('mira', 'POST', `/api/app/rules/${made.id}/duplicate`);
  }
  expect(await list()).toHaveLength(5);
});

test('the name of a copy is never cut inside a character', async () => {
  const made = (await create({ name: `${'x'.repeat(72)}😀 yes` })).body;
  const { body } = await story.product.call('mira', 'POST', `/api/app/rules/${made.id}/duplicate`);
  expect(body.name).toBe(`${'x'.repeat(72)} (copy)`);
});

test('rules can be edited and switched at the limit', async () => {
  await fill(10);
  const [rule] = await list();
  const path = `/api/app/rules/${rule.id}`;
  expect((await story.product.call('mira', 'PUT', path, input())).status).toBe(200);
  expect((await story.product.call('mira', 'PUT', path, { enabled: false })).status).toBe(200);
});
