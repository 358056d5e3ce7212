import { setTimeout as sleep } from 'node:timers/promises';
import { isKeyKnown } from '@/lib/crypto';
import type { MessageKind } from '@/lib/db/generated/client';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { whyStopped } from '../billing/posting-permission';
import { whyCannotPost } from '../billing/quota';
import { noteTried } from '../messages/change-waiting';
import type { ChannelTurn, WaitingMessage } from '../outbox/claim-channels';
import { dropPaused } from '../outbox/drop-paused';
import { dropOrphans } from '../outbox/end-messages';
import { type Reservation, reserveNotification } from '../outbox/reserve-notification';
import { waitForKey } from '../outbox/retry-policy';
import type { TurnResults } from '../outbox/turn-results';
import { afterInternalError } from './after-internal-error';
import { channelOf, isAboutCard } from './attempt';
import { explainTimeout } from './bot-timeout';
import { afterFailedCheck, recheckChannel } from './channel-problem';
import { sendOne } from './send-one';

// A turn begins no further message after this, so that it ends within its lease.
const MAX_TURN_MS = 5 * SECOND_MS;

// Discord's ordinary limits are shorter; a longer wait is probably a timeout of the bot.
const EXPLAINED_WAIT_MS = MINUTE_MS;

const AFTER_FAILURE_MS = SECOND_MS;

/** For a message that does not count as a notification. */
const NO_RESERVATION_NEEDED: Reservation = { periodStart: null };
const UNCOUNTED: MessageKind[] = ['edit', 'notice'];

/**
 * Sends the messages of a channel's turn, posts and edits alike, in order. Returns when the channel may go on, by this
 * process's monotonic clock.
 */
export async function sendMessages(turn: ChannelTurn, results: TurnResults): Promise<number> {
  const startedAt = performance.now();
  if (turn.messages.length === 0) {
    if (turn.startAt - startedAt > EXPLAINED_WAIT_MS) await explainTimeout(turn.channelId, turn.account.id);
    return turn.startAt;
  }
  const orphans = turn.messages.filter(({ message }) => message.sourceId === null);
  if (orphans.length > 0) await dropOrphans(orphans.map(({ message }) => message));
  if (turn.messages.some(({ message }) => message.isPaused)) await dropPaused(turn);
  const all = turn.messages.filter(({ message }) => message.sourceId !== null && !message.isPaused);
  const unknown = all.find(({ message }) => !isKeyKnown(message.sealedBody));
  const known = unknown ? all.slice(0, all.indexOf(unknown)) : all;
  const [first] = all;
  if (!first) return 0;
  const channelId = channelOf(turn, first.message);
  if (turn.isRefused || channelId !== turn.channelId) {
    const isOpen = await recheckChannel(turn, channelId).catch((error) =>
      afterFailedCheck(turn, first.message, error),
    );
    if (isOpen !== true) return isOpen || 0;
  }
  let resumeAt = 0;
  // A message that needs a reservation is noted together with it.
  const untried = known.map(({ message }) => message).filter(({ triedAt }) => !triedAt);
  await noteTried(untried.filter((message) => message.kind === 'counter' || isReplyInThread(turn, message)));
  const reservations = await Promise.all(known.map(({ message }) => reservationFor(turn, message)));
  for (const [index, granted] of known.entries()) {
    const { message } = granted;
    let reservation = reservations[index];
    // An earlier message may have released its reservation.
    if (reservation && 'stopped' in reservation && index > 0)
      reservation = await reservationFor(turn, message);
    if (!reservation) {
      // The message is gone, or another worker has just reserved it. If it still waits, looking again at once would not
      // help.
      resumeAt = performance.now() + AFTER_FAILURE_MS;
      continue;
    }
    if (performance.now() - startedAt > MAX_TURN_MS) return 0;
    await waitUntil(Math.max(turn.startAt, granted.startAt));
    if (turn.leaseLeft() <= 0) return 0;
    const attempt = { ...granted, turn, results, reservation };
    const waitsUntil = await sendOne(attempt).catch((error) => afterInternalError(attempt, error));
    if (waitsUntil !== null) return waitsUntil;
  }
  return unknown ? waitForKey(turn, unknown.message) : resumeAt;
}

const isReplyInThread = ({ channelId }: ChannelTurn, { kind, card }: WaitingMessage) =>
  kind === 'reply' && card?.threadId === channelId;

async function reservationFor(
  { account }: ChannelTurn,
  message: WaitingMessage,
): Promise<Reservation | null> {
  if (message.kind === 'counter') {
    const stopped = await whyCannotPost(account);
    return stopped ? { stopped } : { periodStart: message.usagePeriodStart };
  }
  const isFirstLine = message.kind === 'thread_start' && !message.card?.threadProblem;
  if (isFirstLine || !(UNCOUNTED.includes(message.kind) || isAboutCard(message)))
    return reserveNotification(account, message);
  const stopped = isAboutCard(message) ? whyStopped(account, new Date()) : null;
  return stopped ? { stopped } : NO_RESERVATION_NEEDED;
}

async function waitUntil(at: number): Promise<void> {
  const ms = at - performance.now();
  // A timer may be early by a millisecond.
  if (ms > 0) await sleep(Math.ceil(ms) + 1);
}
