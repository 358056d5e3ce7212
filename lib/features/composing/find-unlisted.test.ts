import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { processState } from '@/lib/process-state';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { MINUTE_MS } from '@/lib/time';
import { seedId } from '../../../sandbox/notion/seed/seed-id';
import { findUnlisted } from './find-unlisted';

const GOLEM = 'Boss fight: ember golem';
const FELIX = seedId('person:felix');
const NOBODY = '11111111-2222-4333-8444-555555555555';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.idle();
  await pipeline.clear();
  known().clear();
});

const known = () => processState('unlistedPeople', () => new Map<string, { until: number }>());
function pass(minutes: number): void {
  for (const each of known().values()) each.until -= minutes * MINUTE_MS;
}

const control = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.control('notion', method, path, body);
const contents = async (channel?: string): Promise<string[]> =>
  (await pipeline.cards(channel)).map(({ content }: { content: string }) => content);
const workspace = () => db().notionWorkspace.findFirstOrThrow();
async function asked(): Promise<Record<string, number>> {
  const calls: Record<string, number> = await control('GET', '/calls');
  return Object.fromEntries(Object.entries(calls).filter(([call]) => /^GET \/v1\/users\/./.test(call)));
}

test('a guest, whom Notion does not list, is named on cards, and asked for once', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  await pipeline.edit(GOLEM, { Status: 'In progress' }, 'felix');
  await pipeline.idle();
  await pipeline.edit(GOLEM, { Status: 'Done' }, 'felix');
  await pipeline.idle();
  expect(await contents()).toEqual([
    expect.stringMatching(/^Felix Amsel .*In progress/),
    expect.stringMatching(/^Felix Amsel .*Done/),
  ]);
  expect(Object.values(await asked())).toEqual([1]);
});

test('members are not asked for, and neither are bots', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  for (const [status, as] of [
    ['In progress', 'jonas'],
    ['Done', 'build-herald'],
  ] as const) {
    await pipeline.edit(GOLEM, { Status: status }, as);
    await pipeline.idle();
  }
  expect(await pipeline.cards()).toHaveLength(2);
  expect(await asked()).toEqual({});
});

test('a bot among those who edited a page is not asked for, and the guest is named', async () => {
  await pipeline.rule({ eventType: 'content_updated', watchedProperties: [] });
  for (const as of ['build-herald', 'felix']) {
    await pipeline.told(() =>
      control('PATCH', '/rows', { page: GOLEM, database: 'Sprint board', body: as, as }),
    );
    await pipeline.idle();
  }
  await pipeline.pass(6);
  expect(await contents()).toEqual([`Felix Amsel edited ${GOLEM}`]);
  expect(await asked()).toEqual({ [`GET /v1/users/${FELIX}`]: 1 });
});

test.each([
  ['the second is named when Notion does not tell of the first', 1, `Felix Amsel edited ${GOLEM}`],
  ['no third is asked for', 2, expect.not.stringContaining('Felix')],
])('of several people who edited a page, %s', async (_, strangers, content) => {
  const ids = Array.from({ length: strangers }, () => randomUUID());
  await pipeline.rule({ eventType: 'content_updated', watchedProperties: [] });
  const edit = {
    type: 'page.content_updated',
    pageId: await pipeline.pageId(GOLEM),
    authors: [...ids, FELIX],
  };
  expect((await pipeline.send(edit)).status).toBe(200);
  await pipeline.pass(6);
  expect(await contents()).toEqual([content]);
  expect(Object.keys(await asked())).toEqual([...ids, FELIX].slice(0, 2).map((id) => `GET /v1/users/${id}`));
});

test('nobody is asked for when the comment itself names its author', async () => {
  await pipeline.rule({ eventType: 'comment_created', watchedProperties: [] });
  const comment = { page: GOLEM, database: 'Sprint board', as: 'felix', text: 'Servus.' };
  await pipeline.told(() => control('POST', '/comments', comment));
  await pipeline.idle();
  expect(await contents()).toEqual([`Felix Amsel commented on ${GOLEM}: Servus.`]);
  expect(await asked()).toEqual({});
});

test('somebody whom Notion does not know has no name, and is asked for once', async () => {
  expect(await findUnlisted(await workspace(), NOBODY)).toBeNull();
  expect(await findUnlisted(await workspace(), NOBODY)).toBeNull();
  expect(await asked()).toEqual({ [`GET /v1/users/${NOBODY}`]: 1 });
});

test('a guest is asked for while the page is still being read', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  pipeline.fault({ target: 'notion', kind: 'fail', match: 'GET /v1/pages/', status: 503, times: 0 });
  await pipeline.edit(GOLEM, { Status: 'Done' }, 'felix');
  await expect.poll(asked).toEqual({ [`GET /v1/users/${FELIX}`]: 1 });
  expect(await contents()).toEqual([]);
  pipeline.story.product.sandbox.context.faults.clear();
  await pipeline.idle();
  expect(await contents()).toEqual([expect.stringMatching(/^Felix Amsel .*Done/)]);
  expect(Object.values(await asked())).toEqual([1]);
});

test('after three people without a name, nobody of the workspace is asked for during ten minutes', async () => {
  const ids = Array.from({ length: 4 }, () => randomUUID());
  for (const id of ids) expect(await findUnlisted(await workspace(), id)).toBeNull();
  const three = ids.slice(0, 3).map((id) => [`GET /v1/users/${id}`, 1]);
  expect(await asked()).toEqual(Object.fromEntries(three));
  pass(9.5);
  expect(await findUnlisted(await workspace(), FELIX)).toBeNull();
  expect(await asked()).toEqual(Object.fromEntries(three));
  pass(0.5);
  expect(await findUnlisted(await workspace(), FELIX)).toBe('Felix Amsel');
});

test('a guest whose name is known keeps it while nobody is asked for', async () => {
  expect(await findUnlisted(await workspace(), FELIX)).toBe('Felix Amsel');
  const ids = Array.from({ length: 3 }, () => randomUUID());
  for (const id of ids) expect(await findUnlisted(await workspace(), id)).toBeNull();
  expect(await findUnlisted(await workspace(), FELIX)).toBe('Felix Amsel');
  expect((await asked())[`GET /v1/users/${FELIX}`]).toBe(1);
});

describe('while Notion does not say who it was', () => {
  test.each([
    ['for a minute after an error', 1, { kind: 'fail', status: 503 }],
    ['for a minute after it was too slow', 1, { kind: 'slow', delayMs: 6000 }],
    ['for a minute after its network edge blocked the call', 1, { kind: 'block' }],
    ['for a minute after it took no token', 1, { kind: 'fail', status: 401 }],
    [
      'for as long as it says after too many calls',
      10,
      { kind: 'fail', status: 429, retryAfterSeconds: 600 },
    ],
    ['for an hour when the connection may read nobody', 60, { kind: 'fail', status: 403 }],
  ] as const)('%s, nobody of the workspace is asked for', async (_, minutes, trouble) => {
    pipeline.fault({ target: 'notion', match: 'GET /v1/users/', ...trouble, times: 0 });
    expect(await findUnlisted(await workspace(), NOBODY)).toBeNull();
    pipeline.story.product.sandbox.context.faults.clear();
    const before = await asked();
    expect(Object.keys(before)).toEqual([`GET /v1/users/${NOBODY}`]);
    pass(minutes - 0.5);
    for (const id of [NOBODY, FELIX]) expect(await findUnlisted(await workspace(), id)).toBeNull();
    expect(await asked()).toEqual(before);
    pass(0.5);
    expect(await findUnlisted(await workspace(), FELIX)).toBe('Felix Amsel');
  });

  test('the cards of all rules go without the name, and those after a minute have it', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    for (const name of ['tasks', 'bugs']) await pipeline.rule({ channelId: pipeline.story.channel(name) });
    pipeline.fault({ target: 'notion', kind: 'fail', match: 'GET /v1/users/', status: 503, times: 1 });
    for (const status of ['In progress', 'In review', 'Done']) {
      if (status === 'Done') pass(1);
      await pipeline.edit(GOLEM, { Status: status }, 'felix');
      await pipeline.idle();
    }
    for (const name of ['tasks', 'bugs']) {
      expect(await contents(name)).toEqual([
        expect.not.stringContaining('Felix'),
        expect.not.stringContaining('Felix'),
        expect.stringContaining('Felix Amsel'),
      ]);
    }
    expect(Object.values(await asked())).toEqual([2]);
  });
});
