import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import type { Authorization } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { read, requireDatabase } from './control-request';

const person = z.string();

/** Who has connected, and what a person can do about that in Notion without the application being told. */
export function sharingRoutes(world: NotionWorld): Hono {
  const app = new Hono();

  app.get('/', (c) =>
    c.json(
      world.state.authorizations.map(({ botId, workspaceId, personId, shared, tokens }) => ({
        botId,
        workspaceId,
        personId,
        databases: Object.keys(shared),
        isActive: tokens.some((pair) => pair.accessActive || pair.refreshActive),
        activeTokens: tokens.filter((pair) => pair.accessActive).length,
      })),
    ),
  );

  /** Removes the connection: its tokens stop working. `expire` spares the refresh token. */
  app.post('/revoke', async (c) => {
    const body = await read(c, z.strictObject({ person, expire: z.boolean().default(false) }));
    for (const pair of requireAuthorization(world, body.person).tokens) {
      pair.accessActive = false;
      pair.refreshActive = pair.refreshActive && body.expire;
    }
    world.save();
    return c.json({ ok: true });
  });

  app.post('/share', async (c) => {
    const body = await read(c, z.strictObject({ person, database: z.string() }));
    const database = requireDatabase(world, body.database);
    requireAuthorization(world, body.person).shared[database.id] = world.now();
    world.save();
    return c.json({ ok: true });
  });

  /** Unshares a database from one person's connection, or from all if no person is named. */
  app.post('/unshare', async (c) => {
    const body = await read(c, z.strictObject({ person: person.optional(), database: z.string() }));
    const database = requireDatabase(world, body.database);
    const from = body.person ? [requireAuthorization(world, body.person)] : world.state.authorizations;
    for (const authorization of from) delete authorization.shared[database.id];
    world.save();
    return c.json({ ok: true });
  });

  return app;
}

function requireAuthorization(world: NotionWorld, given: string): Authorization {
  const found = world.state.authorizations.find((each) => each.personId === world.person(given)?.id);
  if (!found) throw new HTTPException(404, { message: `"${given}" has not connected anything.` });
  return found;
}
