import { Hono } from 'hono';
import { z } from 'zod';
import { addComment, commentsOf } from '../comment-edits';
import { invalid, notFound } from '../notion-error';
import type { Comment, Row } from '../notion-state';
import { richTextObjects } from '../rich-text';
import type { ApiEnv } from './api-env';
import { type Caller, toId } from './caller';
import { capabilitiesOf } from './capabilities';
import { pageOf, pagingOf } from './page-list';
import { toMinute } from './property-value';
import { storedRichText } from './property-write';
import { richTextSchema } from './property-write-schema';
import { readBody } from './request-body';

const MAX_CUSTOM_NAME = 100;

const createSchema = z
  .strictObject({
    parent: z.strictObject({ type: z.literal('page_id').optional(), page_id: z.string() }).optional(),
    discussion_id: z.string().optional(),
    rich_text: richTextSchema,
    display_name: z
      .union([
        z.strictObject({ type: z.enum(['integration', 'user']) }),
        z.strictObject({
          type: z.literal('custom'),
          custom: z.strictObject({ name: z.string().min(1).max(MAX_CUSTOM_NAME) }),
        }),
      ])
      .optional(),
  })
  .refine(({ parent, discussion_id }) => (parent === undefined) !== (discussion_id === undefined), {
    message: 'exactly one of parent and discussion_id should be defined',
  });

/** Comments: those of a page, one of them, and writing one. Suggested edits are not among them. */
export function commentRoutes(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  app.get('/comments', (c) => {
    const { caller } = c.var;
    const { block_id: blockId, ...paging } = c.req.query();
    if (!blockId) throw invalid('query failed validation: query.block_id should be defined.');
    const list = pageOf(commentsOf(caller.world, caller.requirePage(blockId)), pagingOf(paging));
    const results = list.results.map((each) => commentObject(caller, each));
    return c.json({ ...list, results, type: 'comment', comment: {} });
  });

  app.get('/comments/:id', (c) => {
    const { caller } = c.var;
    return c.json(commentObject(caller, requireComment(caller, c.req.param('id'))));
  });

  app.post('/comments', async (c) => {
    const { caller } = c.var;
    const body = await readBody(c, createSchema);
    const row = body.parent
      ? caller.requirePage(body.parent.page_id)
      : discussedPage(caller, body.discussion_id ?? '');
    const comment = addComment(caller.world, row, caller.author, {
      text: storedRichText(caller, body.rich_text),
      discussionId: body.discussion_id,
      customName:
        body.display_name && 'custom' in body.display_name ? body.display_name.custom.name : undefined,
    });
    const mayRead = capabilitiesOf(caller.world).includes('read_comments');
    return c.json(mayRead ? commentObject(caller, comment) : { object: 'comment', id: comment.id });
  });

  return app;
}

function requireComment(caller: Caller, given: string): Comment {
  const id = toId(given, 'comment_id');
  const comment = caller.world.state.comments?.[id];
  const row = comment && !comment.isSuggestion ? caller.world.row(comment.rowId) : undefined;
  if (!comment || !row || !caller.sees(caller.world.databaseOf(row))) throw notFound('comment', id);
  return comment;
}

function discussedPage(caller: Caller, discussionId: string): Row {
  const comments = Object.values(caller.world.state.comments ?? {});
  const found = comments.find((each) => each.discussionId === discussionId);
  if (!found) throw notFound('discussion', discussionId);
  return caller.requirePage(found.rowId);
}

function commentObject(caller: Caller, comment: Comment) {
  const isBot = comment.createdBy === caller.authorization.botId || comment.customName !== undefined;
  const author = caller.members.find((each) => each.id === comment.createdBy);
  return {
    object: 'comment',
    id: comment.id,
    parent: { type: 'page_id', page_id: comment.rowId },
    discussion_id: comment.discussionId,
    created_time: toMinute(comment.createdAt),
    last_edited_time: toMinute(comment.createdAt),
    created_by: { object: 'user', id: comment.createdBy },
    rich_text: richTextObjects(comment.text, caller.scene),
    display_name: {
      type: comment.customName === undefined ? (isBot ? 'integration' : 'user') : 'custom',
      resolved_name: comment.customName ?? author?.name ?? null,
    },
  };
}
