import { log } from '@/lib/log';
import { onOwnClock } from '@/lib/queue/database-clock';
import { MINUTE_MS } from '@/lib/time';
import { isFirstIn } from '../calls/call-limits';
import type { PostBody } from '../forums/post-shape';
import { noteIncomplete } from '../messages/change-waiting';
import { type ChannelTurn, holdsTurnSql } from '../outbox/claim-channels';
import { findServerOf } from '../servers/queries';
import { invalidateReading, type ServerToRead } from '../servers/read-guild';
import { type Attempt, channelOf } from './attempt';
import { findTimeout } from './bot-timeout';
import { stopChannel } from './channel-problem';
import { callOnce, type Sent } from './post-or-edit';
import { readServerAndTimeouts } from './refresh-server';

// Minimum time between two readings for a channel that loses embeds although the bot may show them.
const REREAD_AFTER_MS = MINUTE_MS;

/** A message that Discord shows without its embeds. */
interface Bare {
  sent: Sent;
  /** What it was to show. */
  body: PostBody;
  /** Whether it was posted, not edited. */
  isPosted: boolean;
  periodStart: Date | null;
}

/**
 * What follows from a message that Discord shows without its embeds. Null if it counts as sent. Otherwise when the
 * channel may go on: the bot is timed out, and the message is sent again after that; or it lacks a permission, and the
 * channel is stopped.
 */
export async function afterLostEmbeds(
  attempt: Attempt,
  { sent, body, isPosted, periodStart }: Bare,
): Promise<number | null> {
  const { turn, message, results } = attempt;
  const channelId = channelOf(turn, message);
  const why = await whyWithoutEmbeds(turn, channelId);
  if (!why) {
    // An attempt before the permission came back may have posted it: Discord answers with that message.
    if (isPosted && !sent.placeId) await callOnce(attempt, body, sent.messageId);
    return null;
  }
  // The message that stands is edited by the next attempt, also when Discord has forgotten the nonce.
  if (isPosted && !sent.placeId) await noteIncomplete(message, sent.messageId, holdsTurnSql(turn));
  if ('until' in why) return why.until;
  // A post has its title and its tags; a later edit shows the card.
  if (sent.placeId) results.sent(message, sent.messageId, periodStart, sent.placeId);
  await results.flush();
  const reason = `Discord shows the message without its card: ${why.denied}.`;
  await stopChannel(turn, message.id, { channelId, reason, code: 'forbidden' });
  return 0;
}

/**
 * Why the messages of a channel lose their embeds: what the bot lacks there, in words, or until when it is timed out,
 * by this process's monotonic clock. Null for neither, or when Discord does not show the server.
 */
async function whyWithoutEmbeds(
  turn: ChannelTurn,
  channelId: string,
): Promise<{ denied: string } | { until: number } | null> {
  const { account, databaseTime } = turn;
  const denied = await findDenied(account.id, channelId);
  if (denied) return { denied };
  const until = await findTimeout(account.id);
  return until && { until: onOwnClock(until, databaseTime) };
}

async function findDenied(accountId: string, channelId: string): Promise<string | null> {
  const server = await findServerOf(channelId, accountId);
  if (!server) return null;
  const denied = await readDenied(server, channelId);
  // What is reused may have been read just before the permission was taken.
  if (denied || !(await isFirstIn(`discord:embeds:${channelId}`, REREAD_AFTER_MS))) return denied;
  await invalidateReading(accountId);
  return readDenied(server, channelId);
}

async function readDenied(server: ServerToRead, channelId: string): Promise<string | null> {
  const seen = await readServerAndTimeouts(server).catch((err) =>
    log.warn({ err, serverId: server.id }, 'server not read'),
  );
  return seen?.find(({ id }) => id === channelId)?.accessProblem ?? null;
}
