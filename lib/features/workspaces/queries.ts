import { db, type Transaction } from '@/lib/db/database';
import type { Account, NotionWorkspace } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { notionProblem } from './notion-problem';
import { refreshDatabase } from './refresh-database';
import type { Property } from './schema';

interface Wanted {
  accountId: string;
  /** The id of the required workspace; absent for any that the account has. */
  id?: string;
}

/** The workspace that an account has connected. Throws `not_connected`. */
export async function requireWorkspace(client: Transaction, wanted: Wanted): Promise<NotionWorkspace> {
  const workspace = await client.notionWorkspace.findFirst({ where: wanted });
  if (!workspace) throw new AppError('not_connected', 'No Notion workspace is connected.');
  return workspace;
}

/** The properties of a database as they are now. Throws `not_found` for a database that is not shared with us. */
export async function listProperties(
  account: Account,
  databaseId: string,
): Promise<{ properties: Property[] }> {
  const workspace = await db().notionWorkspace.findFirst({ where: { accountId: account.id } });
  if (!workspace) throw new AppError('not_found', 'No such database.');
  const database = await refreshDatabase(workspace, databaseId).catch((error) => {
    throw notionProblem(error, 'No such database.');
  });
  return {
    properties: database.properties.map(({ id, name, type, options, unit }) => ({
      id,
      name,
      type,
      options,
      ...(unit && { unit }),
      isStatus: id === database.statusPropertyId,
    })),
  };
}
