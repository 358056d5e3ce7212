import { DAY_MS } from '@/lib/time';

/** How long the plan lasts at the current pace. */
export type PlanPace =
  /** All notifications of the period are used. */
  | { kind: 'used_up' }
  /** They will be used up on that day, before the period ends. */
  | { kind: 'runs_out'; at: Date }
  /** They last; `expected` will be used by the end of the period. */
  | { kind: 'lasts'; expected: number }
  /** It is too early to tell, or nothing has been used yet. */
  | { kind: 'unknown' };

interface Use {
  used: number;
  limit: number;
  start: Date;
  end: Date;
}

/** Projects the use so far onto the whole period. Says nothing before a day has passed. */
export function planPace({ used, limit, start, end }: Use, now: Date): PlanPace {
  if (used >= limit) return { kind: 'used_up' };
  const elapsed = now.getTime() - start.getTime();
  if (used === 0 || elapsed < DAY_MS || now >= end) return { kind: 'unknown' };
  const runsOut = new Date(start.getTime() + (limit / used) * elapsed);
  if (runsOut < end) return { kind: 'runs_out', at: runsOut };
  return { kind: 'lasts', expected: Math.round((used / elapsed) * (end.getTime() - start.getTime())) };
}

/** The number of a period's current day, and how many days it has; null outside of it. */
export function dayOfPeriod({ start, end }: Pick<Use, 'start' | 'end'>, now: Date) {
  if (now < start || now >= end) return null;
  const days = (from: Date, to: Date) => Math.floor((to.getTime() - from.getTime()) / DAY_MS);
  return {
    day: days(start, now) + 1,
    of: Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS)),
  };
}
