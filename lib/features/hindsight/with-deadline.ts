import { inTime } from '@/lib/in-time';
import type { TimeLeft } from '@/lib/time';

/** The time ran out before the work was done. */
export class TooLate extends Error {}

/** The result of some work. Throws TooLate when its time runs out; the work then continues, but nobody waits for it. */
export const withDeadline = <T>(left: TimeLeft, work: Promise<T>): Promise<T> =>
  inTime(left(), work, () => new TooLate());
