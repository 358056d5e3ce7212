import { db } from '@/lib/db/database';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import { statusPropertyOf } from '../workspaces/database-schema';

/** The status property of a database of a workspace; null when it has none, or is not shared. */
export async function findStatus(workspaceId: string, id: string): Promise<SchemaProperty | null> {
  const database = await db().notionDatabase.findFirst({ where: { workspaceId, id, isShared: true } });
  return (database && statusPropertyOf(database)) ?? null;
}
