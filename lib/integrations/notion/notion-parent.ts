import { z } from 'zod';
import { notionIdSchema } from './notion-id';
import { NotionError, notionCall, notionClient } from './notion-request';

/** The kind of parent of a page, a block or a data source; `workspace` is the top, above which there is nothing. */
export type ParentKind = 'page' | 'block' | 'data_source' | 'workspace' | 'unknown';

export interface Parent {
  kind: ParentKind;
  /** Null at the top, and when it is not known. */
  id: string | null;
  /** The database that a data source is in, where Notion says so. */
  databaseId: string | null;
}

/** What can have a parent. */
export interface Node {
  kind: 'page' | 'block' | 'data_source';
  id: string;
}

const parentOf = (kind: ParentKind, id: string | null = null, databaseId: string | null = null): Parent => ({
  kind,
  id,
  databaseId,
});

export const UNKNOWN_PARENT = parentOf('unknown');

/** The `parent` of a page or a block. An agent's pages count as being at the top. */
export const parentSchema = z
  .union([
    z
      .object({ data_source_id: notionIdSchema, database_id: notionIdSchema.optional() })
      .transform((parent) => parentOf('data_source', parent.data_source_id, parent.database_id ?? null)),
    z.object({ page_id: notionIdSchema }).transform((parent) => parentOf('page', parent.page_id)),
    z.object({ block_id: notionIdSchema }).transform((parent) => parentOf('block', parent.block_id)),
    z.object({ workspace: z.literal(true) }).transform(() => parentOf('workspace')),
    z.object({ agent_id: z.string() }).transform(() => parentOf('workspace')),
  ])
  .catch(UNKNOWN_PARENT);

const blockSchema = z.object({ parent: parentSchema });
const dataSourceSchema = z.object({
  parent: z.object({ database_id: notionIdSchema.optional() }).catch({}),
  database_parent: parentSchema,
});

/**
 * The parent of a page or a block; for a data source, the parent of its database. Makes one call. Throws NotionError.
 */
export async function getParent(accessToken: string, { kind, id }: Node): Promise<Parent> {
  const client = notionClient(accessToken);
  if (kind === 'data_source') {
    const reply = await notionCall(() => client.dataSources.retrieve({ data_source_id: id }));
    const { data } = dataSourceSchema.safeParse(reply);
    if (!data) throw unreadable();
    return { ...data.database_parent, databaseId: data.parent.database_id ?? null };
  }
  const reply = await notionCall<unknown>(() =>
    kind === 'page'
      ? client.pages.retrieve({ page_id: id, filter_properties: ['title'] })
      : client.blocks.retrieve({ block_id: id }),
  );
  const { data } = blockSchema.safeParse(reply);
  if (!data) throw unreadable();
  return data.parent;
}

const unreadable = () =>
  new NotionError(200, 'unreadable_parent', 'Notion returned a parent of an unknown shape');
