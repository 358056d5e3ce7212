import { z } from 'zod';
import { COMMAND_MANIFEST } from '@/lib/bot/commands';
import { leaveServer, revokeSealedToken } from '@/lib/features/connections/commands';
import { registerBotCommands } from '@/lib/features/connections/register-commands';
import { baselineJobKey, captureBaseline } from '@/lib/features/notifications/baseline';
import { deliverChannel } from '@/lib/features/notifications/deliver-channel';
import { channelJobKey } from '@/lib/features/notifications/deliveries';
import { pageJobKey, processPage } from '@/lib/features/notifications/process-page';
import type { JobDefinition } from '@/lib/queue/run-queue';

const done = { done: true } as const;

/** The background door: every job by name, with the shape of its payload. */
export const jobs = {
  'process-page': job({
    schema: z.object({ workspaceId: z.uuid(), pageId: z.string() }),
    key: pageJobKey,
    handler: processPage,
  }),
  'deliver-channel': job({
    schema: z.object({ channelId: z.string() }),
    key: ({ channelId }) => channelJobKey(channelId),
    handler: deliverChannel,
  }),
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
    key: ({ guildId }) => `leave-server:${guildId}`,
    handler: async ({ guildId }) => {
      await leaveServer(guildId);
      return done;
    },
  }),
  'revoke-notion-token': job({
    schema: z.object({ sealedTokens: z.string() }),
    key: ({ sealedTokens }) => `revoke-notion-token:${sealedTokens}`,
    handler: async ({ sealedTokens }) => {
      await revokeSealedToken(sealedTokens);
      return done;
    },
  }),
};

// Checks each definition against its own payload, then forgets it, so that they fit in one table.
function job<T>(definition: JobDefinition<T>): JobDefinition {
  return definition as JobDefinition<unknown>;
}
