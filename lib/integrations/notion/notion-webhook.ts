import { z } from 'zod';
import { isStorable } from '@/lib/storable';
import { notionIdSchema } from './notion-id';
import type { ParentKind } from './notion-parent';

const storable = z.string().min(1).max(100).refine(isStorable);
const storableId = notionIdSchema.refine(isStorable);
// A time outside this range cannot be that of something in Notion.
const [EARLIEST, LATEST] = [Date.UTC(2016), Date.UTC(2100)];
// No person's edit touches more entries.
const MAX_LIST = 1000;

// The types of authors who are not people.
const BOTS = ['bot', 'agent'];

const party = z.object({ id: storableId, type: z.string().catch('') });
const readable =
  <T extends z.ZodType>(item: T) =>
  (list: unknown[]) =>
    list.flatMap((each) => item.safeParse(each).data ?? []) as z.output<T>[];
const listOf = <T extends z.ZodType>(item: T) => z.array(z.unknown()).max(MAX_LIST).transform(readable(item));

const eventSchema = z.object({
  id: storable,
  type: storable,
  timestamp: z.iso.datetime({ offset: true }).refine((at) => isPlausible(Date.parse(at))),
  workspace_id: storableId,
  authors: listOf(party).catch([]),
  accessible_by: z.array(z.unknown()).nullish().catch(null),
  entity: z.object({ id: storableId, type: z.string() }),
  data: z
    .object({
      parent: z
        .object({
          data_source_id: storableId.optional(),
          id: storableId.optional().catch(undefined),
          type: z.string().optional().catch(undefined),
        })
        .catch({}),
      updated_properties: listOf(storable).catch([]),
      page_id: storableId.optional().catch(undefined),
    })
    .catch({ parent: {}, updated_properties: [] }),
});

const isPlausible = (at: number) => at >= EARLIEST && at < LATEST;

// https://developers.notion.com/reference/webhooks shows tokens of 43 letters and digits after the prefix, and promises
// nothing. These are the characters of any token: https://www.rfc-editor.org/rfc/rfc6750#section-2.1
const handshakeSchema = z.object({
  verification_token: z
    .string()
    .max(100)
    .regex(/^secret_[A-Za-z0-9._~+/=-]+$/),
});

/** Something happened to a page, or somebody commented on it. */
export interface NotionPageEvent {
  id: string;
  type: string;
  occurredAt: Date;
  notionWorkspaceId: string;
  /** Connections that can see the page; null when Notion does not say. */
  botIds: string[] | null;
  pageId: string;
  /** Null when Notion does not say, as for comments. */
  databaseId: string | null;
  /** The page's current parent; both are null when Notion does not say. */
  parentKind: ParentKind | null;
  parentId: string | null;
  /** The comment that was written; null for all other events. */
  commentId: string | null;
  authors: string[];
  /** The authors who are bots or agents. */
  botAuthors: string[];
  updatedProperties: string[];
}

/** Something happened to a database, or to a data source in it. */
export interface NotionDatabaseEvent {
  notionWorkspaceId: string;
  /** Connections that can see it; null when Notion does not say. */
  botIds: string[] | null;
  /** The data source; null when Notion names only the database that contains it. */
  databaseId: string | null;
  /** The data source, or the database that contains it. */
  entityId: string;
  type: string;
}

/** The token in the handshake of a new subscription; null for any other call, or a token of another form. */
export function handshakeToken(body: unknown): string | null {
  return handshakeSchema.safeParse(body).data?.verification_token ?? null;
}

// Notion also reports changed and deleted comments, which are ignored.
const COMMENTED = 'comment.created';

/** The page event in a webhook, or null when it is about something else or has an unknown shape. */
export function toPageEvent(body: unknown): NotionPageEvent | null {
  const parsed = eventSchema.safeParse(body);
  if (!parsed.success) return null;
  const { data: event } = parsed;
  const isComment = event.type === COMMENTED && event.entity.type === 'comment';
  const pageId = isComment ? event.data.page_id : event.entity.id;
  if (pageId === undefined || !(isComment || event.entity.type === 'page')) return null;
  return {
    id: event.id,
    type: event.type,
    occurredAt: new Date(event.timestamp),
    notionWorkspaceId: event.workspace_id,
    botIds: botIdsOf(event),
    pageId,
    commentId: isComment ? event.entity.id : null,
    databaseId: event.data.parent.data_source_id ?? null,
    ...(isComment ? { parentKind: null, parentId: null } : parentOf(event)),
    authors: event.authors.map(({ id }) => id),
    botAuthors: event.authors.filter(({ type }) => BOTS.includes(type)).map(({ id }) => id),
    updatedProperties: event.data.updated_properties,
  };
}

/** The database event in a webhook, or null when it is about something else or has an unknown shape. */
export function toDatabaseEvent(body: unknown): NotionDatabaseEvent | null {
  const { data: event } = eventSchema.safeParse(body);
  if (!event || !['data_source', 'database'].includes(event.entity.type)) return null;
  return {
    notionWorkspaceId: event.workspace_id,
    botIds: botIdsOf(event),
    databaseId: event.entity.type === 'data_source' ? event.entity.id : null,
    entityId: event.entity.id,
    type: event.type,
  };
}

// The parents above which there is nothing: the workspace, teamspaces and agents.
const TOPS = ['space', 'team', 'agent'];

function parentOf({
  data: { parent },
}: z.infer<typeof eventSchema>): Pick<NotionPageEvent, 'parentKind' | 'parentId'> {
  const { data_source_id, id = null, type = '' } = parent;
  if (data_source_id) return { parentKind: 'data_source', parentId: data_source_id };
  if (TOPS.includes(type)) return { parentKind: 'workspace', parentId: null };
  if (id && (type === 'page' || type === 'block')) return { parentKind: type, parentId: id };
  return { parentKind: null, parentId: null };
}

function botIdsOf({ accessible_by }: z.infer<typeof eventSchema>): string[] | null {
  if (!accessible_by) return null;
  const bots = readable(party)(accessible_by).filter(({ type }) => type === 'bot');
  // An empty list says that no connection can see it; one of people alone says nothing about connections.
  return bots.length > 0 || accessible_by.length === 0 ? bots.map(({ id }) => id) : null;
}
