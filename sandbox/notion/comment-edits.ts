import { randomUUID } from 'node:crypto';
import { capabilitiesOf } from './api/capabilities';
import type { Author, Comment, Database, RichText, Row } from './notion-state';
import type { NotionWorld } from './notion-world';
import { titleOf } from './simple-value';
import { webhookEvent } from './webhooks/webhook-event';

interface Given {
  text: RichText[];
  /** The discussion that it continues; absent for a new one. */
  discussionId?: string | undefined;
  customName?: string | undefined;
  isSuggestion?: boolean | undefined;
}

/** Adds a comment to a page. Its event is sent at once, without the text, to connections that may read comments. */
export function addComment(world: NotionWorld, row: Row, author: Author, given: Given): Comment {
  const { text, discussionId = randomUUID(), customName, isSuggestion = false } = given;
  const comment: Comment = {
    id: randomUUID(),
    discussionId,
    rowId: row.id,
    createdAt: world.now(),
    createdBy: author.id,
    text,
    ...(customName !== undefined && { customName }),
    isSuggestion,
  };
  world.state.comments = { ...world.state.comments, [comment.id]: comment };
  tell(world, row, { comment, author, type: 'comment.created' });
  return comment;
}

/** Deletes a comment with its text. */
export function deleteComment(world: NotionWorld, comment: Comment, author: Author): void {
  const { [comment.id]: _, ...rest } = world.state.comments ?? {};
  world.state.comments = rest;
  const row = world.row(comment.rowId);
  if (row) tell(world, row, { comment, author, type: 'comment.deleted' });
}

/** The open comments of a page, oldest first. */
export const commentsOf = (world: NotionWorld, row: Row): Comment[] =>
  Object.values(world.state.comments ?? {}).filter((each) => each.rowId === row.id && !each.isSuggestion);

/** A text in which "@Name" mentions that person. */
export function withMentions(world: NotionWorld, { workspaceId }: Database, text: string): RichText[] {
  const people = world.workspace(workspaceId).members;
  const parts = text.split(new RegExp(`(${people.map(({ name }) => `@${escaped(name)}`).join('|')})`));
  return parts.filter(Boolean).map((part): RichText => {
    const person = people.find(({ name }) => part === `@${name}`);
    return person ? { kind: 'user', id: person.id } : { kind: 'text', text: part, link: null };
  });
}

const escaped = (name: string) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function tell(
  world: NotionWorld,
  row: Row,
  { comment, author, type }: { comment: Comment; author: Author; type: string },
): void {
  const database = world.databaseOf(row);
  if (capabilitiesOf(world).includes('read_comments')) {
    world.state.events.push(
      ...webhookEvent(
        world,
        { workspaceId: database.workspaceId, bots: world.botsSeeing(database) },
        {
          title: titleOf(database, row) || 'Untitled',
          timestamp: world.now(),
          type,
          authors: [author],
          entity: { id: comment.id, type: 'comment' },
          data: { page_id: row.id, parent: { id: row.id, type: 'page' } },
        },
      ),
    );
  }
  world.save();
  world.wake();
}
