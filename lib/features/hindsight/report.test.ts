import { expect, test } from 'vitest';
import { DAY_MS, SECOND_MS } from '@/lib/time';
import { type Judged, toAnswer } from './report';

const NOW = new Date('2026-11-20T12:00:00Z');

const posted = (nth: number, at: Date): Judged => ({
  event: { id: `e${nth}`, pageId: `p${nth}`, type: 'page.created', occurredAt: at } as Judged['event'],
  outcome: 'posted',
  changes: [],
  title: `Page ${nth}`,
  url: null,
});

const answer = (rollUp: boolean, found: Judged[]) =>
  toAnswer({
    now: NOW,
    days: 2,
    rule: { timing: { kind: 'now' }, urgent: false, card: 'each', destination: { kind: 'channel' }, rollUp },
    clock: { timeZone: 'UTC', quietHours: null },
    found,
    isCut: false,
    read: { pages: new Map(), gone: new Set(), looked: 0 },
  });

test('a flood is ten cards and one that counts, on the day when it began', () => {
  const yesterday = Array.from({ length: 300 }, (_, nth) =>
    posted(nth, new Date(NOW.getTime() - DAY_MS + nth * SECOND_MS)),
  );
  const found = [...yesterday, posted(300, NOW)];
  expect(answer(false, found)).toMatchObject({ cards: 301, perDay: [{ cards: 300 }, { cards: 1 }] });
  const counted = answer(true, found);
  expect(counted).toMatchObject({ events: 301, cards: 12, perDay: [{ cards: 11 }, { cards: 1 }] });
  const reasons = counted.items.map(({ outcome, reason }) => [outcome, reason?.slice(0, 29) ?? null]);
  expect(reasons[0]).toEqual(['posted', null]);
  expect(reasons[1]).toEqual(['posted', 'More than ten cards of the ru']);
  expect(counted.items).toHaveLength(300);
});
