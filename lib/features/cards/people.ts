import { db, Prisma, runStatement } from '@/lib/db/database';
import { inBatches } from '@/lib/queue/in-batches';

export type People = Map<string, { name: string; discordUserId: string | null }>;

interface Wanted {
  workspaceId: string;
  accountId: string;
  notionUserIds: string[];
}

const LARGEST_BATCH = 100;
const lookUp = inBatches(findPeople, LARGEST_BATCH);

/** Names and linked Discord users of Notion users; whoever the workspace does not list is absent. */
export async function listPeople(
  workspace: { id: string; accountId: string },
  notionUserIds: string[],
): Promise<People> {
  if (notionUserIds.length === 0) return new Map();
  return lookUp({ workspaceId: workspace.id, accountId: workspace.accountId, notionUserIds });
}

async function findPeople(wanted: Wanted[]): Promise<People[]> {
  const rows = await runStatement<{ place: number; id: string; name: string; discordUserId: string | null }>(
    Prisma.sql`
      select t.place, n.id, coalesce(u.name, l.notion_display_name) as name, l.discord_user_id as "discordUserId"
      from json_to_recordset(${JSON.stringify(wanted.map((one, place) => ({ place, ...one })))}::json)
        as t(place int, "workspaceId" uuid, "accountId" uuid, "notionUserIds" text[])
      cross join lateral unnest(t."notionUserIds") as n(id)
      left join lateral (
        select name from notion_user where workspace_id = t."workspaceId" and id = n.id limit 1) u on true
      left join lateral (
        select discord_user_id, notion_display_name from account_link
        where account_id = t."accountId" and notion_user_id = n.id limit 1) l on true
      where coalesce(u.name, l.notion_display_name) is not null`,
  );
  const people = wanted.map((): People => new Map());
  for (const { place, id, ...person } of rows) people[place]?.set(id, person);
  return people;
}

/** The Notion user that a Discord user is linked to, or null. */
export async function findByDiscordUser(
  { accountId }: { accountId: string },
  discordUserId: string,
): Promise<{ notionUserId: string; name: string } | null> {
  const link = await db().accountLink.findUnique({
    where: { accountId_discordUserId: { accountId, discordUserId } },
  });
  return link && { notionUserId: link.notionUserId, name: link.notionDisplayName };
}
