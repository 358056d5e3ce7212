import { hash, randomToken } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { singleFlight } from '@/lib/db/single-flight';
import { AppError } from '@/lib/errors';
import {
  createCheckout,
  createCustomer,
  expireCheckout,
  listCheckouts,
} from '@/lib/integrations/stripe/stripe-checkout';
import {
  isKeptByStripe,
  isKeyUsedUp,
  isMissingAtStripe,
  isRefusedByStripe,
} from '@/lib/integrations/stripe/stripe-client';
import { listSubscriptions } from '@/lib/integrations/stripe/stripe-subscriptions';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { paysForPlan } from './choose-subscription';
import { enqueueCustomerClosing } from './close-customer';

// Longer than a step takes: two calls to Stripe, each tried three times with a timeout of ten seconds.
const CLAIM_MS = 90 * SECOND_MS;

// A checkout takes four calls, each some hundred milliseconds at Stripe. If they take longer than this, the second of two
// clicks gets an error.
const OTHERS_WAIT_MS = 5 * SECOND_MS;

// A session with less time left is not reused, because it must not expire while somebody types a card number.
const STILL_OPEN_FOR_MS = 10 * MINUTE_MS;

const gone = () => new AppError('unauthorized', 'This account does not exist any more.');

type Hold = () => Promise<void>;

// Stripe keeps an error under the call's idempotency key for a day, whatever is put right meanwhile, so the next try needs
// another key.
const endings = new Map<string, string>();
const MAX_ENDINGS = 1000;

async function withKey<T>(key: string, create: (idempotencyKey: string) => Promise<T>): Promise<T> {
  const ending = endings.get(key);
  try {
    const made = await create(ending ? `${key}:${ending}` : key);
    endings.delete(key);
    return made;
  } catch (error) {
    if (!isKeptByStripe(error)) throw error;
    if (endings.size >= MAX_ENDINGS) endings.clear();
    endings.set(key, randomToken());
    // The error was that of an earlier try, which this process may not know of.
    if (!ending && isKeyUsedUp(error)) return withKey(key, create);
    throw error;
  }
}

/**
 * The address of the checkout, or null when a subscription already runs. Only one call at a time opens or finds it for
 * an account. Throws Stripe's errors, and StillUnderWay.
 */
export function openCheckout(accountId: string): Promise<string | null> {
  return singleFlight({
    key: `checkout:${accountId}`,
    accountId,
    claimMs: CLAIM_MS,
    othersWaitMs: OTHERS_WAIT_MS,
    run: (hold) => reachCheckout(accountId, hold),
  });
}

async function reachCheckout(accountId: string, hold: Hold): Promise<string | null> {
  const customerId = await ensureCustomer(accountId);
  try {
    return await findOrOpen(accountId, customerId, hold);
  } catch (error) {
    if (!isMissingAtStripe(error, 'customer')) throw error;
    // Somebody deleted the customer at Stripe, so the account gets a new one.
    await hold();
    return findOrOpen(accountId, await ensureCustomer(accountId, customerId), hold);
  }
}

// With this idempotency key, a repeated call returns the customer of a lost answer. Stripe refuses the key if the
// details differ.
async function ensureCustomer(accountId: string, replaced?: string): Promise<string> {
  const account = await db().account.findUnique({ where: { id: accountId } });
  if (!account) throw gone();
  if (account.stripeCustomerId && account.stripeCustomerId !== replaced) return account.stripeCustomerId;
  const { discordUsername: name } = account;
  const create = (email: string | null) => {
    const key = `customer:${accountId}:${replaced ?? 'first'}:${hash(JSON.stringify([email, name]))}`;
    return withKey(key, (idempotencyKey) => createCustomer({ accountId, email, name }, idempotencyKey));
  };
  const stripeCustomerId = await create(account.email).catch((error) => {
    // The checkout asks for an address that Stripe accepts.
    if (account.email && isRefusedByStripe(error, 'email')) return create(null);
    throw error;
  });
  const where = { id: accountId, stripeCustomerId: account.stripeCustomerId };
  const kept = await db().account.updateMany({ where, data: { stripeCustomerId } });
  return kept.count > 0 ? stripeCustomerId : giveUpCustomer(accountId, stripeCustomerId);
}

/** The customer that a webhook gave back to the account while this one was made, which is therefore closed. */
async function giveUpCustomer(accountId: string, made: string): Promise<string> {
  const account = await db().account.findUnique({ where: { id: accountId } });
  if (!account?.stripeCustomerId) return cleanUpAndFail(made);
  if (account.stripeCustomerId !== made) await enqueueCustomerClosing(db(), made);
  return account.stripeCustomerId;
}

async function findOrOpen(accountId: string, customerId: string, hold: Hold): Promise<string | null> {
  await hold();
  if (await isSubscribed(accountId, customerId)) return null;
  const { open, ids } = await listCheckouts(customerId);
  const lasting = open.find(
    ({ url, expiresAt, isOfPlan }) => url && isOfPlan && expiresAt > Date.now() + STILL_OPEN_FOR_MS,
  );
  for (const session of open) {
    await hold();
    if (session !== lasting) await expireCheckout(session.id);
  }
  if (lasting) return lasting.url;
  await hold();
  const opened = await withKey(`checkout:${customerId}:${hash(ids.join())}`, (idempotencyKey) =>
    createCheckout(customerId, accountId, idempotencyKey),
  );
  if (await db().account.findUnique({ where: { id: accountId } })) return opened.url;
  await expireCheckout(opened.id);
  return cleanUpAndFail(customerId);
}

async function isSubscribed(accountId: string, customerId: string): Promise<boolean> {
  const account = await db().account.findUnique({ where: { id: accountId } });
  if (!account) throw gone();
  return (await listSubscriptions(customerId)).some((each) => paysForPlan(each, account));
}

/** Cleans up if the account was deleted during the call to Stripe: its deletion did not know of this customer. */
async function cleanUpAndFail(customerId: string): Promise<never> {
  await enqueueCustomerClosing(db(), customerId);
  throw gone();
}
