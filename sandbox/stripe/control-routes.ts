import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import { completeCheckout, expireSession, whyClosed } from './billing/complete-checkout';
import { passTime } from './billing/pass-time';
import {
  become,
  cancelAtPeriodEnd,
  cancelNow,
  deleteCustomer,
  resume,
  switchCard,
} from './billing/subscription-changes';
import { CARD_KEYS } from './cards';
import type { StripeWorld } from './stripe-world';
import { toSession, toSubscription } from './to-api';
import type { StripeOutbox } from './webhooks/stripe-outbox';

const settingsSchema = z.strictObject({
  retryBaseMs: z.number().int().min(1).optional(),
  cancelsBy: z.enum(['cancel_at_period_end', 'cancel_at']).optional(),
});
const paySchema = z.strictObject({ card: z.enum(CARD_KEYS).default('good') });
const CHANGES = {
  'cancel-now': cancelNow,
  'cancel-at-period-end': cancelAtPeriodEnd,
  resume,
  'wait-for-payment': become('incomplete'),
  'take-payment': become('active'),
  'go-unpaid': become('incomplete_expired'),
  pause: become('paused'),
  unpause: become('active'),
};
const changeSchema = z.strictObject({
  action: z.enum(Object.keys(CHANGES) as [keyof typeof CHANGES]),
});
const cardSchema = z.strictObject({ card: z.enum(CARD_KEYS) });

/** The test switches: what a person does on the pages, and what only tests need to know. */
export function controlRoutes(world: StripeWorld, outbox: StripeOutbox): Hono {
  const app = new Hono();
  app.onError((error, c) =>
    error instanceof HTTPException ? c.text(error.message, error.status) : c.text(error.message, 400),
  );
  app.use(async (_, next) => {
    passTime(world);
    await next();
  });

  app.get('/customers', (c) => c.json(Object.values(world.state.customers)));
  app.get('/invoices', (c) => c.json(Object.values(world.state.invoices)));
  app.get('/subscriptions', (c) => c.json(Object.values(world.state.subscriptions).map(toSubscription)));
  app.get('/sessions', (c) =>
    c.json(Object.values(world.state.sessions).map((each) => toSession(each, world.context.urls.stripe))),
  );
  app.get('/events', (c) => c.json(world.state.events));

  app.patch('/settings', async (c) => {
    Object.assign(world.state.settings, await read(c, settingsSchema));
    world.save();
    return c.json(world.state.settings);
  });

  app.post('/sessions/:id/pay', async (c) => {
    const { card } = await read(c, paySchema);
    const session = found(world.state.sessions[c.req.param('id')]);
    const reason = whyClosed(world, session);
    if (reason) throw new HTTPException(409, { message: reason });
    return c.json({ paid: completeCheckout(world, session, card) });
  });
  app.post('/sessions/:id/expire', (c) => {
    expireSession(world, found(world.state.sessions[c.req.param('id')]));
    return c.json({});
  });

  app.post('/subscriptions/:id', async (c) => {
    const { action } = await read(c, changeSchema);
    const subscription = found(world.state.subscriptions[c.req.param('id')]);
    CHANGES[action](world, subscription);
    return c.json(toSubscription(subscription));
  });

  app.post('/customers/:id/card', async (c) => {
    const { card } = await read(c, cardSchema);
    switchCard(world, found(world.state.customers[c.req.param('id')]), card);
    return c.json({});
  });
  app.delete('/customers/:id', (c) => {
    deleteCustomer(world, found(world.state.customers[c.req.param('id')]));
    return c.json({});
  });

  app.post('/events/:id/redeliver', (c) => {
    outbox.redeliver(found(world.state.events.find(({ payload }) => payload.id === c.req.param('id'))));
    return c.json({});
  });
  return app;
}

async function read<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const result = schema.safeParse(await c.req.json().catch(() => ({})));
  if (!result.success) throw new HTTPException(400, { message: z.prettifyError(result.error) });
  return result.data;
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new HTTPException(404, { message: 'Not found.' });
  return value;
}
