import { db } from '@/lib/db/database';
import { sendMessage } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import { confirmSent, reservePlace } from '../billing/quota';
import { recheckChannel } from './channel-problem';
import { nonceOf, openMessage } from './deliveries';
import { describeRefusal, stopsChannel } from './discord-refusal';
import { endDeliveries } from './end-deliveries';
import { holdChannel } from './held-notice';
import { enqueueChannelWarning } from './warn-channel';

type Outcome = { done: true } | { retryAt: Date };

interface WaitingDelivery {
  id: string;
  accountId: string;
  usagePeriodStart: Date | null;
  sealedMessage: Uint8Array;
  attempts: number;
  createdAt: Date;
  nextTryAt: Date | null;
  blockedUntil: Date | null;
  isRefused: boolean;
}

const GIVE_UP_AFTER_MS = DAY_MS;
const LONGEST_WAIT_MS = 5 * MINUTE_MS;

// So that a channel with a long queue lets the others' jobs in between.
const CARDS_PER_RUN = 25;

/**
 * Sends a channel's waiting cards in their order. Returns when to go on: at once after a fair share, when the
 * rate limit ends, or when a failed attempt is due again.
 */
export async function deliverChannel({ channelId }: { channelId: string }): Promise<Outcome> {
  for (let sent = 0; sent < CARDS_PER_RUN; sent += 1) {
    const next = await findNext(channelId);
    if (!next) return { done: true };
    const waitUntil = latest(next.nextTryAt, next.blockedUntil);
    if (waitUntil && waitUntil > new Date()) return { retryAt: waitUntil };
    if (next.isRefused && !(await recheckChannel(channelId, next.id))) return { done: true };
    const retryAt = await attempt(channelId, next);
    if (retryAt) return { retryAt };
  }
  return { retryAt: new Date() };
}

async function findNext(channelId: string): Promise<WaitingDelivery | undefined> {
  const [next] = await db().$queryRaw<WaitingDelivery[]>`
    select d.id, d.account_id as "accountId", d.usage_period_start as "usagePeriodStart", d.sealed_message as "sealedMessage", d.attempts, d.created_at as "createdAt",
      d.next_try_at as "nextTryAt", p.channel_id is not null as "isRefused",
      (select max(blocked_until) from rate_limit where key in ('discord', ${limitKey(channelId)})) as "blockedUntil"
    from delivery d left join channel_problem p on p.channel_id = d.channel_id
    where d.channel_id = ${channelId} and d.state = 'waiting'
    order by d.sequence limit 1`;
  return next;
}

/** One attempt. Returns when this channel may go on, or null for at once. */
async function attempt(channelId: string, delivery: WaitingDelivery): Promise<Date | null> {
  const place = await reservePlace(delivery);
  if (!place) return null;
  if ('stopped' in place) {
    await holdChannel({ accountId: delivery.accountId, channelId }, delivery.id, place.stopped);
    return null;
  }
  try {
    const { messageId, exhaustedForMs } = await sendMessage(
      channelId,
      openMessage(delivery),
      nonceOf(delivery.id),
    );
    await confirmSent(delivery, messageId, place.periodStart);
    return exhaustedForMs > 0 ? block(limitKey(channelId), exhaustedForMs) : null;
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    return handleRefusal(channelId, delivery, error);
  }
}

async function handleRefusal(
  channelId: string,
  delivery: WaitingDelivery,
  error: DiscordError,
): Promise<Date | null> {
  if (error.status === 429) {
    return block(error.isGlobalLimit ? 'discord' : limitKey(channelId), error.retryAfterMs ?? SECOND_MS);
  }
  const reason = describeRefusal(error);
  if (stopsChannel(error)) {
    await stopChannel(channelId, delivery.id, reason);
    return null;
  }
  const isOver = Date.now() - delivery.createdAt.getTime() > GIVE_UP_AFTER_MS;
  // A wrong bot token is ours to mend; until then the cards wait, and Discord is not asked often.
  const mayRecover = error.isTransient || error.status === 401;
  if (!mayRecover || isOver) {
    await endDeliveries({ deliveryId: delivery.id }, 'failed', reason);
    return null;
  }
  const waitMs =
    error.status === 401 ? LONGEST_WAIT_MS : Math.min(LONGEST_WAIT_MS, SECOND_MS * 2 ** delivery.attempts);
  const nextTryAt = new Date(Date.now() + waitMs);
  await db().delivery.updateMany({
    where: { id: delivery.id, state: 'waiting' },
    data: { reason, nextTryAt, attempts: { increment: 1 } },
  });
  return nextTryAt;
}

// Discord bans an address that keeps asking for what it refused; every card of the channel stops here.
async function stopChannel(channelId: string, deliveryId: string, reason: string): Promise<void> {
  await db().channelProblem.upsert({
    where: { channelId },
    create: { channelId, reason },
    update: { reason, since: new Date() },
  });
  await enqueueChannelWarning(db(), channelId);
  await endDeliveries({ deliveryId, channelId }, 'failed', reason);
}

async function block(key: string, forMs: number): Promise<Date> {
  const blockedUntil = new Date(Date.now() + forMs);
  await db().$executeRaw`
    insert into rate_limit (key, blocked_until) values (${key}, ${blockedUntil}::timestamptz)
    on conflict (key) do update set blocked_until = greatest(rate_limit.blocked_until, excluded.blocked_until)`;
  return blockedUntil;
}

const limitKey = (channelId: string) => `discord:${channelId}`;

function latest(a: Date | null, b: Date | null): Date | null {
  if (!a || !b) return a ?? b;
  return a > b ? a : b;
}
