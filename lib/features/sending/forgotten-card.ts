import { db } from '@/lib/db/database';
import { editMessage, messageLink } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { movedCard } from '../cards/moved-card';
import type { PostBody } from '../forums/post-shape';
import type { ChannelTurn } from '../outbox/claim-channels';
import { isLivingCard } from '../posted/current-card';
import { PostedHistory } from '../recovery/posted-before';
import { type Attempt, isLine } from './attempt';

/** A message that is ready: a new one, or an edit of the one with this id. */
interface Ready {
  body: PostBody;
  edits: string | null;
}

const histories = new WeakMap<ChannelTurn, PostedHistory>();

/**
 * What is left to say of a card, or of a line in its thread, that may have been posted before the database was restored
 * to an earlier moment. Null when nothing is left; it is then noted as sent. A living card says everything again: it
 * `replaces` the one with that id, which the database has forgotten.
 */
export async function leftToSay(
  { turn, results, message, reservation }: Attempt,
  ready: Ready,
): Promise<(Ready & { replaces: string | null }) | null> {
  const { forgottenSince } = message;
  const { body } = ready;
  // A whole card in a post tells of one event, but the first message there shows the page as it is by now.
  const cannotCompare = body.post !== undefined || (isLine(message) && body.embeds !== undefined);
  if (!forgottenSince || cannotCompare || 'stopped' in reservation) return { ...ready, replaces: null };
  const history = histories.get(turn) ?? new PostedHistory(turn.account.id, turn.channelId, forgottenSince);
  histories.set(turn, history);
  const left = await history.leftOf(body);
  if ('saidIn' in left) {
    results.sent(message, left.saidIn, reservation.periodStart);
    return null;
  }
  const isLiving = await isLivingCard(message, turn.account.id);
  return isLiving
    ? { ...ready, replaces: history.lastLike(body) }
    : { ...ready, body: left.card, replaces: null };
}

/** Turns a forgotten living card into a link to the one that was posted in its place. Failing is only logged. */
export async function linkForgotten(
  { channelId, account, leaseLeft }: ChannelTurn,
  forgottenId: string,
  { messageId, title }: { messageId: string; title: string },
): Promise<void> {
  const server = await db().discordServer.findFirst({ where: { accountId: account.id } });
  if (!server) return;
  const moved = movedCard({ title });
  const content = `${moved.content} ${messageLink(server.guildId, channelId, messageId)}`;
  const place = { channelId, messageId: forgottenId };
  await editMessage(place, { ...moved, content }, { isCard: true }, leaseLeft).catch((err) => {
    if (!(err instanceof DiscordError)) throw err;
    log.warn({ err, channelId }, 'forgotten card not linked');
  });
}
