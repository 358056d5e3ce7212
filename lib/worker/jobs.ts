import { z } from 'zod';
import { COMMAND_MANIFEST } from '@/lib/bot/commands';
import { finishInteraction } from '@/lib/bot/finish-interaction';
import { closeCustomer, closingJobKey } from '@/lib/features/billing/close-customer';
import { rereadSubscriptions, syncJobKey, syncSubscription } from '@/lib/features/billing/sync-subscription';
import { warnJobKey, warnUsage } from '@/lib/features/billing/warn-usage';
import { baselineJobKey, captureBaseline } from '@/lib/features/changes/baseline';
import { checkServers } from '@/lib/features/connections/check-servers';
import { leaveServer, leavingJobKey } from '@/lib/features/connections/leave-server';
import { databaseJobKey, refreshKeptDatabase } from '@/lib/features/connections/refresh-database';
import { refreshKeptWorkspace } from '@/lib/features/connections/refresh-workspace';
import { registerBotCommands } from '@/lib/features/connections/register-commands';
import { revocationSchema, revokeSealedToken } from '@/lib/features/connections/revoke-token';
import { tellDecision, tellDecisionKey } from '@/lib/features/links/tell-decision';
import { warnChannelKey } from '@/lib/features/outbox/channel-problem';
import { noticeJobKey, postHeldNotice } from '@/lib/features/outbox/held-notice';
import { followJobKey } from '@/lib/features/reconciliation/finish-gathering';
import { followAwayCard } from '@/lib/features/reconciliation/follow-away-card';
import { reconcileJobKey, reconcileLane, reconcileWorkspace } from '@/lib/features/reconciliation/reconcile';
import { startDuePasses } from '@/lib/features/reconciliation/schedule-passes';
import { warnChannel } from '@/lib/features/rules/warn-channel';
import { handOver } from '@/lib/features/setup/hand-over';
import { askHolder, askHolderKey } from '@/lib/features/takeovers/ask-holder';
import { handOverKey } from '@/lib/features/takeovers/enqueue-hand-over';
import { newsKey, tellTakeover } from '@/lib/features/takeovers/tell-takeover';
import { finishJobKey, finishJobSchema, forgetOldInteractions } from '@/lib/features/tasks/interactions';
import { cleanQueue } from '@/lib/queue/clean-queue';
import type { JobDefinition } from '@/lib/queue/run-queue';
import { runUpkeep } from './upkeep';

const done = { done: true } as const;

/** The background door: every job by name, with the shape of its payload. */
export const jobs = {
  'capture-baseline': job({
    schema: z.object({
      workspaceId: z.uuid(),
      databaseId: z.string(),
      propertyIds: z.array(z.string()),
      cursor: z.string().optional(),
      since: z.iso.datetime(),
    }),
    key: baselineJobKey,
    handler: captureBaseline,
  }),
  'finish-interaction': job({
    schema: finishJobSchema,
    key: finishJobKey,
    queue: ({ lane }) => lane,
    handler: finishInteraction,
  }),
  'forget-interactions': job({
    schema: z.object({}),
    key: () => 'forget-interactions',
    handler: async () => {
      await forgetOldInteractions();
      return done;
    },
  }),
  'tell-link-decision': job({
    schema: z.object({
      requestId: z.string(),
      accountId: z.uuid(),
      discordUserId: z.string(),
      isApproved: z.boolean(),
    }),
    key: tellDecisionKey,
    handler: tellDecision,
  }),
  'ask-holder': job({
    schema: z.object({ takeoverId: z.uuid() }),
    key: askHolderKey,
    handler: async (payload) => {
      await askHolder(payload);
      return done;
    },
  }),
  'hand-over': job({
    schema: z.object({ takeoverId: z.uuid() }),
    key: handOverKey,
    handler: async (payload) => {
      await handOver(payload);
      return done;
    },
  }),
  'tell-takeover': job({
    schema: z.object({
      recipientId: z.uuid(),
      serverId: z.uuid(),
      news: z.enum(['kept', 'handed_over', 'taken_over']),
    }),
    key: newsKey,
    handler: async (payload) => {
      await tellTakeover(payload);
      return done;
    },
  }),
  'check-servers': job({
    schema: z.object({}),
    key: () => 'check-servers',
    handler: async () => {
      await checkServers();
      return done;
    },
  }),
  'refresh-workspace': job({
    schema: z.object({ workspaceId: z.uuid() }),
    key: ({ workspaceId }) => `refresh-workspace:${workspaceId}`,
    handler: async ({ workspaceId }) => {
      await refreshKeptWorkspace(workspaceId);
      return done;
    },
  }),
  'refresh-database': job({
    schema: z.object({ workspaceId: z.uuid(), databaseId: z.string() }),
    key: databaseJobKey,
    handler: refreshKeptDatabase,
  }),
  'start-due-passes': job({
    schema: z.object({}),
    key: () => 'start-due-passes',
    handler: async () => {
      await startDuePasses();
      return done;
    },
  }),
  'reconcile-workspace': job({
    schema: z.object({
      workspaceId: z.uuid(),
      waited: z.record(z.string(), z.array(z.string())).optional(),
    }),
    key: reconcileJobKey,
    queue: reconcileLane,
    handler: reconcileWorkspace,
  }),
  'follow-away-card': job({
    schema: z.object({ carrierId: z.uuid() }),
    key: followJobKey,
    handler: followAwayCard,
  }),
  'post-held-notice': job({
    schema: z.object({ accountId: z.uuid(), channelId: z.string() }),
    key: noticeJobKey,
    handler: postHeldNotice,
  }),
  'warn-channel': job({
    schema: z.object({ channelId: z.string() }),
    key: warnChannelKey,
    handler: async (payload) => {
      await warnChannel(payload);
      return done;
    },
  }),
  'warn-usage': job({
    schema: z.object({ accountId: z.uuid(), periodStart: z.iso.datetime() }),
    key: warnJobKey,
    handler: async (payload) => {
      await warnUsage(payload);
      return done;
    },
  }),
  'sync-subscription': job({
    schema: z.object({ accountId: z.uuid() }),
    key: ({ accountId }) => syncJobKey(accountId),
    handler: async (payload) => {
      await syncSubscription(payload);
      return done;
    },
  }),
  'clean-queue': job({
    schema: z.object({}),
    key: () => 'clean-queue',
    queue: () => null,
    handler: async () => {
      await cleanQueue();
      return done;
    },
  }),
  upkeep: job({
    schema: z.object({}),
    key: () => 'upkeep',
    handler: async () => {
      await runUpkeep();
      return done;
    },
  }),
  'reread-subscriptions': job({
    schema: z.object({}),
    key: () => 'reread-subscriptions',
    handler: async () => {
      await rereadSubscriptions();
      return done;
    },
  }),
  'close-customer': job({
    schema: z.object({ customerId: z.string() }),
    key: ({ customerId }) => closingJobKey(customerId),
    queue: () => null,
    handler: async ({ customerId }) => {
      await closeCustomer(customerId);
      return done;
    },
  }),
  'register-commands': job({
    schema: z.object({}),
    key: () => 'register-commands',
    handler: async () => {
      await registerBotCommands(COMMAND_MANIFEST);
      return done;
    },
  }),
  'leave-server': job({
    schema: z.object({ guildId: z.string() }),
    key: ({ guildId }) => leavingJobKey(guildId),
    queue: () => null,
    handler: async ({ guildId }) => {
      await leaveServer(guildId);
      return done;
    },
  }),
  'revoke-notion-token': job({
    schema: revocationSchema,
    key: ({ id }) => `revoke-notion-token:${id}`,
    queue: () => null,
    handler: async (payload) => {
      await revokeSealedToken(payload);
      return done;
    },
  }),
};

/** Jobs that the clock makes, in UTC. What was missed while no worker ran is made up for. */
export const CRONTAB = [
  '*/10 * * * * check-servers ?jobKey=check-servers&queue=check-servers&fill=15m',
  '* * * * * start-due-passes ?jobKey=start-due-passes&fill=5m',
  '*/10 * * * * clean-queue ?jobKey=clean-queue&fill=15m',
  '17 3 * * * forget-interactions ?jobKey=forget-interactions&fill=1d',
  '27 3 * * * upkeep ?jobKey=upkeep&fill=1d',
  '37 3 * * * reread-subscriptions ?jobKey=reread-subscriptions&fill=1d',
].join('\n');

// Checks each definition against its own payload, then forgets it, so that they fit in one table.
function job<T>(definition: JobDefinition<T>): JobDefinition {
  return definition as JobDefinition<unknown>;
}
