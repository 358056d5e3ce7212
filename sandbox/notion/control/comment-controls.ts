import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import { addComment, commentsOf, deleteComment, withMentions } from '../comment-edits';
import type { RichText } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { authorOf, read, requireRow } from './control-request';

const schema = z.strictObject({
  page: z.string(),
  database: z.string().optional(),
  as: z.string().default('mira'),
  /** "@Name" mentions a person. */
  text: z.string().default(''),
  /** Other mentions to append, in the stored form of rich text. */
  items: z.array(z.unknown()).default([]),
  customName: z.string().optional(),
  isSuggestion: z.boolean().optional(),
});

/** Lets tests write and delete comments as a person would, and read those of a page. */
export function commentControls(world: NotionWorld): Hono {
  const app = new Hono();
  app.post('/', async (c) => {
    const { page, database, as, text, items, ...rest } = await read(c, schema);
    const row = requireRow(world, page, database);
    const written = withMentions(world, world.databaseOf(row), text);
    const comment = addComment(world, row, authorOf(world, as), {
      ...rest,
      text: [...written, ...(items as RichText[])],
    });
    return c.json(comment, 201);
  });
  app.get('/', (c) => {
    const { page = '', database } = c.req.query();
    return c.json(commentsOf(world, requireRow(world, page, database)));
  });
  app.delete('/:id', (c) => {
    const comment = world.state.comments?.[c.req.param('id')];
    if (!comment) throw new HTTPException(404, { message: 'No such comment.' });
    deleteComment(world, comment, { id: comment.createdBy, type: 'person' });
    return c.json({ ok: true });
  });
  return app;
}
