import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import type { Authorization } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { read, requireDatabase } from './control-request';
import { requireDoc } from './doc-routes';

const person = z.string();
/** Either a database, or a page outside databases. */
const shareable = { database: z.string().optional(), page: z.string().optional() };

const idOf = (world: NotionWorld, { database, page }: { database?: string; page?: string }) =>
  page === undefined ? requireDatabase(world, database ?? '').id : requireDoc(world, page).id;

/** Shows who has connected, and does what a person can do about it in Notion without the application being told. */
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
    const body = await read(c, z.strictObject({ person, ...shareable }));
    requireAuthorization(world, body.person).shared[idOf(world, body)] = world.now();
    world.save();
    return c.json({ ok: true });
  });

  /** Unshares a database or a page from one person's connection, or from all if no person is named. */
  app.post('/unshare', async (c) => {
    const body = await read(c, z.strictObject({ person: person.optional(), ...shareable }));
    const id = idOf(world, body);
    const from = body.person ? [requireAuthorization(world, body.person)] : world.state.authorizations;
    for (const authorization of from) delete authorization.shared[id];
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
