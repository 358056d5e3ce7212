import { databasePool } from '@/lib/db/database';
import { inChunks, listPartitions } from '@/lib/db/partitions';
import { log } from '@/lib/log';
import { defineJob, noPayload } from '@/lib/queue/define-job';
import { NOTICES_KEPT_DAYS } from '../outbox/held-notice';
import { DECISIONS_KEPT_DAYS } from './log-sql';

/** How long events, decisions and messages are kept. The page "Privacy" states the same. */
const EVENTS_KEPT = '30 days';
const DECISIONS_KEPT = `${DECISIONS_KEPT_DAYS} days`;
const MESSAGES_KEPT = '13 months';

// Partitions are made this far ahead, so that a month of failed upkeep does no harm.
const MADE_AHEAD = '35 days';

// Small enough that nobody waits long for a lock, and that a replica keeps up.
const CHUNK = 5000;

export const upkeepJob = defineJob({ name: 'upkeep', payload: noPayload, key: [] });

/**
 * Makes the partitions for the coming weeks of decisions and months of messages and cards, drops the partitions that
 * are old enough, and deletes old rows in the oldest week and in the default partitions, where a sender's wrong clock
 * puts rows. Every step may be interrupted and run again.
 */
export async function keepPartitions(): Promise<void> {
  await oneByOne(MAKE_SQL, [DECISIONS_KEPT, MADE_AHEAD], 'partition made');
  await oneByOne(DROP_SQL, [DECISIONS_KEPT, MESSAGES_KEPT], 'old partition dropped');
  for (const part of ['message_default', 'card_default']) await dropOld(part, 'at', MESSAGES_KEPT);
  // A new page that was reported very late may still be settling.
  for (const part of await listPartitions('decision')) {
    await dropOld(part, `outcome <> 'settling' and event_at`, DECISIONS_KEPT);
  }
}

// Each call makes or drops one partition, so that its locks are short.
const MAKE_SQL = 'select make_missing_partition(now() - $1::interval, $2) as partition';
const DROP_SQL = 'select drop_old_partition(now() - $1::interval, now() - $2::interval) as partition';

async function oneByOne(statement: string, values: string[], done: string): Promise<void> {
  for (let isLeft = true; isLeft; ) {
    const { rows } = await databasePool().query<{ partition: string | null }>(statement, values);
    const partition = rows[0]?.partition ?? null;
    isLeft = partition !== null;
    if (isLeft) log.info({ partition }, done);
  }
}

async function dropOld(part: string, since: string, kept: string): Promise<void> {
  await inChunks(
    CHUNK,
    `delete from ${part} where ctid = any(array(
       select ctid from ${part} where ${since} < now() - $1::interval limit ${CHUNK} for update skip locked))`,
    [kept],
  );
}

/** Deletes old events. Until then a repeated event is recognised by its id. */
export async function forgetOldEvents(): Promise<void> {
  for (const part of await listPartitions('notion_event')) {
    await inChunks(
      CHUNK,
      `delete from ${part} where ctid = any(array(
         select ctid from ${part} where received_at < now() - $1::interval limit ${CHUNK} for update skip locked))`,
      [EVENTS_KEPT],
    );
  }
}

/** Deletes expired records about channels: limits that have ended, and old refusals and notices. */
export async function forgetOldChannelNotes(): Promise<void> {
  const pool = databasePool();
  await pool.query(`delete from rate_limit where blocked_until < now() - interval '1 day'`);
  await pool.query(`delete from invalid_answer where minute < now() - interval '1 day'`);
  await pool.query(
    `delete from held_notice where greatest(posted_at, tried_at) < now() - interval '${NOTICES_KEPT_DAYS} days'`,
  );
  await pool.query(`
    delete from channel_problem p where since < now() - interval '30 days'
      and not exists (select 1 from message m where m.target_id = p.channel_id and m.state = 'waiting')
      and not exists (select 1 from rule r where r.channel_id = p.channel_id)`);
}
