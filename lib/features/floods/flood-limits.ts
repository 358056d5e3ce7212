import { z } from 'zod';
import { defineJob } from '@/lib/queue/define-job';
import { MINUTE_MS } from '@/lib/time';

/** So many cards of a rule are posted in a channel within this time; the next ones are counted. */
export const MOST_CARDS = 10;
export const WITHIN_MS = 5 * MINUTE_MS;

/** A flood ends once no card came for this long. */
export const QUIET_MS = 5 * MINUTE_MS;

/** Has a flood's message say how many cards there are. */
export const countFloodJob = defineJob({
  name: 'count-flood',
  payload: z.object({ floodId: z.uuid(), accountId: z.uuid() }),
  key: ['floodId'],
});
