import { Hono } from 'hono';
import { NotionError } from '../notion-error';
import type { NotionWorld } from '../notion-world';
import { oauthRoutes } from '../oauth/oauth-routes';
import type { ApiEnv } from './api-env';
import { apiGuard, errorAnswer, requireVersion } from './api-guard';
import { Caller } from './caller';
import { requireCapability } from './capabilities';
import { commentRoutes } from './comment-routes';
import { dataSourceRoutes } from './data-source-routes';
import { pageRoutes } from './page-routes';
import { RateLimiter } from './rate-limiter';
import { searchRoute } from './search-route';
import { userRoutes } from './user-routes';

/** The API under /v1. */
export function apiRoutes(world: NotionWorld): Hono<ApiEnv> {
  const limiter = new RateLimiter();
  const app = new Hono<ApiEnv>();
  app.onError(errorAnswer);
  app.use(apiGuard(world));
  app.use(async (c, next) => {
    requireVersion(c.req.header('notion-version'), world.settings.version);
    await next();
  });
  app.route('/oauth', oauthRoutes(world));
  app.use(async (c, next) => {
    const caller = Caller.fromHeader(world, c.req.header('authorization'));
    limiter.admit(world, caller.authorization.botId);
    c.set('caller', caller);
    requireCapability(world, c.req.method, c.req.path);
    await next();
  });
  app.route('/', searchRoute());
  app.route('/', dataSourceRoutes());
  app.route('/', pageRoutes());
  app.route('/', commentRoutes());
  app.route('/', userRoutes());
  app.all('*', () => {
    throw new NotionError(400, 'invalid_request_url', 'Invalid request URL.');
  });
  return app;
}
