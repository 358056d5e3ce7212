import { z } from 'zod';
import { notionIdSchema } from '@/lib/integrations/notion/notion-id';

const linkRequestSchema = z.object({
  id: z.string(),
  discord_username: z.string(),
  discord_display_name: z.string().nullable(),
  discord_avatar_url: z.string().nullable(),
  created_at: z.string(),
});

const accountLinkSchema = z.object({
  id: z.string(),
  discord_user_id: z.string(),
  /** Null for somebody who was linked before their names were kept. */
  discord_username: z.string().nullable(),
  discord_display_name: z.string().nullable(),
  discord_avatar_url: z.string().nullable(),
  notion_display_name: z.string(),
  notion_avatar_url: z.string().nullable(),
  linked_at: z.string(),
  /** Which direct messages about pages they get. */
  notify: z.enum(['off', 'on', 'digest']),
  /** Why Discord refuses direct messages to them, in words; null while it does not. */
  inbox_problem: z.string().nullable(),
});

/** GET /api/app/account-links */
export const accountLinksSchema = z.object({
  pendingRequests: z.array(linkRequestSchema),
  linkedAccounts: z.array(accountLinkSchema),
});

const NOBODY_CHOSEN = 'notionUserId: Please select a Notion user';

/** POST /api/app/account-links/approve/{requestId} */
export const approveLinkSchema = z.object({
  notionUserId: z.string({ error: NOBODY_CHOSEN }).min(1, NOBODY_CHOSEN).max(100).pipe(notionIdSchema),
});

export type AccountLinks = z.infer<typeof accountLinksSchema>;
export type LinkRequest = z.infer<typeof linkRequestSchema>;
export type AccountLink = z.infer<typeof accountLinkSchema>;
