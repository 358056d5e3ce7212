import { forgetOldRecords } from '@/lib/features/account/retention';
import { forgetOldReminders } from '@/lib/features/clocks/retention';
import { forgetOldChannelNotes, forgetOldEvents, keepPartitions } from '@/lib/features/deliveries/retention';
import { forgetConversations } from '@/lib/features/direct/conversation';
import { forgetOldEchoes } from '@/lib/features/echoes/retention';
import { forgetOldFloods } from '@/lib/features/floods/retention';
import { forgetOldLetters } from '@/lib/features/letters/retention';
import { forgetOldBodies } from '@/lib/features/messages/sealed-body';
import { forgetOldChanges } from '@/lib/features/reminders/kept-change';
import { forgetUnwatchedPages } from '@/lib/features/snapshots/retention';
import { forgetOldParents } from '@/lib/features/tree/kept-parents';
import { forgetFailedJobs } from '@/lib/queue/clean-queue';

/** Keeps the tables from growing without limit. Each part may be interrupted; the next run continues. */
export async function runUpkeep(): Promise<void> {
  await keepPartitions();
  await forgetOldEvents();
  await forgetOldBodies();
  await forgetUnwatchedPages();
  await forgetOldParents();
  await forgetOldFloods();
  await forgetOldLetters();
  await forgetOldChanges();
  await forgetOldEchoes();
  await forgetOldReminders();
  await forgetOldChannelNotes();
  await forgetConversations();
  await forgetOldRecords();
  await forgetFailedJobs();
}
