import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
  await pipeline.prepare(GOLEM, { Estimate: 2, Priority: 'Low', Blocked: false });
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

test('what a formula became while its rule was off is not told as news once the rule is on', async () => {
  const { id } = await pipeline.rule({ watchedProperties: ['Points'] });
  const turn = (enabled: boolean) =>
    pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${id}`, { enabled });
  await turn(false);
  await pipeline.edit(GOLEM, { Estimate: 8 });
  await pipeline.idle();
  await turn(true);
  await pipeline.edit(GOLEM, { Blocked: true });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([]);
  await pipeline.edit(GOLEM, { Estimate: 4 });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Points: 8 → 4`]);
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

describe('a formula that Notion cannot compute for a while', () => {
  const stop = () => pipeline.fault({ target: 'notion', kind: 'uncomputed', match: '^Points$', times: 0 });
  const goOn = () => pipeline.story.product.sandbox.context.faults.clear();

  async function edit(properties: Record<string, unknown>): Promise<void> {
    await pipeline.edit(GOLEM, properties);
    await pipeline.idle();
  }

  function pointsOf(card: { embeds: { fields?: { name: string; value: string }[] }[] } | undefined) {
    return card?.embeds[0]?.fields?.find(({ name }) => name === 'Points')?.value;
  }

  test('is not told as empty, and then as changed back', async () => {
    await pipeline.rule({ watchedProperties: ['Points'] });
    stop();
    await edit({ Priority: 'Medium' });
    goOn();
    await edit({ Priority: 'Low' });
    expect(await pipeline.lines()).toEqual([]);
  });

  test('is compared with what it was before, once it is computed again', async () => {
    await pipeline.rule({ watchedProperties: ['Points'] });
    stop();
    await edit({ Estimate: 8 });
    await edit({ Priority: 'Medium' });
    expect(await pipeline.lines()).toEqual([]);
    goOn();
    await edit({ Priority: 'Low' });
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Points: 2 → 8`]);
  });

  test('is on a living card again once it is computed again, even if it is the same', async () => {
    await pipeline.rule({ watchedProperties: ['Estimate'], displayedFields: ['Points'], card: 'living' });
    await edit({ Estimate: 4 });
    stop();
    await edit({ Estimate: 5, Priority: 'High' });
    expect(pointsOf((await pipeline.cards())[0])).toBeUndefined();
    await edit({ Estimate: 4, Priority: 'Low' });
    goOn();
    await edit({ Priority: 'Medium' });
    const cards = await pipeline.cards();
    expect(cards).toHaveLength(1);
    expect(pointsOf(cards[0])).toBe('4');
  });

  test('is left out of a living card that tells what its rule watches', async () => {
    await pipeline.rule({ watchedProperties: ['Estimate', 'Points'], card: 'living' });
    stop();
    await edit({ Estimate: 4 });
    const [card] = await pipeline.cards();
    expect(card?.embeds[0]?.description).toContain('Estimate: 4');
    expect(card?.embeds[0]?.description).not.toContain('Points');
  });
});
