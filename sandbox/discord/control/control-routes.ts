import type { Hono } from 'hono';
import { z } from 'zod';
import { parseForm } from '../form';
import { jsonBody } from '../rest/access';
import type { Env } from '../rest/guard';
import type { World } from '../world';
import { channelControls } from './channel-controls';
import { BASE } from './control-base';
import { guildControls } from './guild-controls';
import { messageControls } from './message-controls';
import { personControls } from './person-controls';
import { threadControls } from './thread-controls';

const limitsForm = z.object({ limits: z.enum(['on', 'off']) });

/** Switches and inspection for tests and demonstrations. */
export function controlRoutes(app: Hono<Env>, world: World): void {
  guildControls(app, world);
  channelControls(app, world);
  threadControls(app, world);
  messageControls(app, world);
  personControls(app, world);

  app.get(`${BASE}/calls`, (c) =>
    c.json({
      calls: world.state.calls,
      invalidAnswers: world.state.invalidAnswers,
      rateLimited: world.state.rateLimited,
    }),
  );

  app.delete(`${BASE}/calls`, (c) => {
    world.state.calls = {};
    world.state.invalidAnswers = 0;
    world.state.rateLimited = 0;
    world.persist();
    return c.body(null, 204);
  });

  app.get(`${BASE}/interactions`, (c) => c.json({ interactions: world.state.interactions }));

  app.get(`${BASE}/commands`, (c) => c.json(world.state.commands));

  app.put(`${BASE}/limits`, async (c) => {
    world.state.limits = parseForm(limitsForm, await jsonBody(c)).limits;
    world.persist();
    return c.json({ limits: world.state.limits });
  });
}
