import { texts } from '@/lib/bot-texts';
import { fitPlain } from '@/lib/discord-text';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { THREAD_NAME_MAX } from '@/lib/integrations/discord/discord-threads';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { completeOptionIds, statusPropertyOf } from '../connections/status-property';
import { postsInForum } from '../matching/kept-cards';
import type { RuleTerms } from '../matching/schema';

/** What a post is besides its first message. */
export interface PostShape {
  name: string;
  /** What its tags are called, as far as the forum has them. */
  tags: string[];
  isClosed: boolean;
  /** The page whose living card it is; null for a post that tells of several. */
  pageId: string | null;
}

/** A message; in a forum with the post that it is the first of, or that it keeps as the page is. */
export type PostBody = MessageBody & { post?: PostShape };

/** What a post needs to know of a rule and its database. */
export interface PostingRule extends Pick<RuleTerms, 'destination'> {
  database: {
    statusPropertyId: string | null;
    /** The schema of its status and of what gives the tag; absent where it has none. */
    ofPosts?: SchemaProperty[] | null;
  };
}

/** The post of a page as it is now; undefined for a rule that posts in no forum. */
export function buildPost({ destination, database }: PostingRule, page: Page): PostShape | undefined {
  if (destination.kind !== 'forum') return undefined;
  const schema = database.ofPosts ?? [];
  const status = statusPropertyOf({ ...database, properties: schema });
  const optionId = page.values.get(database.statusPropertyId ?? '')?.optionId;
  return {
    name: postName(page.title),
    tags: tagsOf(destination.tagPropertyId, schema, page),
    isClosed: optionId !== undefined && status !== undefined && completeOptionIds(status).includes(optionId),
    pageId: page.id,
  };
}

function tagsOf(propertyId: string | undefined, schema: SchemaProperty[], page: Page): string[] {
  const value = propertyId === undefined ? undefined : page.values.get(propertyId);
  if (!value || value.text === '') return [];
  const ids = value.ids ?? (value.optionId ? [value.optionId] : []);
  const options = schema.find(({ id }) => id === propertyId)?.options ?? [];
  const names = ids.flatMap((id) => options.find((option) => option.id === id)?.name ?? []);
  // An option that is new in Notion is not in the schema yet.
  return names.length > 0 || value.ids ? names : [value.text];
}

/** What the thread or the post of a page is called. */
export const postName = (title: string) =>
  fitPlain(title.replace(/\s+/g, ' ').trim(), THREAD_NAME_MAX) || texts.untitled;

/** A message that tells of several pages; in a forum it is a post of its own. */
export function postOfSeveral(
  rule: Pick<RuleTerms, 'destination'>,
  sourceName: string,
  message: MessageBody,
): PostBody {
  if (!postsInForum(rule)) return message;
  return {
    ...message,
    post: { name: postName(texts.postOf(sourceName)), tags: [], isClosed: false, pageId: null },
  };
}
