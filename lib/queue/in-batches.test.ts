import { expect, test } from 'vitest';
import { inBatches } from './in-batches';

/** Doubles numbers in batches that end when the test says so, and records each batch. */
function doubling(largest = 10) {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const double = inBatches(async (numbers: number[]) => {
    batches.push(numbers);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (numbers.includes(13)) throw new Error('unlucky');
    return numbers.map((number) => number * 2);
  }, largest);
  const end = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { double, batches, end };
}

test('calls during a batch form the next one', async () => {
  const { double, batches, end } = doubling();
  const first = double(1);
  await Promise.resolve();
  await Promise.resolve();
  const others = [double(2), double(3)];
  await end();
  await end();
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1], [2, 3]]);
});

test('simultaneous calls form one batch, which runs at once', async () => {
  const { double, batches, end } = doubling();
  const all = Promise.all([double(1), double(2)]);
  await end();
  expect(await all).toEqual([2, 4]);
  expect(batches).toEqual([[1, 2]]);
});

test('a batch has a maximum size', async () => {
  const { double, batches, end } = doubling(2);
  const all = Promise.all([1, 2, 3].map(double));
  await end();
  await end();
  expect(await all).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2], [3]]);
});

test('a bad item fails no other: each is tried alone', async () => {
  const { double, batches, end } = doubling();
  const all = Promise.allSettled([1, 13, 2].map(double));
  for (let batch = 0; batch < 4; batch += 1) await end();
  expect(await all).toMatchObject([
    { value: 2 },
    { status: 'rejected', reason: { message: 'unlucky' } },
    { value: 4 },
  ]);
  expect(batches).toEqual([[1, 13, 2], [1], [13], [2]]);
});
