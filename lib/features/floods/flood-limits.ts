import { z } from 'zod';
import { defineJob } from '@/lib/queue/define-job';
import { MINUTE_MS } from '@/lib/time';

/** A rule posts at most this many cards in a channel within `WITHIN_MS`; further ones are counted. */
export const MAX_CARDS = 10;
export const WITHIN_MS = 5 * MINUTE_MS;

/** A flood ends once no card came for this long. */
export const QUIET_MS = 5 * MINUTE_MS;

/** Brings the message of a flood up to date. */
export const countFloodJob = defineJob({
  name: 'count-flood',
  payload: z.object({ floodId: z.uuid(), accountId: z.uuid() }),
  key: ['floodId'],
});
