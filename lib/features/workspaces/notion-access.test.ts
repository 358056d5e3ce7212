import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { RECONNECT } from './notion-problem';
import { refreshKeptDatabase } from './refresh-database';

const GOLEM = 'Boss fight: ember golem';
let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

test('a refusal of the former token does not mark a connection that was just made again', async () => {
  const { product, board } = pipeline.story;
  const { id: workspaceId } = await db().notionWorkspace.findFirstOrThrow();
  const problem = async () => (await db().notionWorkspace.findFirstOrThrow()).problem;
  const { answers, end } = await HeldAnswers.begin();
  await product.control('notion', 'POST', '/authorizations/revoke', { person: 'mira' });
  answers.hold(/^POST \/v1\/oauth\/token/);
  const older = refreshKeptDatabase({ workspaceId, databaseId: board.dataSourceId });
  await eventually(async () => answers.isHolding);
  await product.connectNotion('mira', [board.id]);
  expect(await problem()).toBeNull();
  answers.release();
  await older;
  end();
  expect(await problem()).toBeNull();
});

test('while Notion refuses our client secret, nothing is lost and nobody must connect again', async () => {
  const { product } = pipeline.story;
  const { notion } = product.sandbox.context.credentials;
  const right = notion.clientSecret;
  await product.work();
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  await pipeline.idle();
  notion.clientSecret = 'another';
  await product.control('notion', 'POST', '/authorizations/revoke', { person: 'mira', expire: true });
  await pipeline.edit(GOLEM, { Status: 'Done' });
  const refreshes = async () =>
    (await product.control('notion', 'GET', '/calls'))['POST /v1/oauth/token'] ?? 0;
  await eventually(async () => (await refreshes()) > 1);
  expect((await db().notionWorkspace.findFirstOrThrow()).problem).toBeNull();

  notion.clientSecret = right;
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  expect((await db().notionWorkspace.findFirstOrThrow()).problem).toBeNull();
});

test('a new token in an unknown shape is a failure that passes, and what was spent for it is known next', async () => {
  const { product, board } = pipeline.story;
  await product.rest();
  await product.control('notion', 'POST', '/authorizations/revoke', { person: 'mira', expire: true });
  pipeline.fault({ target: 'notion', kind: 'reshape', match: 'oauth/token' });
  const read = () =>
    product.call('mira', 'GET', `/api/app/notion/databases/${board.dataSourceId}/properties`);
  expect(await read()).toMatchObject({ status: 502, body: { code: 'upstream_failed' } });
  expect((await db().notionWorkspace.findFirstOrThrow()).problem).toBeNull();
  await db().callClaim.deleteMany();
  expect(await read()).toMatchObject({ status: 409, body: { error: RECONNECT } });
  expect((await db().notionWorkspace.findFirstOrThrow()).problem).toBe(RECONNECT);
});
