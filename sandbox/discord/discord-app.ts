import { Hono } from 'hono';
import type { SandboxContext } from '../context';
import { cdnRoutes } from './cdn-routes';
import { controlRoutes } from './control/control-routes';
import { DiscordError, discordError } from './discord-error';
import { authorizeRoutes } from './oauth/authorize-routes';
import { tokenRoutes } from './oauth/token-routes';
import { actionRoutes } from './page/action-routes';
import { pageRoutes } from './page/page-routes';
import { applicationRoutes } from './rest/application-routes';
import { commandRoutes } from './rest/command-routes';
import { answerError, type Env, guard } from './rest/guard';
import { guildRoutes } from './rest/guild-routes';
import { interactionRoutes } from './rest/interaction-routes';
import { messageRoutes } from './rest/message-routes';
import { threadRoutes } from './rest/thread-routes';
import { userRoutes } from './rest/user-routes';
import { World } from './world';

/** A strict local stand-in for Discord: REST, OAuth, signed interactions, and a page to view and use it. */
export function discordApp(context: SandboxContext): Hono<Env> {
  const world = new World(context);
  const app = new Hono<Env>();
  app.onError(answerError);

  const api = new Hono<Env>();
  api.use(guard(world));
  for (const routes of [
    tokenRoutes,
    userRoutes,
    guildRoutes,
    messageRoutes,
    threadRoutes,
    applicationRoutes,
    commandRoutes,
    interactionRoutes,
  ]) {
    routes(api, world);
  }
  api.all('*', () => {
    throw discordError('notFound');
  });
  api.onError(answerError);

  const unversioned = new Hono<Env>();
  unversioned.use('/oauth2/*', guard(world));
  tokenRoutes(unversioned, world);
  unversioned.onError(answerError);

  app.route('/api/v10', api);
  app.route('/api', unversioned);
  app.all('/api/*', () => {
    throw new DiscordError(400, 50041, 'Invalid API version provided');
  });
  authorizeRoutes(app, world);
  actionRoutes(app, world);
  pageRoutes(app, world);
  cdnRoutes(app, world);
  controlRoutes(app, world);
  return app;
}
