import { expect, test } from 'vitest';
import { DAY_MS, SECOND_MS } from '@/lib/time';
import type { QuietHours } from '../calendar/schema';
import type { CardMode } from '../matching/schema';
import { type Judged, toReport } from './report';

const NOW = new Date('2026-11-20T12:00:00Z');

interface More {
  rule?: { urgent?: boolean; card?: CardMode };
  quietHours?: QuietHours;
}

const posted = (nth: number, at: Date): Judged => ({
  event: { id: `e${nth}`, pageId: `p${nth}`, type: 'page.created', occurredAt: at } as Judged['event'],
  outcome: 'posted',
  changes: [],
  title: `Page ${nth}`,
  url: null,
});

const answer = (rollUp: boolean, found: Judged[], more: More = {}) =>
  toReport({
    now: NOW,
    days: 2,
    rule: {
      timing: { kind: 'now' },
      urgent: false,
      card: 'each',
      destination: { kind: 'channel' },
      rollUp,
      ...more.rule,
    },
    clock: { timeZone: 'UTC', quietHours: more.quietHours ?? null },
    found,
    isCut: false,
    read: { pages: new Map(), lost: new Map(), looked: 0 },
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

test('what quiet hours put off is one card, on the day when it began', () => {
  const quietHours = { from: '22:00', to: '07:00', days: [1, 2, 3, 4, 5, 6, 7] };
  const times = ['19T21:59', '19T22:00', '19T23:30', '20T06:59', '20T07:00'];
  const found = times.map((time, nth) => posted(nth, new Date(`2026-11-${time}:00Z`)));
  const counted = answer(true, found, { quietHours });
  expect(counted).toMatchObject({ cards: 3, digests: null, perDay: [{ cards: 2 }, { cards: 1 }] });
  expect(counted.items.map(({ reason }) => reason?.slice(0, 31) ?? null)).toEqual([
    null,
    ...Array(3).fill('It is told when quiet hours end'),
    null,
  ]);
  expect(answer(true, found, { quietHours, rule: { urgent: true } })).toMatchObject({ cards: 5 });
  const ofOnePage = found.map((one) => ({ ...one, event: { ...one.event, pageId: 'p' } }));
  expect(answer(true, ofOnePage, { quietHours, rule: { card: 'living' } })).toMatchObject({ cards: 2 });
});
