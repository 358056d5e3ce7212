import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { refreshKeptDatabase } from './refresh-database';

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
