import { z } from 'zod';
import { defineJob } from '@/lib/queue/define-job';

/**
 * Sends what waits for a person, in its order. Another job than the one for news of the product: a version of the program
 * that knows no letters leaves it to one that does.
 */
export const sendLettersJob = defineJob({
  name: 'send-letters',
  payload: z.object({ conversationId: z.uuid() }),
  key: ['conversationId'],
});
