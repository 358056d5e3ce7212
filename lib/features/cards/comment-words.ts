import type { Comment } from '@/lib/integrations/notion/notion-comment';
import type { PropertyChange } from '../matching/match';

/** A comment as it is shown. */
export interface ShownComment {
  /** Who wrote it: a Notion user, or the name that a connection gave. */
  author: { notionUserId: string; name: string } | null;
  /** The text as it was written, with the names of the people whom it mentions. */
  text: string;
  /** How many files are attached. */
  files: number;
}

// The id of an author whose name was given by a connection. No Notion user has it, so the author is nobody else.
const GIVEN = 'given-name';

/** The Notion users whose names a comment needs. */
export const peopleIn = ({ authorId, parts }: Comment): string[] => [
  ...new Set([...(authorId ? [authorId] : []), ...parts.flatMap(({ userId }) => userId ?? [])]),
];

/** A comment with the names of the people in it, as far as they are known. */
export function wordComment(
  { authorId, authorName, isNameGiven, parts, files }: Comment,
  people: ReadonlyMap<string, { name: string }>,
): ShownComment {
  const words = parts.map(({ text, userId }) => {
    const name = userId && people.get(userId)?.name;
    return name ? `@${name}` : text;
  });
  const isKnown = authorName !== null || (authorId !== null && people.has(authorId));
  const notionUserId = isNameGiven && authorName ? GIVEN : (authorId ?? GIVEN);
  return {
    author: isKnown ? { notionUserId, name: authorName ?? '' } : null,
    text: words.join(''),
    files,
  };
}

/** A comment as the log shows it. */
export function commentAsChange({ text, files }: ShownComment): PropertyChange {
  const shown = text.trim() || (files === 1 ? '1 file' : `${files} files`);
  return {
    propertyId: 'comment',
    name: 'Comment',
    before: null,
    after: { type: 'rich_text', key: shown, text: shown },
  };
}
