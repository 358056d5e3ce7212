/** @jsxImportSource hono/jsx */
import { readFileSync } from 'node:fs';
import { type Context, Hono } from 'hono';
import { completeCheckout, whyClosed } from '../billing/complete-checkout';
import { passTime } from '../billing/pass-time';
import { cancelAtPeriodEnd, cancelNow, isOver, resume, switchCard } from '../billing/subscription-changes';
import { isCardKey } from '../cards';
import type { StripeWorld } from '../stripe-world';
import { CheckoutPage } from './checkout-page';
import { documentOf } from './document';
import { ClosedPage, HomePage } from './home-page';
import { PortalPage } from './portal-page';

const CHANGES = { 'cancel-now': cancelNow, 'cancel-at-period-end': cancelAtPeriodEnd, resume };

/** What a person sees: the hosted checkout, the portal, and an overview at /. */
export function pageRoutes(world: StripeWorld): Hono {
  const app = new Hono();
  app.get('/page/stripe.css', (c) => asset(c, 'stripe.css', 'text/css'));
  app.get('/page/times.js', (c) => asset(c, 'times.js', 'text/javascript'));
  app.use(async (_, next) => {
    passTime(world);
    await next();
  });
  app.get('/', (c) => c.html(documentOf('Overview', <HomePage world={world} />)));

  app.get('/pay/:id', (c) => {
    const session = world.state.sessions[c.req.param('id')];
    const reason = session ? whyClosed(world, session) : 'This checkout does not exist.';
    if (!session || reason) return closed(c, reason ?? '', session?.cancelUrl);
    const isDeclined = c.req.query('declined') !== undefined;
    return c.html(
      documentOf('Checkout', <CheckoutPage world={world} session={session} isDeclined={isDeclined} />),
    );
  });

  app.post('/pay/:id', async (c) => {
    const session = world.state.sessions[c.req.param('id')];
    if (!session) return closed(c, 'This checkout does not exist.', null);
    const { decision, card } = await c.req.parseBody();
    if (decision === 'cancel') return c.redirect(session.cancelUrl ?? world.context.appUrl, 303);
    const reason = whyClosed(world, session);
    if (reason) return closed(c, reason, session.cancelUrl);
    if (!isCardKey(card) || !completeCheckout(world, session, card)) {
      return c.redirect(`/pay/${session.id}?declined`, 303);
    }
    return c.redirect(session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', session.id), 303);
  });

  app.get('/portal/:id', (c) => {
    const found = portalOf(c);
    if (!found) return closed(c, 'This link has expired. Open the portal again.', null);
    return c.html(documentOf('Billing', <PortalPage world={world} {...found} />));
  });

  app.post('/portal/:id/card', async (c) => {
    const found = portalOf(c);
    const { card } = await c.req.parseBody();
    if (found && isCardKey(card)) switchCard(world, found.customer, card);
    return c.redirect(`/portal/${c.req.param('id')}`, 303);
  });

  app.post('/portal/:id/subscriptions/:subscriptionId', async (c) => {
    const found = portalOf(c);
    const subscription = world.state.subscriptions[c.req.param('subscriptionId')];
    const { action } = await c.req.parseBody();
    const change = CHANGES[String(action) as keyof typeof CHANGES];
    if (change && found && subscription?.customerId === found.customer.id && !isOver(subscription)) {
      change(world, subscription);
    }
    return c.redirect(`/portal/${c.req.param('id')}`, 303);
  });

  function portalOf(c: Context) {
    const portal = world.state.portals[c.req.param('id') ?? ''];
    const customer = portal && world.state.customers[portal.customerId];
    if (!portal || !customer || customer.isDeleted || portal.expiresAt < world.now()) return undefined;
    return { portal, customer };
  }

  function closed(c: Context, reason: string, backUrl: string | null | undefined) {
    const page = <ClosedPage reason={reason} backUrl={backUrl ?? world.context.appUrl} />;
    return c.html(documentOf('Closed', page), 410);
  }

  return app;
}

function asset(c: Context, file: string, type: string) {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return c.body(text, 200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' });
}
