import { Prisma, runStatement } from '@/lib/db/database';
import { lookedUp, sameAs } from '@/lib/db/planner-hints';

/** What names the row of a message. */
export interface MessageKey {
  id: string;
  at: Date;
}

/** Has messages that wait in one place be sent in another. `which` says which of them (`m`). */
export const retargetSql = (from: string, to: string, which: Prisma.Sql) => Prisma.sql`
  update message m set target_id = ${to} where m.target_id = ${from} and m.state = 'waiting' and ${which}`;

/** Makes a line the first of a thread that is still to be started, which takes a place. */
export async function makeFirstLine({ id, at }: MessageKey): Promise<void> {
  await runStatement(Prisma.sql`
    update message set kind = 'thread_start'
    where id = ${id}::uuid and at = ${at}::timestamptz and kind = 'reply' and state = 'waiting'`);
}

/** Puts a message of a card behind everything that waits in its channel: what it is about has not been posted yet. */
export async function putBehind({ id, at }: MessageKey): Promise<void> {
  await runStatement(Prisma.sql`
    update message set sequence = nextval('message_sequence_seq')
    where id = ${id}::uuid and at = ${at}::timestamptz and state = 'waiting'`);
}

/** Records that lines may be said from now on, so that they are looked for before they are repeated. */
export async function noteTried(lines: MessageKey[]): Promise<void> {
  if (lines.length === 0) return;
  await runStatement(Prisma.sql`
    update message m set tried_at = coalesce(m.tried_at, now())
    from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map(({ at }) => at)}::timestamptz[]) as l (id, at)
    where m.id = l.id and m.at = l.at and m.state = 'waiting'`);
}

/**
 * Records that a message of the account that the part `owner` has locked may be posted from now on, while the condition
 * `may` holds. `anew` when no earlier attempt has posted it: then that begins now.
 */
export const noteAttemptSql = ({ id, at }: MessageKey, anew: boolean, may: Prisma.Sql) => Prisma.sql`
  update message m set tried_at = case when ${anew}::boolean then now() else coalesce(tried_at, now()) end from owner
  where m.id = ${id}::uuid and m.at = ${at}::timestamptz and m.account_id = owner.id and m.state = 'waiting' and ${may}`;

/**
 * Records what a message of the account that the part `owner` has locked says from its first attempt on, while the condition
 * `may` holds: whoever repeats it says the same.
 */
export const noteSaidSql = ({ id, at }: MessageKey, sealedBody: Uint8Array, may: Prisma.Sql) => Prisma.sql`
  update message m set sealed_body = ${sealedBody}::bytea, tried_at = now() from owner
  where m.id = ${id}::uuid and m.at = ${at}::timestamptz and m.account_id = owner.id and m.state = 'waiting'
    and m.tried_at is null and ${may}`;

/** Records the places in periods of messages that rows of the part `placed` fit in, and that they may be sent from now on. */
export const notePlacesSql = (placed: string) => Prisma.sql`
  update message m set usage_period_start = p.start, tried_at = coalesce(m.tried_at, now())
  from ${Prisma.raw(placed)} p where m.id = p.id and m.at = p.at and m.account_id ${sameAs('p.account_id')} and p.fits`;

/** Has every message that waits looked for where it would be posted, because it may have been since then. */
export const doubtWaitingSql = (since: Prisma.Sql) =>
  Prisma.sql`update message set tried_at = least(tried_at, ${since}) where state = 'waiting'`;

/** Leaves a message waiting for so long, and says why, while the condition `may` holds. */
export const putOffSql = (
  { id, at }: MessageKey,
  { reason, waitMs }: { reason: string; waitMs: number },
  may: Prisma.Sql,
) => Prisma.sql`
  update message set reason = ${reason}, attempts = attempts + 1, postponed_at = coalesce(postponed_at, now()),
    not_before = now() + ${waitMs}::float8 * interval '1 millisecond'
  where id = ${id}::uuid and at = ${at}::timestamptz and state = 'waiting' and ${may}`;

/** Why and until when all messages of a channel wait. */
interface Delay {
  reason: string;
  until: Date;
}

/** Delays what waits in channels. `channels` selects their `channel_id`. */
export const delayChannelsSql = (channels: Prisma.Sql, { reason, until }: Delay) => Prisma.sql`
  update message m set reason = ${reason}, not_before = ${until}::timestamptz
  from (${channels}) channel
  where m.target_id = ${lookedUp('channel.channel_id')} and m.state = 'waiting'
    and m.not_before is distinct from ${until}::timestamptz`;

/** Ends that delay. */
export const endDelaySql = (channels: Prisma.Sql, until: Date) => Prisma.sql`
  update message m set reason = null, not_before = null from (${channels}) channel
  where m.target_id = ${lookedUp('channel.channel_id')} and m.state = 'waiting' and m.not_before = ${until}::timestamptz`;

const isNamedBy = (part: string) => Prisma.raw(`m.id = ${part}.id and m.at = ${part}.at`);

/** Has the messages that were kept back and that rows of a part name be sent. */
export const releaseKeptSql = (told: string) =>
  Prisma.sql`update message m set state = 'waiting' from ${Prisma.raw(told)} where ${isNamedBy(told)}`;

/** Has the failed messages that rows of a part name wait as if they were new, behind all others of their channels. */
export const sendAgainSql = (failed: string) => Prisma.sql`
  update message m set state = 'waiting', reason = null, attempts = 0, finished_at = null, not_before = null,
    postponed_at = null, usage_period_start = null, sequence = nextval('message_sequence_seq')
  from ${Prisma.raw(failed)} where ${isNamedBy(failed)}`;

/** Makes posts of the edits that rows of a part name. */
export const makePostsSql = (edits: string, remark: string) => Prisma.sql`
  update message m set kind = 'post', remark = ${remark}::message_remark, reason = null, attempts = 0,
    not_before = null, postponed_at = null
  from ${Prisma.raw(edits)} where ${isNamedBy(edits)}`;

/**
 * Takes from the lines that were to tell the decisions of the part `edits`, by its `decision_id`, what they were sent for:
 * the channel's turn drops them.
 */
export const orphanLinesSql = (edits: string) => {
  const part = Prisma.raw(edits);
  return Prisma.sql`
  update message m set source_id = null from ${part}
  where m.id = ${part}.decision_id and m.at = ${part}.at and m.id <> ${part}.id and m.state = 'waiting'`;
};
