import type { Transaction } from '@/lib/db/database';

export type People = Map<string, { name: string; discordUserId: string | null }>;

/** Names and linked Discord users of Notion users; whoever the workspace does not list is absent. */
export async function listPeople(
  tx: Transaction,
  workspace: { id: string; accountId: string },
  notionUserIds: string[],
): Promise<People> {
  if (notionUserIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string; name: string; discord_user_id: string | null }[]>`
    select wanted.id, coalesce(u.name, l.notion_display_name) as name, l.discord_user_id
    from unnest(${notionUserIds}::text[]) as wanted(id)
    left join notion_user u on u.workspace_id = ${workspace.id}::uuid and u.id = wanted.id
    left join account_link l on l.account_id = ${workspace.accountId}::uuid and l.notion_user_id = wanted.id
    where coalesce(u.name, l.notion_display_name) is not null`;
  return new Map(rows.map((row) => [row.id, { name: row.name, discordUserId: row.discord_user_id }]));
}

/** The Notion user that a Discord user is linked to, or null. */
export async function findByDiscordUser(
  tx: Transaction,
  { accountId }: { accountId: string },
  discordUserId: string,
): Promise<{ notionUserId: string; name: string } | null> {
  const link = await tx.accountLink.findUnique({
    where: { accountId_discordUserId: { accountId, discordUserId } },
  });
  return link && { notionUserId: link.notionUserId, name: link.notionDisplayName };
}
