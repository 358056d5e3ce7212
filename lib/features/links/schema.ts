import { z } from 'zod';

const linkRequestSchema = z.object({
  id: z.string(),
  discord_username: z.string(),
  discord_display_name: z.string().nullable(),
  created_at: z.string(),
});

const accountLinkSchema = z.object({
  id: z.string(),
  discord_user_id: z.string(),
  notion_display_name: z.string(),
  linked_at: z.string(),
});

/** GET /api/app/account-links */
export const accountLinksSchema = z.object({
  pendingRequests: z.array(linkRequestSchema),
  linkedAccounts: z.array(accountLinkSchema),
});

/** POST /api/app/account-links/approve/{requestId} */
export const approveLinkSchema = z.object({
  notionUserId: z
    .string({ error: 'Please select a Notion user' })
    .min(1, 'Please select a Notion user')
    .max(100),
});

export type AccountLinks = z.infer<typeof accountLinksSchema>;
export type LinkRequest = z.infer<typeof linkRequestSchema>;
export type AccountLink = z.infer<typeof accountLinkSchema>;
