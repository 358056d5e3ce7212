import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import type { AccountLinks } from './schema';

/** Requests that wait for a decision, oldest first, and the existing links. */
export async function listAccountLinks(account: Account): Promise<AccountLinks> {
  const where = { accountId: account.id };
  const [requests, links] = await Promise.all([
    db().linkRequest.findMany({ where: { ...where, declinedAt: null }, orderBy: { createdAt: 'asc' } }),
    db().accountLink.findMany({ where, orderBy: { linkedAt: 'asc' } }),
  ]);
  return {
    pendingRequests: requests.map((request) => ({
      id: request.id,
      discord_username: request.discordUsername,
      discord_display_name: request.discordDisplayName,
      created_at: request.createdAt.toISOString(),
    })),
    linkedAccounts: links.map((link) => ({
      id: link.id,
      discord_user_id: link.discordUserId,
      notion_display_name: link.notionDisplayName,
      linked_at: link.linkedAt.toISOString(),
    })),
  };
}
