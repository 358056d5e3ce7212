import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { CountedChanges } from '@/lib/testing/counted-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { startConnectedProduct } from '@/lib/testing/product';

const ROUNDS = 8;
const NEW = Buffer.alloc(32, 7).toString('base64');
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

test('while one of two processes lacks the newest key, both make cards, and each is posted once and in order', async () => {
  await pipeline.story.product.work();
  const changes = await CountedChanges.begin(pipeline);
  await pipeline.story.product.rest();

  const old = process.env.ENCRYPTION_KEYS ?? '';
  const lacking = new PipelineProcess(0, 0, { ENCRYPTION_KEYS: old });
  const knowing = new PipelineProcess(0, 0, { ENCRYPTION_KEYS: `${NEW},${old}` });
  // The process without the new key leaves a page to the other one once that one has sealed something of it.
  await lacking.start();
  await changes.everyPage();
  await expect.poll(countMakers).toBe(1);
  await knowing.start();
  for (let round = 0; round < ROUNDS; round += 1) await changes.everyPage();
  // The other process may have been faster so far.
  await expect
    .poll(async () => {
      await changes.everyPage();
      return countMakers();
    })
    .toBe(2);

  await lacking.kill();
  const deployed = new PipelineProcess(0, 0, { ENCRYPTION_KEYS: `${NEW},${old}` });
  await deployed.start();
  await changes.everyPage();
  await changes.everyCardOnce();
  expect(await db().message.count({ where: { state: 'failed' } })).toBe(0);
  await Promise.all([knowing.kill(), deployed.kill()]);
});

/** The number of different keys with which decisions were sealed. */
async function countMakers(): Promise<number> {
  const makers = await db().$queryRaw<object[]>`
    select distinct substring(sealed_summary from 2 for 4) from decision where sealed_summary is not null`;
  return makers.length;
}
