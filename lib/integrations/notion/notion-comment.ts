import { z } from 'zod';
import { DAY_LENGTH, dayInWords, toMinute } from '@/lib/time';
import { beginningOf } from './bounded-value';
import { notionIdSchema } from './notion-id';
import { NotionError, notionCall, notionClient } from './notion-request';
import { readAll } from './read-batch';
import { toRichText } from './rich-text';

// More than anybody reads in a card, and Notion's limit for a comment that is written through the API.
const MAX_PARTS = 100;

const userMention = z.object({ user: z.object({ id: notionIdSchema }) });
const dateMention = z.object({ date: z.object({ start: z.string(), end: z.string().nullish() }) });

const partSchema = z.object({
  plain_text: z.string().catch(''),
  mention: z.union([userMention, dateMention]).optional().catch(undefined),
});

const commentSchema = z.object({
  id: notionIdSchema,
  created_by: z.object({ id: notionIdSchema }).optional().catch(undefined),
  rich_text: z.array(partSchema),
  display_name: z
    .object({ type: z.string(), resolved_name: z.string().nullish() })
    .optional()
    .catch(undefined),
  attachments: z.array(z.unknown()).catch([]),
});

/** A part of a comment's text; for a mention of a person also their id. */
interface CommentPart {
  text: string;
  userId?: string;
}

export interface Comment {
  id: string;
  /** The Notion user who wrote it; null when Notion does not say. */
  authorId: string | null;
  /** The name that Notion shows; null when it has none. */
  authorName: string | null;
  /** Whether a connection gave this name, instead of the author's own. */
  isNameGiven: boolean;
  parts: CommentPart[];
  /** How many files are attached. */
  files: number;
}

/** Reads one comment. A suggested edit is not found, or has no text. Throws NotionError. */
export async function getComment(accessToken: string, commentId: string): Promise<Comment> {
  const raw = await notionCall(() => notionClient(accessToken).comments.retrieve({ comment_id: commentId }));
  const { data: comment } = commentSchema.safeParse(raw);
  if (!comment) throw unreadable();
  const { display_name: name } = comment;
  return {
    id: comment.id,
    authorId: comment.created_by?.id ?? null,
    authorName: beginningOf(name?.resolved_name ?? '') || null,
    isNameGiven: name !== undefined && name.type !== 'user',
    parts: comment.rich_text.slice(0, MAX_PARTS).map(toPart),
    files: comment.attachments.length,
  };
}

const unreadable = () =>
  new NotionError(200, 'unreadable_comment', 'Notion returned a comment of an unknown shape');

function toPart({ plain_text: plain, mention }: z.infer<typeof partSchema>): CommentPart {
  if (mention && 'user' in mention) return { text: beginningOf(plain), userId: mention.user.id };
  if (!mention) return { text: beginningOf(plain) };
  const { start, end } = mention.date;
  return { text: [start, ...(end ? [end] : [])].map(momentInWords).join(' → ') };
}

const MINUTES_LENGTH = '2026-11-24T15:30'.length;

/** A date, and the time if there is one, in the time zone in which it was written. */
function momentInWords(iso: string): string {
  const day = dayInWords(iso.slice(0, DAY_LENGTH));
  return iso.length < MINUTES_LENGTH ? day : `${day}, ${iso.slice(DAY_LENGTH + 1, MINUTES_LENGTH)}`;
}

export interface NewComment {
  pageId: string;
  text: string;
  /** Shown as the author, in place of the connection's name. */
  name: string;
}

/**
 * Comments on a page. Returns the comment's id. Notion has no idempotency key: after a transient error the comment may
 * exist nevertheless, and `committedId` names it if Notion says so. Throws NotionError.
 */
export async function createComment(
  accessToken: string,
  { pageId, text, name }: NewComment,
): Promise<string> {
  const raw = await notionCall(() =>
    notionClient(accessToken).comments.create({
      parent: { page_id: pageId },
      rich_text: toRichText(text),
      display_name: { type: 'custom', custom: { name } },
    }),
  );
  const { data: made } = commentSchema.pick({ id: true }).safeParse(raw);
  if (!made) throw unreadable();
  return made.id;
}

const listedSchema = commentSchema.extend({
  // A suggested edit has no text.
  rich_text: commentSchema.shape.rich_text.catch([]),
  created_time: z.coerce.date(),
});

/**
 * The ids of the open comments on a page that a Notion user made since a time, with this text and name, newest first.
 * Throws NotionError.
 */
export async function findComments(
  accessToken: string,
  { pageId, text, name }: NewComment,
  { authorId, since }: { authorId: string; since: Date },
): Promise<string[]> {
  const client = notionClient(accessToken);
  // Notion rounds creation times down to the minute.
  const minute = toMinute(since.getTime()).getTime();
  const listed = await readAll(
    (start_cursor, page_size) => client.comments.list({ block_id: pageId, start_cursor, page_size }),
    listedSchema,
  );
  const isWanted = (comment: (typeof listed)[number]) =>
    comment.created_by?.id === authorId &&
    comment.display_name?.resolved_name === name &&
    comment.created_time.getTime() >= minute &&
    comment.rich_text.map(({ plain_text }) => plain_text).join('') === text;
  return listed
    .filter(isWanted)
    .map(({ id }) => id)
    .reverse();
}

/**
 * Whether the connection may read comments: asks for those of any page that it sees. Null when it sees none. Throws
 * NotionError.
 */
export async function mayReadComments(accessToken: string): Promise<boolean | null> {
  const client = notionClient(accessToken);
  const found = await notionCall(() =>
    client.search({ filter: { property: 'object', value: 'page' }, page_size: 1 }),
  );
  const [page] = found.results;
  if (!page) return null;
  try {
    await notionCall(() => client.comments.list({ block_id: page.id, page_size: 1 }));
    return true;
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    if (error.isForbidden) return false;
    // The page has gone since it was found, so the capability is not what is missing.
    if (error.isGone) return true;
    throw error;
  }
}
