import { forgetOldRecords } from '@/lib/features/account/retention';
import {
  forgetOldChannelNotes,
  forgetOldEvents,
  forgetUnwatchedPages,
  keepPartitions,
} from '@/lib/features/deliveries/retention';
import { forgetOldBodies } from '@/lib/features/outbox/forget-bodies';
import { forgetFailedJobs } from '@/lib/queue/clean-queue';

/** Keeps the tables from growing for ever. Each part may be cut short; the next run goes on. */
export async function runUpkeep(): Promise<void> {
  await keepPartitions();
  await forgetOldEvents();
  await forgetOldBodies();
  await forgetUnwatchedPages();
  await forgetOldChannelNotes();
  await forgetOldRecords();
  await forgetFailedJobs();
}
