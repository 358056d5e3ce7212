import { expect, test, vi } from 'vitest';
import { byDay } from './by-day';

// Tests run in a time zone 5:45 hours ahead of UTC.
const entry = (local: string) => ({ at: new Date(`${local}+05:45`).toISOString() });

test('entries of one day stand together in the reader’s time zone, and the present day is called Today', () => {
  vi.setSystemTime(new Date('2026-11-22T00:10:00+05:45'));
  const [now, before, earlier, lastYear] = [
    entry('2026-11-22T00:05:00'),
    entry('2026-11-21T23:55:00'),
    entry('2026-11-21T00:05:00'),
    entry('2025-11-22T12:00:00'),
  ] as const;
  expect(byDay([now, before, earlier, lastYear])).toEqual([
    { day: 'Today', entries: [now] },
    { day: 'Saturday, November 21', entries: [before, earlier] },
    { day: 'Saturday, November 22, 2025', entries: [lastYear] },
  ]);
  vi.useRealTimers();
});

test('nothing has no days', () => {
  expect(byDay([])).toEqual([]);
});
