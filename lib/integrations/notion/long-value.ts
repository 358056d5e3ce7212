import type { PropertyItemObjectResponse } from '@notionhq/client';
import { ListParts } from './list-parts';
import type { Page } from './notion-page';
import { notionCall, notionClient } from './notion-request';

const MAX_ITEMS = 1000;

/**
 * Replaces a truncated value of a page by all of it, up to a length that nobody reads, and waits for `afterCall` each
 * time that Notion has returned a part. Throws NotionError.
 */
export async function completeValue(
  accessToken: string,
  page: Page,
  propertyId: string,
  afterCall?: () => Promise<void>,
): Promise<void> {
  const value = page.values.get(propertyId);
  if (!value?.isCut) return;
  const { type, name } = value;
  const parts = new ListParts(type);
  const isList = await readItems(accessToken, page.id, propertyId, async (items) => {
    parts.add(items);
    await afterCall?.();
    return parts.count >= MAX_ITEMS;
  });
  if (isList) page.values.set(propertyId, { ...parts.toValue(), name });
}

/**
 * Passes the items of a long value to `take`, batch by batch, until it says that these are enough. Returns whether the
 * value consists of items. Throws NotionError.
 */
export async function readItems(
  accessToken: string,
  pageId: string,
  propertyId: string,
  take: (items: PropertyItemObjectResponse[]) => boolean | Promise<boolean>,
): Promise<boolean> {
  const client = notionClient(accessToken);
  let cursor: string | undefined;
  do {
    const start_cursor = cursor;
    const reply = await notionCall(() =>
      client.pages.properties.retrieve({ page_id: pageId, property_id: inPath(propertyId), start_cursor }),
    );
    if (reply.object !== 'list') return false;
    if (await take(reply.results)) return true;
    cursor = reply.next_cursor ?? undefined;
  } while (cursor);
  return true;
}

/**
 * A property's id for a path of Notion's client, which refuses any path with two dots in a row, although an id such as
 * `a..b` leads to no other place. An address is read without its tabs: https://url.spec.whatwg.org/#concept-basic-url-parser
 */
const inPath = (propertyId: string) => propertyId.replaceAll(/(\.|%2e)(?=\.|%2e)/gi, '$1\t');
