import { forgetOldRecords } from '@/lib/features/account/retention';
import { forgetOldDetails, forgetOrphans } from '@/lib/features/deliveries/forget-details';
import {
  forgetOldChannelNotes,
  forgetOldEvents,
  forgetUnwatchedPages,
  keepPartitions,
} from '@/lib/features/deliveries/retention';
import { forgetFailedJobs } from '@/lib/queue/clean-queue';

/** Keeps the tables from growing for ever. Each part may be cut short; the next run goes on. */
export async function runUpkeep(): Promise<void> {
  await keepPartitions();
  await forgetOldEvents();
  await forgetOrphans();
  await forgetOldDetails();
  await forgetUnwatchedPages();
  await forgetOldChannelNotes();
  await forgetOldRecords();
  await forgetFailedJobs();
}
