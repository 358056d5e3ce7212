import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';

// Notion's events name the property that was edited, not those that Notion computes from it.

const GOLEM = 'Boss fight: ember golem';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.settle();
  await pipeline.clear();
  await pipeline.prepare(GOLEM, { Estimate: 2, Priority: 'Low' });
});

test('a formula that a rule watches is told although the event names only what was edited', async () => {
  await pipeline.rule({ watchedProperties: ['Points'] });
  await pipeline.edit(GOLEM, { Estimate: 8 });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Points: 2 → 8`]);
  await pipeline.edit(GOLEM, { Blocked: true });
  await pipeline.idle();
  expect(await pipeline.lines()).toHaveLength(1);
});

test('a living card shows the new value of a formula', async () => {
  await pipeline.rule({ watchedProperties: ['Estimate'], displayedFields: ['Points'], card: 'living' });
  await pipeline.edit(GOLEM, { Estimate: 4 });
  await pipeline.idle();
  await pipeline.edit(GOLEM, { Priority: 'High' });
  await pipeline.idle();
  const [card] = await pipeline.cards();
  expect(card?.embeds[0]?.fields).toContainEqual(expect.objectContaining({ name: 'Points', value: '8' }));
});
