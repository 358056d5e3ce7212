import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { seedId } from '../../../sandbox/notion/seed/seed-id';
import { refreshWorkspace } from './refresh-workspace';

const FELIX = seedId('person:felix');
const NOBODY = '11111111-2222-4333-8444-555555555555';
let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

const call = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.call('mira', method, path, body);
const only = (...people: string[]) => ({ authors: { mode: 'only', people, bots: false } });
const names = async () => (await db().notionUser.findMany()).map(({ name }) => name);
const refresh = async () => refreshWorkspace(await db().notionWorkspace.findFirstOrThrow());

test('a guest, whom Notion does not list, is named by a rule, and known as long as one names them', async () => {
  const rule = await pipeline.rule(only(FELIX));
  expect(rule.authors.people).toEqual([FELIX]);
  await refresh();
  expect(await names()).toContain('Felix Amsel');
  const { users } = (await call('GET', '/api/app/notion/workspace')).body;
  expect(users).toContainEqual(expect.objectContaining({ id: FELIX, name: 'Felix Amsel' }));
  await call('DELETE', `/api/app/rules/${rule.id}`);
  await refresh();
  expect(await names()).not.toContain('Felix Amsel');
});

test('somebody whom Notion does not know is refused, and while it does not answer, that is said', async () => {
  await expect(pipeline.rule(only(NOBODY))).rejects.toThrow(/has nobody with the id/);
  pipeline.fault({ target: 'notion', match: 'GET /v1/users/.*', kind: 'fail', status: 503, times: 5 });
  await expect(pipeline.rule(only(FELIX))).rejects.toThrow(/Notion does not answer/);
  expect(await db().rule.count()).toBe(0);
});
