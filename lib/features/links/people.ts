import { db, Prisma, runStatement } from '@/lib/db/database';
import { UNNAMED_PERSON } from '@/lib/integrations/notion/notion-catalog';
import { inBatches } from '@/lib/queue/in-batches';
import { UNNAMED_INSTALLER } from './name-installer';

/** A Notion user, with their Discord user if they are linked. */
export interface Person {
  name: string;
  discordUserId: string | null;
}

export type People = Map<string, Person>;

/** People who were looked up before; null for somebody whom the workspace does not list. */
export type KnownPeople = Map<string, Person | null>;

/** Joins the workspace's entry `n` and the account's link `k` to Notion users `p`, by their `id`. */
export const personSql = ({
  workspaceId,
  accountId,
}: Record<'workspaceId' | 'accountId', Prisma.Sql>) => Prisma.sql`
      left join lateral (
        select name from notion_user where workspace_id = ${workspaceId} and id = p.id limit 1) n on true
      left join lateral (
        select discord_user_id, notion_display_name from account_link
        where account_id = ${accountId} and notion_user_id = p.id limit 1) k on true`;

/** The name of a person that `personSql` joins; null for somebody whom the workspace does not list. */
export const PERSON_NAME = Prisma.sql`coalesce(n.name, k.notion_display_name)`;

interface Wanted {
  workspaceId: string;
  accountId: string;
  notionUserIds: string[];
}

const LARGEST_BATCH = 100;
const lookUp = inBatches(findPeople, LARGEST_BATCH);

/**
 * Names and linked Discord users of Notion users, without those whom the workspace does not list. Asks the database
 * only if somebody is not among the `known` people.
 */
export async function listPeople(
  { id, accountId, known }: { id: string; accountId: string; known?: KnownPeople },
  notionUserIds: string[],
): Promise<People> {
  if (notionUserIds.every((each) => known?.has(each))) {
    return new Map(
      notionUserIds.flatMap((each) => {
        const person = known?.get(each);
        return person ? [[each, person]] : [];
      }),
    );
  }
  return lookUp({ workspaceId: id, accountId, notionUserIds });
}

async function findPeople(wanted: Wanted[]): Promise<People[]> {
  const rows = await runStatement<{ nr: number; id: string } & Person>(
    Prisma.sql`
      select t.nr, p.id, ${PERSON_NAME} as name, k.discord_user_id as "discordUserId"
      from json_to_recordset(${JSON.stringify(wanted.map((one, nr) => ({ nr, ...one })))}::json)
        as t(nr int, "workspaceId" uuid, "accountId" uuid, "notionUserIds" text[])
      cross join lateral unnest(t."notionUserIds") as p(id)
      ${personSql({ workspaceId: Prisma.sql`t."workspaceId"`, accountId: Prisma.sql`t."accountId"` })}
      where ${PERSON_NAME} is not null`,
  );
  const people = wanted.map((): People => new Map());
  for (const { nr, id, ...person } of rows) people[nr]?.set(id, person);
  return people;
}

const STAND_INS = [UNNAMED_PERSON, UNNAMED_INSTALLER];

/** The Notion user that a Discord user is linked to, or null. The name is empty if Notion has given none. */
export async function findByDiscordUser(
  { accountId }: { accountId: string },
  discordUserId: string,
): Promise<{ notionUserId: string; name: string } | null> {
  const link = await db().accountLink.findUnique({
    where: { accountId_discordUserId: { accountId, discordUserId } },
  });
  if (!link) return null;
  const { notionUserId, notionDisplayName } = link;
  return { notionUserId, name: STAND_INS.includes(notionDisplayName) ? '' : notionDisplayName };
}
