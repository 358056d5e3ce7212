import { COMMAND_MANIFEST } from '@/lib/bot/commands';
import { finishInteraction } from '@/lib/bot/finish-interaction';
import { tellBillingJob, tellEndedTrials, tellEndedTrialsJob } from '@/lib/features/billing/billing-news';
import { closeCustomer, closeCustomerJob } from '@/lib/features/billing/close-customer';
import { warnUsageJob } from '@/lib/features/billing/quota';
import {
  rereadSubscriptions,
  rereadSubscriptionsJob,
  syncSubscription,
  syncSubscriptionJob,
} from '@/lib/features/billing/sync-subscription';
import { captureBaseline, captureBaselineJob } from '@/lib/features/changes/baseline';
import { runClocks } from '@/lib/features/clocks/run-clocks';
import { runClocksJob, startDueClocks, startDueClocksJob } from '@/lib/features/clocks/start-due-clocks';
import { upkeepJob } from '@/lib/features/deliveries/retention';
import { startDueDigests, startDueDigestsJob } from '@/lib/features/digests/plan-digests';
import { tellDigest, tellDigestJob } from '@/lib/features/digests/tell-digest';
import { tellPerson, tellPersonJob } from '@/lib/features/digests/tell-person';
import { sendDirectJob } from '@/lib/features/direct/queue-direct';
import { sendDirect } from '@/lib/features/direct/send-direct';
import { tellBilling } from '@/lib/features/direct/tell-billing';
import { forgetToldRequest, tellLinkDecision } from '@/lib/features/direct/tell-link-decision';
import { warnUsage } from '@/lib/features/direct/warn-usage';
import { countFlood } from '@/lib/features/floods/count-flood';
import { countFloodJob } from '@/lib/features/floods/flood-limits';
import { sendLettersJob } from '@/lib/features/letters/send-letters-job';
import { tellLinkDecisionJob } from '@/lib/features/links/enqueue-link-decision';
import { heldNoticeJob, queueHeldNotice } from '@/lib/features/outbox/held-notice';
import { followAwayCardJob } from '@/lib/features/reconciliation/finish-gathering';
import { followAwayCard } from '@/lib/features/reconciliation/follow-away-card';
import { reconcileJob, reconcileWorkspace } from '@/lib/features/reconciliation/reconcile';
import { startDuePasses, startDuePassesJob } from '@/lib/features/reconciliation/schedule-passes';
import { describeRule } from '@/lib/features/rules/queries';
import { warnChannel } from '@/lib/features/rules/warn-channel';
import { warnChannelJob } from '@/lib/features/sending/channel-problem';
import { checkServers, checkServersJob } from '@/lib/features/servers/check-servers';
import { leaveServer, leaveServerJob } from '@/lib/features/servers/leave-server';
import { registerBotCommands, registerCommandsJob } from '@/lib/features/servers/register-commands';
import { handOver } from '@/lib/features/setup/hand-over';
import { askHolder, askHolderJob, noteAsked } from '@/lib/features/takeovers/ask-holder';
import { handOverJob } from '@/lib/features/takeovers/enqueue-hand-over';
import { tellTakeover, tellTakeoverJob } from '@/lib/features/takeovers/tell-takeover';
import {
  finishInteractionJob,
  forgetInteractionsJob,
  forgetOldInteractions,
} from '@/lib/features/tasks/interactions';
import { refreshDatabaseJob, refreshKeptDatabase } from '@/lib/features/workspaces/refresh-database';
import { refreshKeptWorkspace, refreshWorkspaceJob } from '@/lib/features/workspaces/refresh-workspace';
import { revokeSealedToken, revokeTokenJob } from '@/lib/features/workspaces/revoke-token';
import { cleanQueue, cleanQueueJob } from '@/lib/queue/clean-queue';
import { handle, makeAt } from '@/lib/queue/run-queue';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/time';
import { runUpkeep } from './upkeep';

// What runs after a direct message was sent or given up.
const AFTER_DIRECT = [forgetToldRequest, noteAsked];

/** The background door: the function that does the work of each job. */
export const jobs = [
  handle(askHolderJob, askHolder),
  handle(captureBaselineJob, captureBaseline),
  handle(checkServersJob, checkServers),
  handle(cleanQueueJob, cleanQueue),
  handle(closeCustomerJob, closeCustomer),
  handle(countFloodJob, (job) => countFlood(job, describeRule)),
  handle(finishInteractionJob, finishInteraction),
  handle(followAwayCardJob, followAwayCard),
  handle(forgetInteractionsJob, forgetOldInteractions),
  handle(handOverJob, handOver),
  handle(heldNoticeJob, queueHeldNotice),
  handle(leaveServerJob, leaveServer),
  handle(reconcileJob, reconcileWorkspace),
  handle(refreshDatabaseJob, refreshKeptDatabase),
  handle(refreshWorkspaceJob, refreshKeptWorkspace),
  handle(registerCommandsJob, () => registerBotCommands(COMMAND_MANIFEST)),
  handle(rereadSubscriptionsJob, rereadSubscriptions),
  handle(revokeTokenJob, revokeSealedToken),
  handle(runClocksJob, runClocks),
  handle(sendDirectJob, (job) => sendDirect(job, AFTER_DIRECT)),
  handle(sendLettersJob, (job) => sendDirect(job, AFTER_DIRECT)),
  handle(startDueClocksJob, startDueClocks),
  handle(startDueDigestsJob, startDueDigests),
  handle(startDuePassesJob, startDuePasses),
  handle(syncSubscriptionJob, syncSubscription),
  handle(tellBillingJob, tellBilling),
  handle(tellLinkDecisionJob, tellLinkDecision),
  handle(tellDigestJob, tellDigest),
  handle(tellEndedTrialsJob, tellEndedTrials),
  handle(tellPersonJob, tellPerson),
  handle(tellTakeoverJob, tellTakeover),
  handle(upkeepJob, runUpkeep),
  handle(warnChannelJob, warnChannel),
  handle(warnUsageJob, warnUsage),
];

/** Jobs that run at fixed times, in UTC. */
export const CRONTAB = [
  makeAt('*/10 * * * *', checkServersJob, 15 * MINUTE_MS),
  makeAt('* * * * *', startDueClocksJob, 5 * MINUTE_MS),
  makeAt('* * * * *', startDueDigestsJob, 5 * MINUTE_MS),
  makeAt('* * * * *', startDuePassesJob, 5 * MINUTE_MS),
  makeAt('*/10 * * * *', cleanQueueJob, 15 * MINUTE_MS),
  makeAt('7 * * * *', tellEndedTrialsJob, HOUR_MS),
  makeAt('17 3 * * *', forgetInteractionsJob, DAY_MS),
  makeAt('27 3 * * *', upkeepJob, DAY_MS),
  makeAt('37 3 * * *', rereadSubscriptionsJob, DAY_MS),
];
