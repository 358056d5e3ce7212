import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inAccountLane } from './account-lane';

function begin(accountId: string, count: number) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const ended = Array.from({ length: count }, (_, nth) =>
    inAccountLane(accountId, () => {
      begun.push(nth);
      return new Promise<number>((resolve) => ends.push(() => resolve(nth)));
    }),
  );
  return { begun, ends, ended };
}

async function endAll({ ends, ended }: ReturnType<typeof begin>): Promise<number[]> {
  for (let nth = 0; nth < ended.length; nth += 1) {
    await expect.poll(() => ends[nth]).toBeDefined();
    ends[nth]?.();
  }
  return Promise.all(ended);
}

test('two calls of an account are under way at a time, the others follow in their order', async () => {
  const loud = begin('loud', 6);
  await expect.poll(() => loud.begun).toEqual([0, 1]);
  loud.ends[1]?.();
  await expect.poll(() => loud.begun).toEqual([0, 1, 2]);
  expect(await endAll(loud)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a call of another account does not wait for them', async () => {
  const loud = begin('busy', 3);
  await expect.poll(() => loud.begun).toEqual([0, 1]);
  expect(await inAccountLane('quiet', async () => 'answered')).toBe('answered');
  expect(loud.begun).toEqual([0, 1]);
  await endAll(loud);
});

test('however quick they are, after the first four only four calls begin in a second', async () => {
  const begun: number[] = [];
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 8 }, () => inAccountLane('hasty', async () => begun.push(performance.now()))),
  );
  const earliest = [0, 0, 0, 0, 250, 500, 750, 1000];
  begun.forEach((at, nth) => {
    // Timers may fire a millisecond early.
    expect(at - startedAt).toBeGreaterThanOrEqual((earliest[nth] ?? 0) - 2);
  });
});

test('while a hundred are waiting, a further one is refused with the time after which to try again', async () => {
  begin('crowd', 102);
  await expect(inAccountLane('crowd', async () => 'answered')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 25,
  });
});

test('a call that fails makes room for the next, and an account at rest is forgotten', async () => {
  const refused = () => Promise.reject(new Error('refused'));
  await expect(inAccountLane('unlucky', refused)).rejects.toThrow('refused');
  await expect(inAccountLane('unlucky', refused)).rejects.toThrow('refused');
  expect(await inAccountLane('unlucky', async () => 'answered')).toBe('answered');
  const { pagewireAccountLanes: lanes } = globalThis as { pagewireAccountLanes?: Map<string, unknown> };
  await sleep(1000);
  await inAccountLane('other', async () => 'answered');
  expect(lanes?.has('unlucky')).toBe(false);
});
