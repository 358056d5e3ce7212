import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Line } from '@/lib/testing/line';
import { startConnectedProduct } from '@/lib/testing/product';

// Notion's events name the property that was edited, not those that Notion computes from it.

const GOLEM = 'Boss fight: ember golem';
let line: Line;

beforeAll(async () => {
  line = new Line(await startConnectedProduct());
  await line.story.product.work();
});
afterAll(() => line.story.product.stop());
beforeEach(async () => {
  await line.settle();
  await line.clear();
  await line.prepare(GOLEM, { Estimate: 2, Priority: 'Low' });
});

test('a formula that a rule watches is told although the event names only what was edited', async () => {
  await line.rule({ watchedProperties: ['Points'] });
  await line.edit(GOLEM, { Estimate: 8 });
  await line.idle();
  expect(await line.lines()).toEqual([`${GOLEM}: Points: 2 → 8`]);
  await line.edit(GOLEM, { Blocked: true });
  await line.idle();
  expect(await line.lines()).toHaveLength(1);
});

test('a living card shows the new value of a formula', async () => {
  await line.rule({ watchedProperties: ['Estimate'], displayedFields: ['Points'], card: 'living' });
  await line.edit(GOLEM, { Estimate: 4 });
  await line.idle();
  await line.edit(GOLEM, { Priority: 'High' });
  await line.idle();
  const [card] = await line.cards();
  expect(card?.embeds[0]?.fields).toContainEqual(expect.objectContaining({ name: 'Points', value: '8' }));
});
