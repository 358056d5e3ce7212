import { z } from 'zod';
import { MAX_URL } from '@/lib/discord-text';

/**
 * The icon of a page or a data source: an emoji or the URL of a picture; null without one, and for an uploaded picture,
 * whose URL expires after an hour.
 */
export const iconSchema = z
  .union([
    z.object({ type: z.literal('emoji'), emoji: z.string() }).transform(({ emoji }) => emoji),
    z
      .object({ type: z.literal('external'), external: z.object({ url: z.url().max(MAX_URL) }) })
      .transform((i) => i.external.url),
  ])
  .transform((icon) => icon || null)
  .catch(null);
