import { inTime } from '@/lib/in-time';
import { SECOND_MS } from '@/lib/time';

const PATIENCE_MS = 5 * SECOND_MS;

/** What the database answers. Throws when it has not answered within five seconds; somebody waits to hear of that. */
export const askDatabase = <T>(answer: Promise<T>): Promise<T> =>
  inTime(PATIENCE_MS, answer, () => new Error('the database has not answered in time'));
