import { texts } from '@/lib/bot-texts';
import { hash } from '@/lib/crypto';
import { db, runStatement } from '@/lib/db/database';
import { sendMessage } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { enqueue } from '@/lib/queue/enqueue';
import { DAY_MS, MINUTE_MS } from '@/lib/time';
import { blockCallsSql, blockedForMs, channelLimit } from './call-limits';
import type { ChannelTurn } from './channel-turns';
import { endDeliveries } from './end-deliveries';

interface NoticeJob {
  accountId: string;
  channelId: string;
}

export const noticeJobKey = ({ accountId, channelId }: NoticeJob) => `held-notice:${accountId}:${channelId}`;

/**
 * Holds a message and what waits in its channel for good, and has the channel told once a day how many that were.
 * What has its place in a period is left to its own turn: it may have been posted.
 */
export async function holdChannel(turn: ChannelTurn, deliveryId: string, reason: string): Promise<void> {
  const channel = { accountId: turn.account.id, channelId: turn.channelId };
  const ending = { deliveryId, channelId: turn.channelId, withoutPlace: true, during: turn };
  await endDeliveries(ending, 'held', reason);
  const key = noticeJobKey(channel);
  await enqueue(db(), { name: 'post-held-notice', payload: { ...channel }, key, queue: key });
}

/** Posts the notice, which does not count, unless it is not a day since the last. Says in how long to come again. */
export async function postHeldNotice({
  accountId,
  channelId,
}: NoticeJob): Promise<{ done: true } | { retryInMs: number }> {
  const where = { accountId_channelId: { accountId, channelId } };
  const last = await db().heldNotice.findUnique({ where });
  const waitMs = (last?.postedAt.getTime() ?? 0) + DAY_MS - Date.now();
  if (waitMs > 0) return { retryInMs: waitMs };
  const since = {
    where: { accountId, channelId, state: 'held', ...(last && { finishedAt: { gt: last.postedAt } }) },
  };
  const [count, newest] = await Promise.all([
    db().delivery.count(since),
    db().delivery.findFirst({ ...since, orderBy: { finishedAt: 'desc' } }),
  ]);
  if (!newest) return { done: true };
  const content = texts.heldBack(count, newest.reason ?? '');
  const nonce = hash(`held:${accountId}:${channelId}:${last?.postedAt.toISOString()}`).slice(0, 25);
  const blockedMs = await blockedForMs(channelLimit(channelId));
  if (blockedMs > 0) return { retryInMs: blockedMs };
  try {
    const notice = { content, allowed_mentions: { parse: [] } };
    const { exhaustedForMs } = await sendMessage(channelId, notice, nonce);
    const until = performance.now() + exhaustedForMs;
    if (exhaustedForMs > 0) await runStatement(blockCallsSql([{ key: channelLimit(channelId), until }]));
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    if (error.isTransient) return { retryInMs: error.retryAfterMs ?? MINUTE_MS };
  }
  // The account may have been deleted meanwhile; then nothing is to be kept.
  await db().$executeRaw`
    insert into held_notice (account_id, channel_id, posted_at)
    select id, ${channelId}, ${newest.finishedAt}::timestamptz from account where id = ${accountId}::uuid
    on conflict (account_id, channel_id) do update set posted_at = excluded.posted_at`;
  return { done: true };
}
