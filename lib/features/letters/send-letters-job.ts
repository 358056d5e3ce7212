import { z } from 'zod';
import { defineJob } from '@/lib/queue/define-job';

/**
 * Sends what waits for a person, in order. Separate from the job for news of the product, so that an older version,
 * which knows no letters, leaves it to a newer one.
 */
export const sendLettersJob = defineJob({
  name: 'send-letters',
  payload: z.object({ conversationId: z.uuid() }),
  key: ['conversationId'],
});
