import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { processState } from '@/lib/process-state';
import { Line } from '@/lib/testing/line';
import { startConnectedProduct } from '@/lib/testing/product';
import { findUnlisted } from './unlisted-person';

const GOLEM = 'Boss fight: ember golem';
const NOBODY = '11111111-2222-4333-8444-555555555555';
let line: Line;

beforeAll(async () => {
  line = new Line(await startConnectedProduct());
  await line.story.product.work();
});
afterAll(() => line.story.product.stop());
beforeEach(async () => {
  await line.idle();
  await line.clear();
  processState('unlistedPeople', () => new Map()).clear();
});

const workspace = () => db().notionWorkspace.findFirstOrThrow();
async function asked(): Promise<Record<string, number>> {
  const calls: Record<string, number> = await line.story.product.control('notion', 'GET', '/calls');
  return Object.fromEntries(Object.entries(calls).filter(([call]) => /^GET \/v1\/users\/./.test(call)));
}

test('a guest, whom Notion does not list, is named on cards, and asked for once', async () => {
  await line.prepare(GOLEM, { Status: 'Backlog' });
  await line.rule();
  await line.edit(GOLEM, { Status: 'In progress' }, 'felix');
  await line.idle();
  await line.edit(GOLEM, { Status: 'Done' }, 'felix');
  await line.idle();
  const contents = (await line.cards()).map(({ content }: { content: string }) => content);
  expect(contents).toEqual([
    expect.stringMatching(/^Felix Amsel .*In progress/),
    expect.stringMatching(/^Felix Amsel .*Done/),
  ]);
  expect(Object.values(await asked())).toEqual([1]);
});

test('members are not asked for, and neither are bots', async () => {
  await line.prepare(GOLEM, { Status: 'Backlog' });
  await line.rule();
  for (const [status, as] of [
    ['In progress', 'jonas'],
    ['Done', 'build-herald'],
  ] as const) {
    await line.edit(GOLEM, { Status: status }, as);
    await line.idle();
  }
  expect(await line.cards()).toHaveLength(2);
  expect(await asked()).toEqual({});
});

test('somebody whom Notion does not know has no name, and is asked for once', async () => {
  expect(await findUnlisted(await workspace(), NOBODY)).toBeNull();
  expect(await findUnlisted(await workspace(), NOBODY)).toBeNull();
  expect(await asked()).toEqual({ [`GET /v1/users/${NOBODY}`]: 1 });
});

test('while Notion does not say who it was, the card goes without the name, and the next one has it', async () => {
  await line.prepare(GOLEM, { Status: 'Backlog' });
  await line.rule();
  line.fault({ target: 'notion', kind: 'fail', match: 'GET /v1/users/', status: 503, times: 1 });
  for (const status of ['In progress', 'Done']) {
    await line.edit(GOLEM, { Status: status }, 'felix');
    await line.idle();
  }
  const contents = (await line.cards()).map(({ content }: { content: string }) => content);
  expect(contents).toEqual([expect.not.stringContaining('Felix'), expect.stringContaining('Felix Amsel')]);
});
