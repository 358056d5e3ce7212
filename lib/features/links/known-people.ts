import { db } from '@/lib/db/database';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';

/** Somebody in a workspace. */
export interface KnownPerson {
  id: string;
  name: string;
}

/**
 * The people of a workspace whom a rule can name: those that Notion lists, guests named in rules, and linked people.
 */
export async function listKnownPeople({
  id,
  accountId,
}: Pick<NotionWorkspace, 'id' | 'accountId'>): Promise<KnownPerson[]> {
  const [users, links] = await Promise.all([
    db().notionUser.findMany({ where: { workspaceId: id }, select: { id: true, name: true } }),
    db().accountLink.findMany({ where: { accountId } }),
  ]);
  const linked = links.map(({ notionUserId, notionDisplayName }) => ({
    id: notionUserId,
    name: notionDisplayName,
  }));
  return [...new Map([...linked, ...users].map((person) => [person.id, person])).values()];
}

/** Throws `invalid_input` when a rule names somebody who is not in the workspace. */
export function requireKnownPeople(
  workspace: Pick<NotionWorkspace, 'name'>,
  { people }: { people: string[] },
  known: KnownPerson[],
): void {
  const unknown = people.find((person) => !known.some(({ id }) => id === person));
  if (unknown === undefined) return;
  throw new AppError(
    'invalid_input',
    `authors.people: ${workspace.name} has nobody with the id "${unknown}".`,
  );
}
