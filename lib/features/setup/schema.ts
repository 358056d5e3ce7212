import { z } from 'zod';
import { publicWaySchema } from '../servers/schema';

/** GET /api/app/setup/status */
export const setupStatusSchema = z.object({
  needsSetup: z.boolean(),
  discord: z.object({
    connected: z.boolean(),
    serversCount: z.number(),
    servers: z.array(
      z.object({
        id: z.string(),
        guildId: z.string(),
        serverName: z.string().nullable(),
        /** Ways by which anybody can join, as far as Discord shows them. */
        publicWays: z.array(publicWaySchema),
      }),
    ),
  }),
  notion: z.object({ connected: z.boolean() }),
  workspaces: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
});

/** POST /api/app/setup/connect-notion. `returnTo` is a path of this origin. */
export const connectNotionSchema = z.object({
  returnTo: z
    .string()
    .max(500)
    .regex(/^\/(?![/\\])[^\\\s]*$/, 'returnTo must be a path of this site')
    .default('/setup'),
});

export type SetupStatus = z.infer<typeof setupStatusSchema>;

/** The codes with which an OAuth flow may land on /setup?error=… */
export type SetupErrorCode =
  | 'oauth_failed'
  | 'missing_parameters'
  | 'invalid_state'
  | 'token_exchange_failed'
  | 'user_fetch_failed'
  | 'internal_error';
