import { expect, test } from 'vitest';
import { toPages } from './notion-page';
import { NotionError } from './notion-request';
import { readBatch, readFirst } from './read-batch';

/** Reads a list of which Notion refuses with `status` what `refuses` says. Returns the asked sizes, and the outcome. */
async function sizesAsked(status: number, refuses: (size: number, nr: number) => boolean) {
  const sizes: number[] = [];
  const reading = readBatch(async ({ page_size }) => {
    sizes.push(page_size);
    if (refuses(page_size, sizes.length)) throw new NotionError(status, 'refused', 'Refused');
    return { results: ['read'] };
  });
  return {
    sizes,
    outcome: await reading.then(
      () => 'read',
      (error: NotionError) => error.status,
    ),
  };
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

const entries = (from: number, until: number) =>
  Array.from({ length: until - from }, (_, nr) => ({ id: String(from + nr) }));

/** Reads the first entries of a list of which Notion returns at most `cap` at a time. Returns the asked sizes too. */
async function readInParts(limit: number, { total, cap }: { total: number; cap: number }) {
  const sizes: number[] = [];
  const first = await readFirst(limit, async (cursor, { page_size }) => {
    sizes.push(page_size);
    const from = Number(cursor ?? 0);
    const until = Math.min(total, from + Math.min(cap, page_size));
    const results = entries(from, until);
    return { results, has_more: until < total, next_cursor: until < total ? String(until) : null };
  });
  return { ...first, sizes };
}

test('the first entries of a list are all there when Notion returns fewer than asked for', async () => {
  const all = entries(0, 10);
  expect(await readInParts(10, { total: 30, cap: 4 })).toEqual({
    results: all,
    hasMore: true,
    sizes: [10, 6, 2],
  });
  expect(await readInParts(100, { total: 10, cap: 4 })).toEqual({
    results: all,
    hasMore: false,
    sizes: [100, 96, 92],
  });
  expect(await readInParts(10, { total: 10, cap: 100 })).toEqual({
    results: all,
    hasMore: false,
    sizes: [10],
  });
});

test('an entry that Notion lists again, because the list has changed meanwhile, is there once', async () => {
  const parts = [entries(0, 3), entries(2, 5), entries(5, 8)];
  const { results, hasMore } = await readFirst(6, async (cursor) => {
    const nr = Number(cursor ?? 0);
    const next_cursor = nr + 1 < parts.length ? String(nr + 1) : null;
    return { results: parts[nr] ?? [], has_more: next_cursor !== null, next_cursor };
  });
  expect({ results, hasMore }).toEqual({ results: entries(0, 6), hasMore: true });
});

test('a list in tiny parts is not read to its end', async () => {
  const { results, hasMore, sizes } = await readInParts(100, { total: 100, cap: 1 });
  expect({ results: results.length, hasMore, calls: sizes.length }).toEqual({
    results: 20,
    hasMore: true,
    calls: 20,
  });
});

test('a page of an unknown shape hides no other page of a list, and a list of nothing else is no list', () => {
  const at = '2026-11-24T10:00:00.000Z';
  const parent = { type: 'workspace', workspace: true };
  const page = { object: 'page', id: crypto.randomUUID(), created_time: at, last_edited_time: at, parent };
  const readable = { ...page, properties: {} };
  const strange = { ...page, created_time: null, properties: {} };
  expect(toPages([strange, readable, page]).map(({ id }) => id)).toEqual([readable.id]);
  expect(() => toPages([strange])).toThrow(NotionError);
});
