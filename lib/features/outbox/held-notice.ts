import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { hash } from '@/lib/crypto';
import { db, runStatement } from '@/lib/db/database';
import { type MessageBody, sendMessage } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { hiddenId } from '@/lib/queue/hidden-id';
import { DAY_MS, MINUTE_MS, type TimeLeft, timeLeft } from '@/lib/time';
import type { Stop } from '../billing/standing';
import { blockCallsSql, blockedForMs, channelLimit } from '../calls/call-limits';
import type { ChannelTurn } from './claim-channels';
import { endMessages } from './end-messages';
import { findPosted, NONCE_IS_KNOWN_MS } from './find-posted';

// After this another worker may have taken the job over and posted the notice.
const FRESH_MS = MINUTE_MS;

export const heldNoticeJob = defineJob({
  name: 'post-held-notice',
  payload: z.object({ accountId: z.uuid(), channelId: z.string() }),
  key: ({ accountId, channelId }) => `held-notice:${accountId}:${hiddenId(channelId)}`,
});

type NoticeJob = z.infer<typeof heldNoticeJob.payload>;

/**
 * Holds a message and everything else that waits in its channel. Enqueues a notice for the channel that says how many
 * were held, at most once a day. Messages with a place in a period are not held, because they may have been posted.
 */
export async function holdChannel(
  turn: ChannelTurn,
  messageId: string,
  { stopped, hasNotice }: { stopped: Stop; hasNotice: boolean },
): Promise<void> {
  const channel = { accountId: turn.account.id, channelId: turn.channelId };
  const ending = { messageId, channelId: turn.channelId, withoutPlace: true, during: turn };
  await endMessages(ending, 'held', stopped.reason, stopped.code);
  if (hasNotice) await enqueue(db(), heldNoticeJob, channel);
}

/**
 * Posts the notice, which does not count as a notification, at most once a day. Which messages it counts is stored
 * before the attempt, so that a repeated attempt has the same text and can be found. Returns when to run again.
 */
export async function postHeldNotice(job: NoticeJob): Promise<{ done: true } | { retryInMs: number }> {
  const claimLeft = timeLeft(FRESH_MS);
  const { accountId, channelId } = job;
  const where = { accountId_channelId: { accountId, channelId } };
  const last = await db().heldNotice.findUnique({ where });
  const waitMs = (last?.postedAt.getTime() ?? 0) + DAY_MS - Date.now();
  if (waitMs > 0) return { retryInMs: waitMs };
  const finishedAt = { ...(last && { gt: last.postedAt }), ...(last?.upTo && { lte: last.upTo }) };
  // Once its rules are gone, the channel may belong to another account.
  const held = {
    where: {
      accountId,
      targetId: channelId,
      state: 'held',
      sourceId: { not: null },
      kind: { not: 'edit' },
      finishedAt,
    },
  } as const;
  const [count, newest] = await Promise.all([
    db().message.count(held),
    db().message.findFirst({ ...held, orderBy: { finishedAt: 'desc' } }),
  ]);
  if (!newest?.finishedAt) {
    // The messages to report are gone, but there may be newer ones.
    const { count: given } = await db().heldNotice.updateMany({
      where: { accountId, channelId, upTo: { not: null } },
      data: { upTo: null, triedAt: null },
    });
    return given > 0 ? { retryInMs: 0 } : { done: true };
  }
  const blockedMs = await blockedForMs(channelLimit(channelId));
  if (blockedMs > 0) return { retryInMs: blockedMs };
  const upTo = last?.upTo ?? newest.finishedAt;
  const attempt = await noteAttempt(job, upTo);
  // The account was deleted meanwhile, so there is nothing to report or store.
  if (!attempt) return { done: true };
  const notice = {
    content: texts.heldBack(count, newest.reason ?? ''),
    allowed_mentions: { parse: [] },
  };
  try {
    if (!attempt.isOld || !(await findPosted(accountId, channelId, attempt.triedAt, notice))) {
      await send(job, notice, upTo, claimLeft);
    }
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    if (error.isTransient) return { retryInMs: error.retryAfterMs ?? MINUTE_MS };
  }
  await db().heldNotice.updateMany({
    where: { accountId, channelId },
    data: { postedAt: upTo, upTo: null, triedAt: null },
  });
  return { done: true };
}

/**
 * When the notice was first tried, and whether Discord may have forgotten its nonce. Null if the account is gone.
 */
async function noteAttempt({ accountId, channelId }: NoticeJob, upTo: Date) {
  const [attempt] = await db().$queryRaw<{ triedAt: Date; isOld: boolean }[]>`
    insert into held_notice (account_id, channel_id, posted_at, up_to, tried_at)
    select id, ${channelId}, 'epoch', ${upTo}::timestamptz, now() from account where id = ${accountId}::uuid
    on conflict (account_id, channel_id) do update
    set up_to = excluded.up_to, tried_at = coalesce(held_notice.tried_at, excluded.tried_at)
    returning tried_at as "triedAt",
      tried_at < now() - ${NONCE_IS_KNOWN_MS} * interval '1 millisecond' as "isOld"`;
  return attempt;
}

async function send(
  { accountId, channelId }: NoticeJob,
  notice: MessageBody,
  upTo: Date,
  claimLeft: TimeLeft,
): Promise<void> {
  const nonce = hash(`held:${accountId}:${channelId}:${upTo.toISOString()}`).slice(0, 25);
  const { exhaustedForMs } = await sendMessage(channelId, { ...notice, nonce }, { accountId }, claimLeft);
  const until = performance.now() + exhaustedForMs;
  if (exhaustedForMs > 0) await runStatement(blockCallsSql([{ key: channelLimit(channelId), until }]));
}
