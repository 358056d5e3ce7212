import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import type { Author, Database, Row } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { titleOf } from '../simple-value';

/** The checked JSON of a control call; an unknown member is a mistake in the test and is refused. */
export async function read<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const result = schema.safeParse(await c.req.json().catch(() => ({})));
  if (!result.success) throw new Error(z.prettifyError(result.error));
  return result.data;
}

export function requireDatabase(world: NotionWorld, given: string): Database {
  const database = world.database(given);
  if (!database) throw new HTTPException(404, { message: `No database "${given}".` });
  return database;
}

/** A row by id, or by its exact title if only one row has it. */
export function requireRow(world: NotionWorld, given: string, databaseGiven?: string): Row {
  const byId = world.row(given);
  if (byId) return byId;
  const home = databaseGiven ? requireDatabase(world, databaseGiven) : undefined;
  const rows = Object.values(world.state.rows).filter(
    (row) =>
      (!home || row.dataSourceId === home.dataSourceId) && titleOf(world.databaseOf(row), row) === given,
  );
  const [row] = rows;
  if (!row) throw new HTTPException(404, { message: `No page "${given}".` });
  if (rows.length > 1)
    throw new Error(`${rows.length} pages are called "${given}": name the database or use the id.`);
  return row;
}

export function authorOf(world: NotionWorld, given: string): Author {
  const found = world.author(given);
  if (!found) throw new HTTPException(404, { message: `Nobody is called "${given}".` });
  return { id: found.id, type: found.role === 'bot' ? 'bot' : 'person' };
}
