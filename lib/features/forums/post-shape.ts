import { texts } from '@/lib/bot-texts';
import { type ForumTag, tagsNamed } from '@/lib/integrations/discord/discord-forums';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { MAX_THREAD_NAME } from '@/lib/integrations/discord/discord-threads';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { labelWords } from '../cards/line-text';
import { postsInForum } from '../matching/kept-cards';
import type { RuleTerms } from '../matching/schema';
import { completeOptionIds, statusPropertyOf } from '../workspaces/database-schema';

/** A post without its first message. */
export interface PostShape {
  name: string;
  /** The names of its tags; those that the forum does not have are left out. */
  tags: string[];
  isClosed: boolean;
  /** The page whose living card it is; null for a post that tells of several. */
  pageId: string | null;
}

/** A message; in a forum with the post that it begins, or that it brings up to date with its page. */
export type PostBody = MessageBody & { post?: PostShape };

/** What a post needs to know of a rule and its database. */
export interface PostingRule extends Pick<RuleTerms, 'destination'> {
  database: {
    statusPropertyId: string | null;
    /** The schema of the status, the property that gives the tags, and the date to remind of; absent without a forum. */
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

/**
 * The ids of the tags that a post gets of these, up to what it can have. A post that tells of several pages has none of
 * its own; where every post needs one, it gets the first, because it would not be posted otherwise.
 */
export function tagsFor({ tags, pageId }: PostShape, known: ForumTag[], needsTag: boolean): string[] {
  const named = tagsNamed(known, tags);
  if (named.length > 0 || !needsTag || pageId !== null) return named;
  return known.slice(0, 1).map(({ id }) => id);
}

/** What the thread or the post of a page is called. */
export const postName = (title: string) => labelWords(title, MAX_THREAD_NAME) || texts.untitled;

/** Makes a message about several pages a post of its own, if the rule posts in a forum. */
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
