import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { db, Prisma, type Transaction, transaction } from '@/lib/db/database';
import type { HeldNotice, MessageKind } from '@/lib/db/generated/client';
import { type MessageBody, NONCE_IS_KNOWN_MS } from '@/lib/integrations/discord/discord-messages';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { hashedId } from '@/lib/queue/hashed-id';
import { DAY_MS } from '@/lib/time';
import type { Stop } from '../billing/posting-permission';
import { whyCannotPost } from '../billing/quota';
import { noteSaidSql } from '../messages/change-waiting';
import { queueMessagesSql, wakeChannelsSql } from '../messages/queue-messages';
import { sealMessage } from '../messages/sealed-body';
import { dropMessage } from '../posted/thread-lines';
import { lockAccount } from '../tenancy/lock-account';
import { type ChannelTurn, holdsTurnSql, type WaitingMessage } from './claim-channels';
import { endMessages } from './end-messages';

export const heldNoticeJob = defineJob({
  name: 'post-held-notice',
  payload: z.object({ accountId: z.uuid(), channelId: z.string() }),
  key: ({ accountId, channelId }) => `held-notice:${accountId}:${hashedId(channelId)}`,
});

/** How long it is kept what a channel was told. The page "Privacy" states the same. */
export const NOTICES_KEPT_DAYS = 30;

type NoticeJob = z.infer<typeof heldNoticeJob.payload>;

/**
 * Holds a message and everything else that waits in its channel. Enqueues a notice for the channel that says how many
 * were held, at most once a day. Messages with a reservation are not held, because they may have been posted.
 */
export async function holdChannel(
  turn: ChannelTurn,
  messageId: string,
  { stopped, hasNotice }: { stopped: Stop; hasNotice: boolean },
): Promise<void> {
  const channel = { accountId: turn.account.id, channelId: turn.channelId };
  const ending = { messageId, channelId: turn.channelId, isUnreserved: true, holds: holdsTurnSql(turn) };
  const also = hasNotice && { also: (tx: Transaction) => enqueue(tx, heldNoticeJob, channel) };
  await endMessages({ ...ending, ...also }, 'held', stopped.reason, stopped.code);
}

/**
 * Queues the notice in its channel: at the earliest a day after the previous one, and one at a time. Returns when to
 * run again.
 */
export async function queueHeldNotice(job: NoticeJob): Promise<{ done: true } | { retryInMs: number }> {
  const { accountId, channelId } = job;
  return transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const last = await tx.heldNotice.findUnique({ where: { accountId_channelId: { accountId, channelId } } });
    const toldAt = last?.toldAt ?? last?.postedAt;
    const waitMs = Math.max(msUntil(toldAt, DAY_MS), msUntil(last?.triedAt, NONCE_IS_KNOWN_MS));
    if (waitMs > 0) return { retryInMs: waitMs };
    const held = await countHeld(tx, job, last);
    if (held) await addNotice(tx, job, { body: say(held), triedAt: last?.triedAt ?? null });
    if (!last?.upTo) return { done: true };
    // The previous version of the program may have posted it, so it is looked for before it is sent.
    await tx.heldNotice.updateMany({
      where: { accountId, channelId },
      data: { ...(held && { postedAt: last.upTo }), upTo: null, triedAt: null },
    });
    return { retryInMs: 0 };
  });
}

const msUntil = (since: Date | null | undefined, passedMs: number) =>
  since ? since.getTime() + passedMs - Date.now() : 0;

async function addNotice(
  tx: Transaction,
  { accountId, channelId }: NoticeJob,
  { body, triedAt }: { body: MessageBody; triedAt: Date | null },
): Promise<void> {
  const id = randomUUID();
  const rows = Prisma.sql`
    select ${id}::uuid, date_trunc('milliseconds', now()), nextval('message_sequence_seq'), id, id, 'notice'::message_kind,
      'waiting'::message_state, ${channelId}, null, ${sealMessage(id, body)}::bytea, ${triedAt}::timestamptz
    from account where id = ${accountId}::uuid and not exists (
      select 1 from message where target_id = ${channelId} and state = 'waiting' and kind = 'notice'
        and account_id = ${accountId}::uuid)`;
  await tx.$queryRaw`
    with notice as (
      ${queueMessagesSql(rows, ['tried_at'])} returning target_id, account_id
    )
    ${wakeChannelsSql(Prisma.sql`select target_id, account_id from notice`)}`;
}

/**
 * The body of a notice: on its first attempt it counts the held messages and says what keeps the account from posting
 * now, if anything does, and later attempts say the same. Drops the notice when none is held any more. `until` is as
 * `sendOne` returns it.
 */
export async function prepareNotice(
  { turn, message }: { turn: ChannelTurn; message: WaitingMessage },
  said: MessageBody,
): Promise<{ body: MessageBody; edits: null } | { until: null }> {
  const channel = { accountId: turn.account.id, channelId: turn.channelId };
  const last = await db().heldNotice.findUnique({ where: { accountId_channelId: channel } });
  const held = await countHeld(db(), channel, message.triedAt ? null : last);
  if (!held) {
    await dropMessage(message);
    return { until: null };
  }
  if (message.triedAt) return { body: said, edits: null };
  const stopped = await whyCannotPost(turn.account);
  const current = { ...held, reason: stopped?.reason ?? null };
  return (await noteTold(turn, message, current)) ? { body: say(current), edits: null } : { until: null };
}

/** Records what the notice tells. Returns whether the turn still has the channel and the message still waits. */
async function noteTold(turn: ChannelTurn, message: WaitingMessage, held: Held): Promise<boolean> {
  const told = await db().$executeRaw`
    with owner as (
      select id from account where id = ${turn.account.id}::uuid for key share
    ), said as (
      ${noteSaidSql(message, sealMessage(message.id, say(held)), holdsTurnSql(turn))} returning m.account_id
    )
    insert into held_notice (account_id, channel_id, posted_at, told_at)
    select account_id, ${turn.channelId}, ${held.upTo}::timestamptz, now() from said
    on conflict (account_id, channel_id) do update set posted_at = excluded.posted_at, told_at = excluded.told_at`;
  return told > 0;
}

interface Held {
  count: number;
  /** When the last of them was held. */
  upTo: Date;
  /** Why nothing is posted, and when posting resumes; null while the account may post. */
  reason: string | null;
}

const say = ({ count, reason }: Held): MessageBody => ({
  content: texts.heldBack(count, reason),
  allowed_mentions: { parse: [] },
});

/**
 * The held messages of a channel that no notice has told of; null for none. `last` is the row about its latest notice.
 * Without one, messages that are older than a row is kept do not count, because a notice may have told of them.
 */
async function countHeld(
  tx: Pick<Transaction, 'message'>,
  { accountId, channelId }: NoticeJob,
  last: HeldNotice | null,
): Promise<Held | null> {
  const gt = last?.postedAt ?? new Date(Date.now() - NOTICES_KEPT_DAYS * DAY_MS);
  const finishedAt = { gt, ...(last?.upTo && { lte: last.upTo }) };
  // Once its rules are gone, the channel may belong to another account.
  const held = {
    where: {
      accountId,
      targetId: channelId,
      state: 'held',
      sourceId: { not: null },
      kind: { notIn: ['edit', 'notice'] as MessageKind[] },
      finishedAt,
    },
  } as const;
  const [count, newest] = await Promise.all([
    tx.message.count(held),
    tx.message.findFirst({ ...held, orderBy: { finishedAt: 'desc' } }),
  ]);
  return newest?.finishedAt ? { count, upTo: newest.finishedAt, reason: newest.reason } : null;
}
