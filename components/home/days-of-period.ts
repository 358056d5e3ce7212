export interface Day {
  /** Midnight of the day in the reader's time zone. */
  day: Date;
  sent: number;
}

/** The most days of a period: it is a month, but the demo's clock may be ahead of it or behind it. */
export const MAX_DAYS = 32;

const dayOf = (at: Date, later = 0) => new Date(at.getFullYear(), at.getMonth(), at.getDate() + later);

/** The days of a period up to now, in the reader's time zone, each with the number of messages sent on it. */
export function daysOfPeriod(start: Date, now: Date, sentAt: { at: string; sent: number }[]): Day[] {
  const moments = sentAt.map(({ at }) => new Date(at));
  const first = dayOf(earliest([start, ...moments]));
  const last = dayOf(latest([now, ...moments]));
  const days: Day[] = [];
  for (let day = last; day >= first && days.length < MAX_DAYS; day = dayOf(day, -1)) {
    const next = dayOf(day, 1);
    const sent = sentAt.reduce((sum, each, index) => {
      const at = moments[index] as Date;
      return at >= day && at < next ? sum + each.sent : sum;
    }, 0);
    days.unshift({ day, sent });
  }
  return days;
}

/** The rest of a period's days after `last`, in the reader's time zone. */
export function daysAhead(last: Date, end: Date, most: number): Date[] {
  const days: Date[] = [];
  for (let day = dayOf(last, 1); day < end && days.length < most; day = dayOf(day, 1)) days.push(day);
  return days;
}

/** The top of a scale for counts up to `most`: a round, even number, so that half of it is a whole number. */
export function scaleTop(most: number): number {
  let unit = 1;
  for (;;) {
    for (const step of [2, 4, 6, 8, 10, 12, 16]) {
      if (step * unit >= most) return step * unit;
    }
    unit *= 10;
  }
}

const earliest = (times: Date[]) => new Date(Math.min(...times.map(Number)));
const latest = (times: Date[]) => new Date(Math.max(...times.map(Number)));
