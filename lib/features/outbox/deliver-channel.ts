import { setTimeout as sleep } from 'node:timers/promises';
import { isKeyKnown } from '@/lib/crypto';
import { db, Prisma, runStatement } from '@/lib/db/database';
import { type MessageBody, sendMessage } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { CallTooLate } from '@/lib/integrations/http-call';
import { log } from '@/lib/log';
import type { TurnTable } from '@/lib/queue/run-turns';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import { type Place, reservePlace } from '../billing/quota';
import { doubtReading, readServer } from '../connections/refresh-server';
import { explainTimeout, findTimeout } from './bot-timeout';
import { channelLimit, WHOLE_BOT } from './call-limits';
import { recheckChannel, stopChannel } from './channel-problem';
import {
  type ChannelTurn,
  claimChannels,
  type GrantedCard,
  letGoOfChannels,
  nextChannelInMs,
  type WaitingCard,
} from './channel-turns';
import { describeRefusal, isDeletedSince, stopsChannel } from './discord-refusal';
import { dropOrphans, endDeliveries } from './end-deliveries';
import { findPosted, NONCE_IS_KNOWN_MS } from './find-posted';
import { holdChannel } from './held-notice';
import { noteRefusal, refusedChannel } from './route-refusals';
import { nonceOf, openMessage } from './sealed-message';
import { TurnBook } from './turn-book';

const GIVE_UP_AFTER_MS = DAY_MS;
const LONGEST_WAIT_MS = 5 * MINUTE_MS;

// While the processes get a new key one after the other, one that has it soon takes the card.
const LONGEST_KEY_WAIT_MS = 30 * SECOND_MS;
const KEY_IS_COMING =
  'Pagewire is changing its encryption keys. The card is sent as soon as a process that has its key finds it.';
const KEY_IS_GONE = 'No process of Pagewire had the key that the card is sealed with for a day.';

// A wrong token refuses every card; asking more often would get the address banned.
const WRONG_TOKEN_WAIT_MS = MINUTE_MS;

// Channels that one process sends to at once: a second of Discord's limit when its answers take a second.
const CAPACITY = 50;

// A turn does not begin another card after this, so that it ends within its lease.
const LONGEST_TURN_MS = 5 * SECOND_MS;

// A wait that is not one of Discord's ordinary limits.
const EXPLAINED_WAIT_MS = MINUTE_MS;

const LOOK_AGAIN_MS = 2;
const AFTER_FAILURE_MS = SECOND_MS;

/** The channels with waiting cards, as work for `runTurns`. `leasedBy` is the key of the worker process. */
export function channelTurns(leasedBy: number | null): TurnTable<ChannelTurn> {
  // Whether channels are due but Discord's limit is used up; then every freed slot is worth a look.
  let isShort = false;
  return {
    name: 'channel_turn',
    capacity: CAPACITY,
    claim: (limit) => claimChannels(leasedBy, limit),
    async work(turn) {
      const goesOnInMs = await workTurn(turn);
      return isShort ? (goesOnInMs ?? SECOND_MS) : goesOnInMs;
    },
    letGo: (turns) =>
      letGoOfChannels(
        leasedBy,
        turns.map(({ channelId }) => channelId),
      ),
    async nextDueInMs() {
      const next = await nextChannelInMs();
      isShort = next?.isShort ?? false;
      // What is due already is being taken by somebody else, or became due a moment ago.
      return next && Math.max(LOOK_AGAIN_MS, Math.ceil(next.ms));
    },
  };
}

/** Sends a channel's cards in their order. Returns in how many milliseconds it goes on, null when nothing waits in it. */
async function workTurn(turn: ChannelTurn): Promise<number | null> {
  const book = new TurnBook(turn);
  const resumeAt = await sendCards(turn, book).catch((err) => {
    log.error({ err, channelId: turn.channelId }, 'cards not sent');
    return performance.now() + AFTER_FAILURE_MS;
  });
  const goesOn = await book.end(resumeAt);
  return goesOn ? resumeAt - performance.now() : null;
}

/** Returns from when on the channel may go on, on this process's own clock, which never steps. */
async function sendCards(turn: ChannelTurn, book: TurnBook): Promise<number> {
  const startedAt = performance.now();
  if (turn.cards.length === 0) {
    if (turn.startAt - startedAt > EXPLAINED_WAIT_MS) await explainTimeout(turn.channelId, turn.account.id);
    return turn.startAt;
  }
  const orphans = turn.cards.filter(({ card }) => card.ruleId === null);
  if (orphans.length > 0) await dropOrphans(orphans.map(({ card }) => card));
  const all = turn.cards.filter(({ card }) => card.ruleId !== null);
  const unknown = all.find(({ card }) => !isKeyKnown(card.sealedMessage));
  const cards = unknown ? all.slice(0, all.indexOf(unknown)) : all;
  const [first] = all;
  if (!first) return 0;
  if (turn.isRefused) {
    const isOpen = await recheckChannel(turn).catch((error) => postponeCheck(turn, first.card, error));
    if (isOpen !== true) return isOpen || 0;
  }
  let resumeAt = 0;
  const places = await Promise.all(cards.map(({ card }) => reservePlace(turn.account, card)));
  for (const [index, granted] of cards.entries()) {
    const { card } = granted;
    let place = places[index];
    // One of the cards before it may have given its place back.
    if (place && 'stopped' in place && index > 0) place = await reservePlace(turn.account, card);
    if (!place) {
      // It is gone or somebody else's; should it wait all the same, looking at once would find it so again.
      resumeAt = performance.now() + AFTER_FAILURE_MS;
      continue;
    }
    if (performance.now() - startedAt > LONGEST_TURN_MS) return 0;
    await waitUntil(Math.max(turn.startAt, granted.startAt));
    if (turn.leaseLeft() <= 0) return 0;
    const waitsUntil = await sendCard({ ...granted, turn, book, place });
    if (waitsUntil !== null) return waitsUntil;
  }
  return unknown ? waitForKey(turn, unknown.card) : resumeAt;
}

/** Leaves a card, and those behind it, to a process that has its key; after a day nobody is expected to. */
async function waitForKey(turn: ChannelTurn, card: WaitingCard): Promise<number> {
  const { id: deliveryId, createdAt, attempts } = card;
  if (createdAt < turn.databaseTime(-GIVE_UP_AFTER_MS)) {
    const waited = { deliveryId, answeredSince: turn.claimedAt, during: turn };
    await endDeliveries(waited, 'failed', KEY_IS_GONE);
    return 0;
  }
  log.warn({ deliveryId, channelId: turn.channelId }, 'card waits for a key');
  return postpone(turn, card, KEY_IS_COMING, Math.min(LONGEST_KEY_WAIT_MS, SECOND_MS * 2 ** attempts));
}

async function waitUntil(at: number): Promise<void> {
  const ms = at - performance.now();
  // A timer may be early by a millisecond.
  if (ms > 0) await sleep(Math.ceil(ms) + 1);
}

function postponeCheck(turn: ChannelTurn, card: WaitingCard, error: unknown): Promise<number> {
  if (!(error instanceof DiscordError)) throw error;
  return retryLater(turn, card, error);
}

interface Attempt extends GrantedCard {
  turn: ChannelTurn;
  book: TurnBook;
  place: Place;
}

/** One card, sent or held. Returns until when its channel has to wait then, null when it may go on at once. */
async function sendCard(attempt: Attempt): Promise<number | null> {
  const { turn, book, card, slot, place } = attempt;
  const { channelId } = turn;
  const message = readMessage(card);
  if (!message) {
    const unread = { deliveryId: card.id, answeredSince: turn.claimedAt, during: turn };
    await endDeliveries(unread, 'failed', 'The card could not be read any more.');
    return null;
  }
  try {
    if (await isPosted(attempt, message)) return null;
    if ('stopped' in place) {
      await book.settle();
      await holdChannel(turn, card.id, place.stopped);
      return null;
    }
    const by = { isCard: true } as const;
    const sent = await sendMessage(channelId, message, nonceOf(card.id), by, turn.leaseLeft).finally(() =>
      book.answered(slot),
    );
    book.sent(card, sent.messageId, place.periodStart);
    return sent.exhaustedForMs > 0 ? book.block(channelLimit(channelId), sent.exhaustedForMs) : null;
  } catch (error) {
    // Left to whoever has the channel next, who looks whether it was posted.
    if (error instanceof CallTooLate) return 0;
    if (!(error instanceof DiscordError)) throw error;
    if (isDeletedSince(error) && 'periodStart' in place) {
      book.sent(card, null, place.periodStart);
      return null;
    }
    return handleRefusal(attempt, error);
  }
}

/** Whether an earlier attempt has posted a card, though its answer was lost; it is noted as sent then. */
async function isPosted({ turn, book, card, place }: Attempt, message: MessageBody): Promise<boolean> {
  const isAskedAgain = !('stopped' in place);
  const periodStart = isAskedAgain ? place.periodStart : card.usagePeriodStart;
  if (!card.triedAt || !periodStart) return false;
  // Discord finds it by its nonce then.
  if (isAskedAgain && turn.databaseTime(-NONCE_IS_KNOWN_MS) < card.triedAt) return false;
  const posted = await findPosted(turn.account.id, turn.channelId, card.triedAt, message);
  if (!posted) return false;
  book.sent(card, posted, periodStart);
  // The next card may say the same, and this message must not be taken for it too.
  await book.settle();
  return true;
}

function readMessage(card: WaitingCard): MessageBody | null {
  try {
    return openMessage(card);
  } catch (error) {
    log.error({ err: error, deliveryId: card.id }, 'card cannot be opened');
    return null;
  }
}

async function handleRefusal({ turn, book, card }: Attempt, error: DiscordError): Promise<number | null> {
  if (error.status === 429) {
    const key = error.isGlobalLimit ? WHOLE_BOT : channelLimit(turn.channelId);
    const waitMs = error.retryAfterMs ?? SECOND_MS;
    if (error.isGlobalLimit || error.isSharedLimit) return book.block(key, waitMs);
    return performance.now() + (await noteRefusal(key, error, waitMs));
  }
  if (stopsChannel(error)) {
    await book.settle();
    await doubtReading(turn.account.id);
    if (error.status === 403) {
      const until = await seeTimeout(turn);
      if (until) return performance.now() + until.getTime() - turn.databaseTime().getTime();
      await noteRefusal(refusedChannel(turn.channelId), error, 0);
    }
    await stopChannel(turn, card.id, describeRefusal(error));
    return 0;
  }
  // A wrong bot token is ours to mend; until then everything waits.
  if (error.status === 401) book.block(WHOLE_BOT, WRONG_TOKEN_WAIT_MS);
  const isOver = card.triedAt !== null && card.triedAt < turn.databaseTime(-GIVE_UP_AFTER_MS);
  if (isOver || !(error.isTransient || error.status === 401)) {
    // What Discord did not answer, or answered with an error of its own, it may have posted all the same.
    const answeredSince = error.isTransient ? undefined : turn.claimedAt;
    const refused = { deliveryId: card.id, answeredSince, during: turn };
    await endDeliveries(refused, 'failed', describeRefusal(error));
    return null;
  }
  return retryLater(turn, card, error);
}

/** Until when the bot is timed out in a channel's server, as far as Discord tells; its cards wait for that then. */
async function seeTimeout({ account }: ChannelTurn): Promise<Date | null> {
  const server = await db().discordServer.findFirst({ where: { accountId: account.id } });
  if (!server) return null;
  await readServer(server).catch((err) => log.warn({ err, serverId: server.id }, 'server not read'));
  return findTimeout(account.id);
}

/** Leaves a card waiting for its next attempt; the ones behind it wait with it. */
async function retryLater(turn: ChannelTurn, card: WaitingCard, error: DiscordError): Promise<number> {
  const backoffMs =
    error.status === 401 ? WRONG_TOKEN_WAIT_MS : Math.min(LONGEST_WAIT_MS, SECOND_MS * 2 ** card.attempts);
  return postpone(turn, card, describeRefusal(error), backoffMs);
}

/** Leaves a card waiting for about so long. */
async function postpone(
  { channelId, leasedUntil }: ChannelTurn,
  card: WaitingCard,
  reason: string,
  backoffMs: number,
): Promise<number> {
  // Spread, so that the channels that failed together do not come back together.
  const waitMs = backoffMs * (0.5 + Math.random() / 2);
  await runStatement(Prisma.sql`
    update delivery set reason = ${reason}, attempts = attempts + 1,
      next_try_at = now() + ${waitMs}::float8 * interval '1 millisecond'
    where id = ${card.id}::uuid and event_at = ${card.eventAt}::timestamptz and state = 'waiting' and exists (
      select 1 from channel_turn where channel_id = ${channelId} and leased_until = ${leasedUntil}::timestamptz)`);
  return performance.now() + waitMs;
}
