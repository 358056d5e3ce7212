import { COMMAND_MANIFEST } from '@/lib/bot/commands';
import { finishInteraction } from '@/lib/bot/finish-interaction';
import { closeCustomer, closeCustomerJob } from '@/lib/features/billing/close-customer';
import {
  rereadSubscriptions,
  rereadSubscriptionsJob,
  syncSubscription,
  syncSubscriptionJob,
} from '@/lib/features/billing/sync-subscription';
import { warnUsage, warnUsageJob } from '@/lib/features/billing/warn-usage';
import { askHolder, askHolderJob } from '@/lib/features/connections/ask-holder';
import { checkServers, checkServersJob } from '@/lib/features/connections/check-servers';
import { leaveServer, leaveServerJob } from '@/lib/features/connections/commands';
import { handOver, handOverJob } from '@/lib/features/connections/hand-over';
import { refreshDatabaseJob, refreshKeptDatabase } from '@/lib/features/connections/refresh-database';
import { refreshKeptWorkspace, refreshWorkspaceJob } from '@/lib/features/connections/refresh-workspace';
import { registerBotCommands, registerCommandsJob } from '@/lib/features/connections/register-commands';
import { revokeSealedToken, revokeTokenJob } from '@/lib/features/connections/revoke-token';
import { tellTakeover, tellTakeoverJob } from '@/lib/features/connections/tell-takeover';
import { tellDecision, tellDecisionJob } from '@/lib/features/links/tell-decision';
import { captureBaseline, captureBaselineJob } from '@/lib/features/notifications/baseline';
import { completeCard, completeCardJob } from '@/lib/features/notifications/complete-card';
import { followAwayCardJob } from '@/lib/features/notifications/finish-gathering';
import { followAwayCard } from '@/lib/features/notifications/follow-away-card';
import { forgetDetailsJob, forgetOrphans } from '@/lib/features/notifications/forget-details';
import { heldNoticeJob, postHeldNotice } from '@/lib/features/notifications/held-notice';
import { reconcileJob, reconcileWorkspace } from '@/lib/features/notifications/reconcile';
import { upkeepJob } from '@/lib/features/notifications/retention';
import { startDuePasses, startDuePassesJob } from '@/lib/features/notifications/schedule-passes';
import { warnChannel, warnChannelJob } from '@/lib/features/notifications/warn-channel';
import {
  finishInteractionJob,
  forgetInteractionsJob,
  forgetOldInteractions,
} from '@/lib/features/tasks/interactions';
import { cleanQueue, cleanQueueJob } from '@/lib/queue/clean-queue';
import { handle, makeAt } from '@/lib/queue/run-queue';
import { DAY_MS, MINUTE_MS } from '@/lib/time';
import { runUpkeep } from './upkeep';

/** The background door: what does the work of every job. */
export const jobs = [
  handle(askHolderJob, askHolder),
  handle(captureBaselineJob, captureBaseline),
  handle(checkServersJob, checkServers),
  handle(cleanQueueJob, cleanQueue),
  handle(closeCustomerJob, closeCustomer),
  handle(completeCardJob, completeCard),
  handle(finishInteractionJob, finishInteraction),
  handle(followAwayCardJob, followAwayCard),
  handle(forgetDetailsJob, forgetOrphans),
  handle(forgetInteractionsJob, forgetOldInteractions),
  handle(handOverJob, handOver),
  handle(heldNoticeJob, postHeldNotice),
  handle(leaveServerJob, leaveServer),
  handle(reconcileJob, reconcileWorkspace),
  handle(refreshDatabaseJob, refreshKeptDatabase),
  handle(refreshWorkspaceJob, refreshKeptWorkspace),
  handle(registerCommandsJob, () => registerBotCommands(COMMAND_MANIFEST)),
  handle(rereadSubscriptionsJob, rereadSubscriptions),
  handle(revokeTokenJob, revokeSealedToken),
  handle(startDuePassesJob, startDuePasses),
  handle(syncSubscriptionJob, syncSubscription),
  handle(tellDecisionJob, tellDecision),
  handle(tellTakeoverJob, tellTakeover),
  handle(upkeepJob, runUpkeep),
  handle(warnChannelJob, warnChannel),
  handle(warnUsageJob, warnUsage),
];

/** Jobs that the clock makes. */
export const CRONTAB = [
  makeAt('*/10 * * * *', checkServersJob, 15 * MINUTE_MS),
  makeAt('* * * * *', startDuePassesJob, 5 * MINUTE_MS),
  makeAt('*/10 * * * *', cleanQueueJob, 15 * MINUTE_MS),
  makeAt('17 3 * * *', forgetInteractionsJob, DAY_MS),
  makeAt('27 3 * * *', upkeepJob, DAY_MS),
  makeAt('37 3 * * *', rereadSubscriptionsJob, DAY_MS),
];
