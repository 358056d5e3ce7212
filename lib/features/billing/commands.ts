import { hash } from '@/lib/crypto';
import { db, type Transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import {
  createCheckout,
  createCustomer,
  createPortal,
  deleteCustomer,
  expireCheckout,
  listCheckouts,
} from '@/lib/integrations/stripe/stripe-checkout';
import { isMissingAtStripe, isStripeError } from '@/lib/integrations/stripe/stripe-client';
import { cancelSubscription, listSubscriptions } from '@/lib/integrations/stripe/stripe-subscriptions';
import { log } from '@/lib/log';
import { enqueue } from '@/lib/queue/enqueue';
import { hiddenId } from '@/lib/queue/hidden-id';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { isCharged, paysForPlan } from './choose-subscription';
import { enqueueSync } from './sync-subscription';

const LOCK_TIMEOUT_MS = 60 * SECOND_MS;

// A session that runs out while somebody types a card number helps nobody.
const STILL_OPEN_FOR_MS = 10 * MINUTE_MS;

/**
 * Opens a checkout, or the one that is already open: all tabs of an account lead to one session, which can be
 * paid once. Throws `conflict` while a subscription runs, and `upstream_failed` when Stripe does not answer.
 */
export async function startCheckout({ id }: Account): Promise<{ url: string }> {
  const url = await reachCheckout(id).catch(stripeProblem);
  if (url) return { url };
  await enqueueSync(db(), id);
  throw new AppError('conflict', 'This account already has a subscription. Use Manage Billing to change it.');
}

/** Opens the customer portal. Throws `conflict` before the first checkout, and `upstream_failed`. */
export async function openPortal(account: Account): Promise<{ url: string }> {
  const nothing = new AppError('conflict', 'There is no subscription to manage yet.');
  if (!account.stripeCustomerId) throw nothing;
  const url = await createPortal(account.stripeCustomerId).catch((error) => {
    if (isMissingAtStripe(error)) throw nothing;
    return stripeProblem(error);
  });
  return { url };
}

/** Asks for a re-read of the subscription, for those who come back from the checkout before the webhook. */
export async function refreshBilling(account: Account): Promise<{ requested: true }> {
  if (account.stripeCustomerId) await enqueueSync(db(), account.id);
  return { requested: true };
}

/** Makes the account's checkouts, and its deletion, wait for one another until the transaction ends. */
export async function lockCheckout(tx: Transaction, accountId: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`checkout:${accountId}`}, 0))`;
}

/** Has a job end everything that a customer has at Stripe; the transaction deletes their account. */
export async function enqueueCustomerClosing(tx: Transaction, customerId: string): Promise<void> {
  const key = closingJobKey(customerId);
  await enqueue(tx, { name: 'close-customer', payload: { customerId }, key, queue: null });
}

export const closingJobKey = (customerId: string) => `close-customer:${hiddenId(customerId)}`;

/** Cancels a deleted account's subscriptions and forgets its customer. Throws what is worth a retry. */
export async function closeCustomer(customerId: string): Promise<void> {
  const subscriptions = await listSubscriptions(customerId);
  for (const { id } of subscriptions.filter(isCharged)) await cancelSubscription(id);
  for (const { id } of (await listCheckouts(customerId)).open) await expireCheckout(id);
  await deleteCustomer(customerId);
}

/** The page to pay at, or null when there is nothing to pay. */
async function reachCheckout(accountId: string): Promise<string | null> {
  const customerId = await oneAtATime(accountId, (tx) => ensureCustomer(tx, accountId));
  try {
    return await oneAtATime(accountId, () => findOrOpenCheckout(accountId, customerId));
  } catch (error) {
    if (!isMissingAtStripe(error, 'customer')) throw error;
    // Somebody deleted the customer at Stripe; the account gets a new one.
    const replacement = await oneAtATime(accountId, (tx) => ensureCustomer(tx, accountId, customerId));
    return oneAtATime(accountId, () => findOrOpenCheckout(accountId, replacement));
  }
}

function oneAtATime<T>(accountId: string, step: (tx: Transaction) => Promise<T>): Promise<T> {
  return db().$transaction(
    async (tx) => {
      await lockCheckout(tx, accountId);
      return step(tx);
    },
    { timeout: LOCK_TIMEOUT_MS, maxWait: LOCK_TIMEOUT_MS },
  );
}

// The key makes a lost answer find the customer that it was about; Stripe refuses it for other particulars.
async function ensureCustomer(tx: Transaction, accountId: string, replaced?: string): Promise<string> {
  const account = await tx.account.findUnique({ where: { id: accountId } });
  if (!account) throw new AppError('unauthorized', 'This account does not exist any more.');
  if (account.stripeCustomerId && account.stripeCustomerId !== replaced) return account.stripeCustomerId;
  const { email, discordUsername: name } = account;
  const key = `customer:${accountId}:${replaced ?? 'first'}:${hash(JSON.stringify([email, name]))}`;
  const customerId = await createCustomer({ accountId, email, name }, key);
  await tx.account.update({ where: { id: accountId }, data: { stripeCustomerId: customerId } });
  return customerId;
}

async function findOrOpenCheckout(accountId: string, customerId: string): Promise<string | null> {
  if ((await listSubscriptions(customerId)).some(paysForPlan)) return null;
  const { open, newestId } = await listCheckouts(customerId);
  const lasting = open.find(
    ({ url, expiresAt, isOfPlan }) => url && isOfPlan && expiresAt > Date.now() + STILL_OPEN_FOR_MS,
  );
  for (const session of open) if (session !== lasting) await expireCheckout(session.id);
  if (lasting) return lasting.url;
  return createCheckout(customerId, accountId, `checkout:${customerId}:${newestId ?? 'first'}`);
}

function stripeProblem(error: unknown): never {
  if (!isStripeError(error)) throw error;
  log.warn({ err: error }, 'Stripe refused or did not answer');
  throw new AppError('upstream_failed', 'Stripe does not answer. Try again in a minute.');
}
