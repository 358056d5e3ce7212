import { Hono } from 'hono';
import type { SandboxContext } from '../context';
import { apiRoutes } from './api/api-routes';
import { controlRoutes } from './control/control-routes';
import { NotionWorld } from './notion-world';
import { authorizeRoutes } from './oauth/authorize-routes';
import { siteRoutes } from './page/site-routes';
import { NotionOutbox } from './webhooks/notion-outbox';

/**
 * A strict stand-in for Notion: its OAuth, the API under /v1, signed webhooks to the application, a page at / to view
 * and edit databases as a person would, and switches for tests under /_sandbox/notion.
 */
export function notionApp(context: SandboxContext): Hono {
  const world = new NotionWorld(context);
  const outbox = new NotionOutbox(world);
  const app = new Hono();
  app.route('/v1/oauth', authorizeRoutes(world));
  app.route('/v1', apiRoutes(world));
  app.route('/_sandbox/notion', controlRoutes(world, outbox));
  app.route('/', siteRoutes(world));
  return app;
}
