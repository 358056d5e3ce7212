import type { CreatePageParameters, UpdatePageParameters } from '@notionhq/client';
import { toMinute } from '@/lib/time';
import { readItems } from './long-value';
import { notionIdSchema } from './notion-id';
import { type Page, toPage, toPages } from './notion-page';
import { notionCall, notionClient } from './notion-request';
import { readFirst } from './read-batch';
import { toRichText } from './rich-text';

// A page lists at most this many people of a property; reading all of them takes another call.
const PEOPLE_IN_PAGE = 25;
const MAX_PEOPLE = 100;
const MAX_CREATED = 100;

type PropertyWrites = NonNullable<UpdatePageParameters['properties']>;

export interface NewPage {
  databaseId: string;
  /** By property id, in Notion's format. */
  properties: PropertyWrites;
  /** Paragraphs of the page's body; a link stands alone in its paragraph. */
  body: { text: string; link?: string }[];
}

/**
 * Creates a page. Notion has no idempotency key: after a transient error the page may exist nevertheless, and
 * `committedId` names it if Notion says so. Throws NotionError.
 */
export async function createPage(accessToken: string, page: NewPage): Promise<Page> {
  const parameters = {
    parent: { data_source_id: page.databaseId },
    properties: page.properties,
    children: page.body.flatMap(({ text, link }) => toParagraphs(text, link)),
  } as CreatePageParameters;
  return toPage(await notionCall(() => notionClient(accessToken).pages.create(parameters)));
}

/** Writes properties of a page. Returns the page as it is afterwards. Throws NotionError. */
export async function updatePage(
  accessToken: string,
  pageId: string,
  properties: PropertyWrites,
): Promise<Page> {
  return toPage(
    await notionCall(() => notionClient(accessToken).pages.update({ page_id: pageId, properties })),
  );
}

/** The pages of a database that were created since a time, newest first: at most a hundred. Throws NotionError. */
export async function listPagesCreatedSince(
  accessToken: string,
  databaseId: string,
  since: Date,
): Promise<Page[]> {
  // Notion rounds creation times down to the minute.
  const minute = toMinute(since.getTime()).toISOString();
  const { results } = await readFirst(MAX_CREATED, (start_cursor, batch) =>
    notionClient(accessToken).dataSources.query({
      data_source_id: databaseId,
      filter: { timestamp: 'created_time', created_time: { on_or_after: minute } },
      sorts: [{ timestamp: 'created_time', direction: 'descending' }],
      start_cursor,
      ...batch,
    }),
  );
  return toPages(results);
}

/** Somebody in a people property, in the form in which Notion takes it back; without `object`, a person. */
export interface Assigned {
  id: string;
  object?: 'group';
}

const assigned = (id: string, isGroup: boolean): Assigned => (isGroup ? { id, object: 'group' } : { id });

/**
 * Everybody in a people property, including those beyond the first few that the page itself lists. Throws NotionError.
 */
export async function listPeopleOf(accessToken: string, page: Page, propertyId: string): Promise<Assigned[]> {
  const { userIds = [], groupIds = [] } = page.values.get(propertyId) ?? {};
  const named = userIds.map((id) => assigned(id, groupIds.includes(id)));
  if (named.length < PEOPLE_IN_PAGE) return named;
  const all: Assigned[] = [];
  const isList = await readItems(accessToken, page.id, propertyId, (items) => {
    const people = items.flatMap((item) => (item.type === 'people' ? [item.people] : []));
    // The client's types leave out that an item may be a group.
    all.push(
      ...people.map(({ id, object }: { id: string; object: string }) =>
        assigned(notionIdSchema.parse(id), object === 'group'),
      ),
    );
    return all.length >= MAX_PEOPLE;
  });
  return isList ? all : named;
}

function toParagraphs(text: string, link?: string) {
  const rich_text = toRichText(text, link);
  if (rich_text.length === 0) return [];
  return [{ object: 'block' as const, type: 'paragraph' as const, paragraph: { rich_text } }];
}
