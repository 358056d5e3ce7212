import { db } from '@/lib/db/database';
import type { Member } from '../tasks/member';

interface Assignee {
  notionUserId: string;
  discordUserId: string;
}

/** The Notion users to whom Discord users are linked, in the same order, or the Discord users who are not linked. */
export async function findAssignees(
  { accountId }: Member,
  discordUserIds: string[],
): Promise<{ people: Assignee[] } | { unlinked: string[] }> {
  const links = await db().accountLink.findMany({
    where: { accountId, discordUserId: { in: discordUserIds } },
  });
  const linkOf = (id: string) => links.find(({ discordUserId }) => discordUserId === id);
  const unlinked = discordUserIds.filter((id) => !linkOf(id));
  if (unlinked.length > 0) return { unlinked };
  const people = discordUserIds.map((id) => ({
    discordUserId: id,
    notionUserId: linkOf(id)?.notionUserId ?? '',
  }));
  return { people };
}
