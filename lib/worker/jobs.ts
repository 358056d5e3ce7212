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
import { captureBaseline, captureBaselineJob } from '@/lib/features/changes/baseline';
import { checkServers, checkServersJob } from '@/lib/features/connections/check-servers';
import { leaveServer, leaveServerJob } from '@/lib/features/connections/leave-server';
import { refreshDatabaseJob, refreshKeptDatabase } from '@/lib/features/connections/refresh-database';
import { refreshKeptWorkspace, refreshWorkspaceJob } from '@/lib/features/connections/refresh-workspace';
import { registerBotCommands, registerCommandsJob } from '@/lib/features/connections/register-commands';
import { revokeSealedToken, revokeTokenJob } from '@/lib/features/connections/revoke-token';
import { upkeepJob } from '@/lib/features/deliveries/retention';
import { tellDecision, tellDecisionJob } from '@/lib/features/links/tell-decision';
import { warnChannelJob } from '@/lib/features/outbox/channel-problem';
import { heldNoticeJob, postHeldNotice } from '@/lib/features/outbox/held-notice';
import { followAwayCardJob } from '@/lib/features/reconciliation/finish-gathering';
import { followAwayCard } from '@/lib/features/reconciliation/follow-away-card';
import { reconcileJob, reconcileWorkspace } from '@/lib/features/reconciliation/reconcile';
import { startDuePasses, startDuePassesJob } from '@/lib/features/reconciliation/schedule-passes';
import { warnChannel } from '@/lib/features/rules/warn-channel';
import { handOver } from '@/lib/features/setup/hand-over';
import { askHolder, askHolderJob } from '@/lib/features/takeovers/ask-holder';
import { handOverJob } from '@/lib/features/takeovers/enqueue-hand-over';
import { tellTakeover, tellTakeoverJob } from '@/lib/features/takeovers/tell-takeover';
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
  handle(finishInteractionJob, finishInteraction),
  handle(followAwayCardJob, followAwayCard),
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

/** Jobs that run at fixed times, in UTC. */
export const CRONTAB = [
  makeAt('*/10 * * * *', checkServersJob, 15 * MINUTE_MS),
  makeAt('* * * * *', startDuePassesJob, 5 * MINUTE_MS),
  makeAt('*/10 * * * *', cleanQueueJob, 15 * MINUTE_MS),
  makeAt('17 3 * * *', forgetInteractionsJob, DAY_MS),
  makeAt('27 3 * * *', upkeepJob, DAY_MS),
  makeAt('37 3 * * *', rereadSubscriptionsJob, DAY_MS),
];
