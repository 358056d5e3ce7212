import { db } from '@/lib/db/database';
import type { Account, AccountLink } from '@/lib/db/generated/client';
import { avatarUrl } from '@/lib/integrations/discord/discord-cdn';
import type { AccountLinks } from './schema';

/** Requests that wait for a decision, oldest first, and the existing links. */
export async function listAccountLinks(account: Account): Promise<AccountLinks> {
  const where = { accountId: account.id };
  const [requests, links, users] = await Promise.all([
    db().linkRequest.findMany({ where: { ...where, declinedAt: null }, orderBy: { createdAt: 'asc' } }),
    db().accountLink.findMany({ where, orderBy: { linkedAt: 'asc' } }),
    db().notionUser.findMany({ where: { workspace: where, avatarUrl: { not: null } } }),
  ]);
  const notionPictures = new Map(users.map(({ id, avatarUrl }) => [id, avatarUrl]));
  return {
    pendingRequests: requests.map((request) => ({
      id: request.id,
      discord_username: request.discordUsername,
      discord_display_name: request.discordDisplayName,
      discord_avatar_url: avatarUrl(request.discordUserId, request.discordAvatar),
      created_at: request.createdAt.toISOString(),
    })),
    linkedAccounts: links.map((link) => ({
      id: link.id,
      discord_user_id: link.discordUserId,
      ...discordProfile(account, link),
      notion_display_name: link.notionDisplayName,
      notion_avatar_url: notionPictures.get(link.notionUserId) ?? null,
      linked_at: link.linkedAt.toISOString(),
      notify: link.notify,
      inbox_problem: link.inboxProblem,
    })),
  };
}

/** The names and the picture of a linked person; for the account holder, those of their sign-in. */
function discordProfile(account: Account, link: AccountLink) {
  const isHolder = link.discordUserId === account.discordUserId;
  return {
    discord_username: isHolder ? account.discordUsername : link.discordUsername,
    discord_display_name: isHolder ? null : link.discordDisplayName,
    discord_avatar_url: isHolder ? account.picture : avatarUrl(link.discordUserId, link.discordAvatar),
  };
}
