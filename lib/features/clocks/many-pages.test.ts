import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ClockRules, inDays } from '@/lib/testing/clock-rules';
import { pagesOf } from '@/lib/testing/digest-steps';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';

// Notion lists only so many pages for one query.

const TORCHES = Array.from({ length: 9 }, (_, nr) => `Torch ${nr + 1}`);
const NEWEST = TORCHES.at(-1) ?? '';
const IF_TORCH = { match: 'all', items: [{ propertyId: 'Name', operator: 'contains', values: ['Torch'] }] };

let pipeline: Pipeline;
let clocks: ClockRules;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  clocks = new ClockRules(pipeline);
  await clocks.clearDates();
  const missed = new MissedChanges(pipeline);
  for (const [nr, Name] of TORCHES.entries()) {
    await missed.create({ Name, 'Due date': inDays(1) }, 60 - nr);
  }
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.idle();
  await pipeline.clear();
  await clocks.preferences();
  await listAtMost(4);
});
afterEach(() => listAtMost(10_000));

const listAtMost = (queryRowLimit: number) =>
  pipeline.story.product.control('notion', 'PATCH', '/settings', { queryRowLimit });
const titles = async () => (await pipeline.cards()).map(({ embeds }) => embeds[0]?.title).sort();

test('pages beyond those that Notion lists in one query are reminded of and summed up', async () => {
  await clocks.reminding();
  await clocks.strike();
  expect(await titles()).toEqual(TORCHES);
  await pipeline.clear();
  await clocks.rule('summary', { every: 'workday', at: '09:00' }, { conditions: IF_TORCH });
  await clocks.strike();
  const [summary, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(summary.content).toBe('9 pages in Sprint board');
  expect(pagesOf(summary)).toEqual(TORCHES);
});

test('a reminder needs only the pages of its date, although a summary reads the whole database', async () => {
  const newest = { match: 'all', items: [{ propertyId: 'Name', operator: 'is', values: [NEWEST] }] };
  await listAtMost(9);
  await clocks.reminding({ conditions: newest });
  await clocks.rule('summary', { every: 'workday', at: '09:00' }, { conditions: IF_TORCH });
  pipeline.fault({ target: 'notion', kind: 'fail', status: 400, match: '/query$', after: 1, times: 0 });
  await clocks.strike();
  expect(await titles()).toEqual([NEWEST]);
});
