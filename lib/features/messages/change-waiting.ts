import { Prisma, runStatement } from '@/lib/db/database';
import { lookedUp, sameAs } from '@/lib/db/planner-hints';

/** The key of a message's row. */
export interface MessageKey {
  id: string;
  at: Date;
}

/**
 * Locks the waiting messages (`m`) of channels, in the order of their ids as whatever confirms or ends messages of
 * several channels. `channels` selects their `channel_id`, and `which` is a further condition.
 */
const lockWaitingSql = (channels: Prisma.Sql, which: Prisma.Sql) => Prisma.sql`
  select m.id, m.at, m.sequence from (${channels}) channel join message m on m.target_id = ${lookedUp('channel.channel_id')}
  where m.state = 'waiting' and ${which} order by m.id for no key update of m`;

const channelSql = (channelId: string) => Prisma.sql`select ${channelId}::text as channel_id`;

/** Moves waiting messages (`m`) from one channel or thread to another. `which` is a further condition. */
export const retargetSql = (from: string, to: string, which: Prisma.Sql) => Prisma.sql`
  update message m set target_id = ${to} from (${lockWaitingSql(channelSql(from), which)}) moving
  where m.id = moving.id and m.at = moving.at`;

/** Makes a line the one that starts its card's thread. Unlike a reply, it needs a reservation. */
export async function makeFirstLine({ id, at }: MessageKey): Promise<void> {
  await runStatement(Prisma.sql`
    update message set kind = 'thread_start'
    where id = ${id}::uuid and at = ${at}::timestamptz and kind = 'reply' and state = 'waiting'`);
}

/** Puts a message behind everything else that waits in its channel, because its card has not been posted yet. */
export async function putBehind({ id, at }: MessageKey): Promise<void> {
  await runStatement(Prisma.sql`
    update message set sequence = nextval('message_sequence_seq')
    where id = ${id}::uuid and at = ${at}::timestamptz and state = 'waiting'`);
}

/** Does that to the waiting messages (`m`) of a channel that `which` selects, and keeps their order. */
export const putBehindSql = (channelId: string, which: Prisma.Sql) => Prisma.sql`
  update message m set sequence = behind.sequence from (
    select id, at, nextval('message_sequence_seq') as sequence from (
      select id, at from (${lockWaitingSql(channelSql(channelId), which)}) locked order by sequence) in_order
  ) behind
  where m.id = behind.id and m.at = behind.at`;

/** Records that lines may be posted from now on, so that they are searched for before another attempt. */
export async function noteTried(lines: MessageKey[]): Promise<void> {
  if (lines.length === 0) return;
  await runStatement(Prisma.sql`
    update message m set tried_at = coalesce(m.tried_at, now()) from (
      select m.id, m.at
      from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map(({ at }) => at)}::timestamptz[]) as l (id, at)
      join message m on m.id = l.id and m.at = l.at and m.state = 'waiting' order by m.id for no key update of m
    ) tried
    where m.id = tried.id and m.at = tried.at`);
}

/**
 * Records that a message may be posted from now on, if the condition `may` holds. The part `owner` has locked its
 * account. With `anew` the time counts from now, because no earlier attempt has posted it.
 */
export const noteAttemptSql = ({ id, at }: MessageKey, anew: boolean, may: Prisma.Sql) => Prisma.sql`
  update message m set tried_at = case when ${anew}::boolean then now() else coalesce(tried_at, now()) end from owner
  where m.id = ${id}::uuid and m.at = ${at}::timestamptz and m.account_id = owner.id and m.state = 'waiting' and ${may}`;

/**
 * Records the body of a message and that it may be posted from now on, before its first attempt and if the condition
 * `may` holds, so that a repeated attempt has the same text. The part `owner` has locked its account.
 */
export const noteSaidSql = ({ id, at }: MessageKey, sealedBody: Uint8Array, may: Prisma.Sql) => Prisma.sql`
  update message m set sealed_body = ${sealedBody}::bytea, tried_at = now() from owner
  where m.id = ${id}::uuid and m.at = ${at}::timestamptz and m.account_id = owner.id and m.state = 'waiting'
    and m.tried_at is null and ${may}`;

/**
 * Records the reservations of the messages in the part `requested` that fit, and that they may be posted from now on.
 */
export const NOTE_RESERVATIONS = Prisma.sql`
  update message m set usage_period_start = p.start, tried_at = coalesce(m.tried_at, now())
  from requested p where m.id = p.id and m.at = p.at and m.account_id ${sameAs('p.account_id')} and p.fits`;

/**
 * Makes every waiting message be searched for before it is posted, because it may have been posted since then. In the
 * meantime nothing was tried, so the day in which it is tried again starts anew.
 */
export const doubtWaitingSql = (since: Prisma.Sql) => Prisma.sql`
  update message set tried_at = least(tried_at, ${since}), postponed_at = null where state = 'waiting'`;

/** Leaves a message waiting for this long and records why, if the condition `may` holds. */
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

/**
 * Delays the waiting messages of channels, and starts the day in which they are tried again anew, because meanwhile
 * nothing is tried. `channels` selects their `channel_id`.
 */
export const delayChannelsSql = (channels: Prisma.Sql, { reason, until }: Delay) => Prisma.sql`
  update message m set reason = ${reason}, not_before = ${until}::timestamptz, postponed_at = null
  from (${lockWaitingSql(channels, Prisma.sql`m.not_before is distinct from ${until}::timestamptz`)}) delayed
  where m.id = delayed.id and m.at = delayed.at`;

/** Ends that delay for the messages that it would delay beyond a time, given as an expression. */
export const endDelaySql = (
  channels: Prisma.Sql,
  { reason, until }: { reason: string; until: Prisma.Sql },
) => Prisma.sql`
  update message m set reason = null, not_before = null
  from (${lockWaitingSql(channels, Prisma.sql`m.reason = ${reason} and m.not_before > ${until}`)}) delayed
  where m.id = delayed.id and m.at = delayed.at`;

/**
 * Records Discord's id of a message that stands there without all that it says, if the condition `holds`: its next
 * attempt edits that one.
 */
export async function noteIncomplete(
  { id, at }: MessageKey,
  discordMessageId: string,
  holds: Prisma.Sql,
): Promise<void> {
  await runStatement(Prisma.sql`
    update message set discord_message_id = ${discordMessageId}
    where id = ${id}::uuid and at = ${at}::timestamptz and state = 'waiting' and ${holds}`);
}

/** Releases the messages that were kept back and that the part `told` names. */
export const RELEASE_KEPT = Prisma.sql`
  update message m set state = 'waiting' from told where m.id = told.id and m.at = told.at`;

/** Queues the failed messages in the part `going` again, behind all others of their channels. */
export const SEND_AGAIN = Prisma.sql`
  update message m set state = 'waiting', reason = null, attempts = 0, finished_at = null, not_before = null,
    postponed_at = null, usage_period_start = null, sequence = nextval('message_sequence_seq')
  from going where m.id = going.id and m.at = going.at`;

/** Turns the edit in the part `edit` into a post. */
export const makePostSql = (remark: string) => Prisma.sql`
  update message m set kind = 'post', remark = ${remark}::message_remark, reason = null, attempts = 0,
    not_before = null, postponed_at = null
  from edit where m.id = edit.id and m.at = edit.at`;

/**
 * Removes the source of the line that was to tell the decision of the part `edit` (`decision_id`), so that the channel's
 * turn drops it.
 */
export const ORPHAN_LINE = Prisma.sql`
  update message m set source_id = null from edit
  where m.id = edit.decision_id and m.at = edit.at and m.id <> edit.id and m.state = 'waiting'`;
