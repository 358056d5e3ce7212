import { MAX_CARDS, QUIET_MS, WITHIN_MS } from './flood-limits';

/** What becomes of a card: it is posted, is the first that a new counter counts, or is counted by an open one. */
export type Paced = 'posted' | 'opens' | 'counted';

/** What becomes of the cards of one rule in one channel that come at these times, in order. Same rules as `paceSql`. */
export function followPace(times: Date[]): Paced[] {
  let recent: number[] = [];
  let lastAt = Number.NEGATIVE_INFINITY;
  return times.map((time) => {
    const now = time.getTime();
    recent = recent.filter((at) => at > now - WITHIN_MS);
    const lasts = lastAt > now - QUIET_MS;
    if (!lasts && recent.length < MAX_CARDS) {
      recent.push(now);
      return 'posted';
    }
    lastAt = now;
    return lasts ? 'counted' : 'opens';
  });
}
