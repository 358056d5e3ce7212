import { Hono } from 'hono';
import { errorAnswer, StripeFault } from '../stripe-error';
import type { StripeWorld } from '../stripe-world';
import { apiGuard, slowness } from './api-guard';
import { checkoutRoutes } from './checkout-routes';
import { customerRoutes } from './customer-routes';
import { idempotency } from './idempotency';
import { setupRoutes } from './setup-routes';
import { subscriptionRoutes } from './subscription-routes';

/** The part of Stripe's API that an application needs to sell a subscription. */
export function apiRoutes(world: StripeWorld): Hono {
  const api = new Hono();
  api.onError(errorAnswer);
  api.use(apiGuard(world));
  api.use(idempotency(world));
  api.use(slowness(world));
  customerRoutes(api, world);
  checkoutRoutes(api, world);
  subscriptionRoutes(api, world);
  setupRoutes(api, world);
  api.all('*', (c) => {
    throw new StripeFault(
      404,
      'invalid_request_error',
      `Unrecognized request URL (${c.req.method}: ${c.req.path}).`,
    );
  });
  return api;
}
