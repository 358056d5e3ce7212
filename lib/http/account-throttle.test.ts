import { expect, test } from 'vitest';
import { bookCall, throttleAccount } from './account-throttle';

const waits = (accountId: string, count: number, now = 1000) =>
  Array.from({ length: count }, () => bookCall(accountId, now));

test('four calls of an account begin at once, and the others follow, four in a second', () => {
  expect(waits('loud', 8)).toEqual([0, 0, 0, 0, 250, 500, 750, 1000]);
});

test('a call of another account does not wait for them', () => {
  waits('busy', 50);
  expect(waits('quiet', 1)).toEqual([0]);
});

test('whoever paused may begin four at once again', () => {
  waits('slow', 6);
  expect(waits('slow', 5, 10_000)).toEqual([0, 0, 0, 0, 250]);
});

test('a call that would wait more than 25 seconds is refused, and makes no other wait longer', () => {
  expect(waits('crowd', 104).at(-1)).toBe(25_000);
  for (let nth = 0; nth < 3; nth += 1) {
    expect(() => bookCall('crowd', 1000)).toThrow('Too many requests. Try again in 26 seconds.');
  }
  expect(waits('crowd', 1, 1250)).toEqual([25_000]);
});

test('calls begin in the order in which they came', async () => {
  const begun: number[] = [];
  await Promise.all(
    Array.from({ length: 7 }, async (_, nth) => {
      await throttleAccount('hasty');
      begun.push(nth);
    }),
  );
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
