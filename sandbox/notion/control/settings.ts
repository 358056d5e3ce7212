import { z } from 'zod';
import { CAPABILITIES } from '../notion-state';
import type { NotionWorld } from '../notion-world';

const milliseconds = z.int().min(0);

export const settingsSchema = z.strictObject({
  aggregationMs: milliseconds.optional(),
  retryBaseMs: milliseconds.optional(),
  webhooksPaused: z.boolean().optional(),
  queryRowLimit: z.int().min(1).max(10_000).optional(),
  repeatsEntries: z.boolean().optional(),
  partialSearch: z.boolean().optional(),
  replaced: z.record(z.string(), z.unknown()).optional(),
  partialOwner: z.boolean().optional(),
  plainIds: z.boolean().optional(),
  refuseTrashQueries: z.boolean().optional(),
  rateLimit: z
    .strictObject({
      enabled: z.boolean().optional(),
      limit: z.int().min(0).optional(),
      windowMs: z.int().min(1).optional(),
    })
    .optional(),
  indexDelayMs: milliseconds.optional(),
  titleEvents: z.enum(['properties', 'content']).optional(),
  userInformation: z.enum(['with_email', 'without_email', 'none']).optional(),
  keepReplacedTokens: z.boolean().optional(),
  returnActiveToken: z.boolean().optional(),
  capabilities: z.array(z.enum(CAPABILITIES)).optional(),
  version: z.iso.date().optional(),
});

/** Changes the given settings and keeps the others. */
export function applySettings(world: NotionWorld, given: z.infer<typeof settingsSchema>): void {
  const { rateLimit, ...plain } = given;
  Object.assign(world.settings, plain);
  Object.assign(world.settings.rateLimit, rateLimit ?? {});
  world.save();
}
