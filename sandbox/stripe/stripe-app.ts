import { Hono } from 'hono';
import type { SandboxContext } from '../context';
import { apiRoutes } from './api/api-routes';
import { passTime } from './billing/pass-time';
import { controlRoutes } from './control-routes';
import { pageRoutes } from './page/page-routes';
import { StripeWorld } from './stripe-world';
import { StripeOutbox } from './webhooks/stripe-outbox';

const CLOCK_CHECK_MS = 250;

/**
 * A strict stand-in for Stripe: the API under /v1, the pages to pay and to manage a subscription, signed webhooks to
 * the application, and switches for tests under /_sandbox/stripe. It follows the sandbox's clock: moving it forward
 * ends periods.
 */
export function stripeApp(context: SandboxContext): Hono {
  const world = new StripeWorld(context);
  const outbox = new StripeOutbox(world);
  setInterval(() => passTime(world), CLOCK_CHECK_MS).unref();
  const app = new Hono();
  app.route('/v1', apiRoutes(world));
  app.route('/_sandbox/stripe', controlRoutes(world, outbox));
  app.route('/', pageRoutes(world));
  return app;
}
