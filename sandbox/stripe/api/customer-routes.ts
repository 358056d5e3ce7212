import type { Hono } from 'hono';
import { z } from 'zod';
import { deleteCustomer } from '../billing/subscription-changes';
import { invalid, missing } from '../stripe-error';
import type { StoredCustomer } from '../stripe-state';
import type { StripeWorld } from '../stripe-world';
import { toCustomer, toPortal } from '../to-api';
import { decodeForm, metadata, parseParams } from './form-body';

const PORTAL_SECONDS = 5 * 60;
const NO_CONFIGURATION =
  'No configuration provided and your test mode default configuration has not been created.';

const createSchema = z.strictObject({
  email: z.email().max(512).optional(),
  name: z.string().max(256).optional(),
  description: z.string().max(350).optional(),
  metadata: metadata.optional(),
});
const portalSchema = z.strictObject({ customer: z.string(), return_url: z.url().optional() });

export function customerRoutes(api: Hono, world: StripeWorld): void {
  api.post('/customers', async (c) => {
    const given = parseParams(createSchema, decodeForm(await c.req.text()));
    const customer: StoredCustomer = {
      id: world.newId('cus'),
      email: given.email ?? null,
      name: given.name ?? null,
      description: given.description ?? null,
      metadata: given.metadata ?? {},
      created: world.now(),
      isDeleted: false,
      card: null,
    };
    world.state.customers[customer.id] = customer;
    world.emit('customer.created', toCustomer(customer));
    return c.json(toCustomer(customer));
  });

  api.get('/customers/:id', (c) => {
    const id = c.req.param('id');
    const customer = world.state.customers[id];
    if (!customer) throw missing('customer', id);
    return c.json(customer.isDeleted ? { id, object: 'customer', deleted: true } : toCustomer(customer));
  });

  api.delete('/customers/:id', (c) => {
    const customer = world.customer(c.req.param('id'));
    deleteCustomer(world, customer);
    return c.json({ id: customer.id, object: 'customer', deleted: true });
  });

  api.post('/billing_portal/sessions', async (c) => {
    const given = parseParams(portalSchema, decodeForm(await c.req.text()));
    const customer = world.customer(given.customer, 'customer');
    if (world.state.isPortalUnsaved) throw invalid(NO_CONFIGURATION);
    const portal = {
      id: world.newId('bps'),
      customerId: customer.id,
      returnUrl: given.return_url ?? null,
      created: world.now(),
      expiresAt: world.now() + PORTAL_SECONDS,
    };
    world.state.portals[portal.id] = portal;
    world.save();
    return c.json(toPortal(portal, world.context.urls.stripe));
  });
}
