import { db } from '@/lib/db/database';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { OUTSIDE } from '../matching/snapshot';

/** What a card needs to know about a database. */
export interface CardDatabase {
  name: string;
  icon: string | null;
  /** The property that makes it a task database. */
  statusPropertyId: string | null;
}

interface Source {
  database: CardDatabase | null;
  page: { title: string; icon: string | null } | null;
}

/** The database of a page. For a page outside databases, the rule's source takes its place. */
export async function findCardDatabase(
  workspace: Pick<NotionWorkspace, 'id' | 'name'>,
  source: Source,
  { databaseId }: Page,
): Promise<CardDatabase> {
  const where = { workspaceId: workspace.id, id: databaseId ?? OUTSIDE };
  const database = source.database ?? (await db().notionDatabase.findFirst({ where }));
  const { title, icon } = source.page ?? { title: workspace.name, icon: null };
  if (!database) return { name: title, icon, statusPropertyId: null };
  return { name: database.name, icon: database.icon, statusPropertyId: database.statusPropertyId };
}
