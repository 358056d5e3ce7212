import type { Hono } from 'hono';
import { z } from 'zod';
import { hasPrice } from '../starter-price';
import { missing } from '../stripe-error';
import type { StoredEndpoint } from '../stripe-state';
import { API_VERSION, type StripeWorld } from '../stripe-world';
import { toPrice } from '../to-api';
import { toEndpoint, toPortalConfiguration } from '../to-setup';
import { decodeForm, parseParams } from './form-body';
import { listAnswer, listParams } from './list-answer';

const EVERYTHING = '*';
const trueOrFalse = z.enum(['true', 'false']);

const priceSchema = z.strictObject({});
const endpointsSchema = z.strictObject(listParams);
const portalSchema = z.strictObject({
  ...listParams,
  active: trueOrFalse.optional(),
  is_default: trueOrFalse.optional(),
});

/** The settings of Stripe's dashboard: the price, the webhook endpoint and the customer portal. */
export function setupRoutes(api: Hono, world: StripeWorld): void {
  const given = <T>(schema: z.ZodType<T>, url: string) =>
    parseParams(schema, decodeForm(new URL(url).search.slice(1)));

  api.get('/prices/:id', (c) => {
    given(priceSchema, c.req.url);
    const id = c.req.param('id');
    if (!hasPrice(world.context, id)) throw missing('price', id);
    const { interval, ...changes } = world.state.price ?? {};
    const price = { ...toPrice(id), ...changes };
    if (price.type === 'one_time') return c.json({ ...price, recurring: null });
    return c.json({ ...price, recurring: { ...price.recurring, ...(interval && { interval }) } });
  });

  api.get('/webhook_endpoints', (c) => {
    const all = endpointsOf(world).map(toEndpoint);
    return c.json(listAnswer(all, '/v1/webhook_endpoints', given(endpointsSchema, c.req.url)));
  });

  api.get('/billing_portal/configurations', (c) => {
    const { active, is_default, ...page } = given(portalSchema, c.req.url);
    const isWanted = active !== 'false' && is_default !== 'false' && !world.state.isPortalUnsaved;
    const all = isWanted ? [toPortalConfiguration(world.context.appUrl)] : [];
    return c.json(listAnswer(all, '/v1/billing_portal/configurations', page));
  });
}

function endpointsOf({ state, context }: StripeWorld): StoredEndpoint[] {
  const own: StoredEndpoint = {
    id: 'we_sandbox',
    url: `${context.appUrl}/api/stripe/webhook`,
    status: 'enabled',
    apiVersion: API_VERSION,
    events: [EVERYTHING],
  };
  return state.endpoints ?? [own];
}
