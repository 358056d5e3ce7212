import { expect, test } from 'vitest';
import { NotionError } from './notion-request';
import { readBatch } from './read-batch';

/** Reads a list of which Notion refuses with `status` what `refuses` says. Returns the asked sizes, and the outcome. */
async function sizesAsked(status: number, refuses: (size: number, nr: number) => boolean) {
  const sizes: number[] = [];
  const reading = readBatch(async ({ page_size }) => {
    sizes.push(page_size);
    if (refuses(page_size, sizes.length)) throw new NotionError(status, 'refused', 'Refused');
    return 'read';
  });
  return { sizes, outcome: await reading.catch((error: NotionError) => error.status) };
}

test.each([503, 504])(
  'a list that Notion does not gather in time (%i) is read in smaller batches',
  async (status) => {
    const asked = await sizesAsked(status, (size) => size > 25);
    expect(asked).toEqual({ sizes: [100, 100, 25], outcome: 'read' });
  },
);

test('a batch is repeated as it is when Notion was unavailable for a moment', async () => {
  expect(await sizesAsked(503, (_, nr) => nr === 1)).toEqual({ sizes: [100, 100], outcome: 'read' });
});

test.each([
  [503, [100, 100, 25, 6, 1]],
  [429, [100]],
  [500, [100]],
  [404, [100]],
])('a refusal of every size with %i is passed on', async (status, sizes) => {
  expect(await sizesAsked(status, () => true)).toEqual({ sizes, outcome: status });
});
