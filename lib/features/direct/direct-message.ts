import { db, Prisma, type Transaction, transaction } from '@/lib/db/database';
import { NONCE_IS_KNOWN_MS } from '@/lib/integrations/discord/discord-messages';
import { metrics } from '@/lib/metrics';
import { whileLeased } from '@/lib/queue/while-leased';
import { noteAttemptSql } from '../messages/change-waiting';
import { dropWaitingSql } from '../messages/drop-messages';
import { CONFIRMED_COUNT, confirmSentSql } from '../outbox/confirm-sql';
import { endSql } from '../outbox/end-sql';
import { type Conversation, holdsSql } from './conversation';

/** A direct message that waits. */
export interface WaitingDirect {
  id: string;
  at: Date;
  sequence: bigint;
  kind: 'direct' | 'letter';
  /** Null when the rule of a letter is gone. */
  sourceId: string | null;
  /** Start of the period in which a letter has a reservation; null without one. */
  usagePeriodStart: Date | null;
  sealedBody: Uint8Array;
  attempts: number;
  postponedAt: Date | null;
  triedAt: Date | null;
  /** In how many milliseconds it may be sent. */
  waitMs: number;
  /** Whether the reason for sending it still holds. */
  isWanted: boolean;
}

/** A message that was sent or given up. */
export interface EndedDirect {
  sourceId: string;
  isSent: boolean;
  /** When Discord was first asked to post it, or when it was given up without asking. */
  at: Date;
}

interface SentDirect {
  /** Null when somebody has deleted it since. */
  discordMessageId: string | null;
}

interface FailedDirect {
  reason: string;
  /** If it was first tried after this, Discord has certainly not posted it. Absent means now. */
  answeredSince: Date | undefined;
}

/** Runs when a message has ended, in the same transaction. */
export type AfterDirect = (tx: Transaction, ended: EndedDirect) => Promise<void>;

/** The first message that waits in a conversation; undefined when none does. */
export async function firstWaiting({ id, accountId }: Conversation) {
  const [first] = await db().$queryRaw<WaitingDirect[]>`
    select id, at, sequence, kind::text as kind, source_id as "sourceId", usage_period_start as "usagePeriodStart",
      sealed_body as "sealedBody", attempts, postponed_at as "postponedAt",
      tried_at as "triedAt", coalesce(is_direct_wanted(source_id), false) as "isWanted",
      coalesce(extract(epoch from not_before - now()), 0)::float8 * 1000 as "waitMs"
    from message where target_id = ${id} and account_id = ${accountId}::uuid and kind in ('direct', 'letter')
      and state = 'waiting'
    order by sequence limit 1`;
  return first;
}

/** Deletes a waiting message that is no longer wanted. */
export async function dropDirect(message: WaitingDirect, conversation: Conversation): Promise<void> {
  await db().$executeRaw(dropWaitingSql(message, holdsSql(conversation)));
}

/**
 * Notes that Discord may be asked to post a message from now on. Returns when that was first noted, and whether
 * Discord may have forgotten the nonce since. With `anew` it counts from now, because no earlier attempt has posted
 * it. Undefined when it must not be sent, because the account, the reason for it or the lease of the conversation is
 * gone.
 */
export async function noteAttempt(
  message: WaitingDirect,
  conversation: Conversation,
  { anew }: { anew: boolean },
): Promise<{ triedAt: Date; isOld: boolean } | undefined> {
  const [attempt] = await db().$queryRaw<{ triedAt: Date; isOld: boolean }[]>`
    with owner as (select id from account where id = ${conversation.accountId}::uuid for key share)
    ${noteAttemptSql(message, anew, Prisma.sql`is_direct_wanted(m.source_id) and ${holdsSql(conversation)}`)}
    returning tried_at as "triedAt", tried_at < now() - ${NONCE_IS_KNOWN_MS} * interval '1 millisecond' as "isOld"`;
  return attempt;
}

/** Records once how a message ended, and runs `after` in the same transaction. */
export async function endDirect(
  message: WaitingDirect,
  conversation: Conversation,
  ending: SentDirect | FailedDirect,
  after: AfterDirect[],
): Promise<void> {
  const { id: messageId, sourceId } = message;
  const holds = holdsSql(conversation);
  const isSent = 'discordMessageId' in ending;
  const statement = isSent
    ? confirmSql(message, conversation, ending)
    : endSql({ messageId, answeredSince: ending.answeredSince, holds }, 'failed', ending.reason);
  const hasEnded = await whileLeased(conversation, () =>
    transaction(async (tx) => {
      const [ended] = await tx.$queryRaw<{ at: Date }[]>(statement);
      if (!ended) return false;
      if (sourceId === null) return true;
      for (const follow of after) await follow(tx, { sourceId, isSent, at: ended.at });
      return true;
    }),
  );
  if (hasEnded)
    metrics.deliveries.inc(isSent ? { state: 'sent', reason: '' } : { state: 'failed', reason: 'direct' });
}

const confirmSql = (
  { id, at }: WaitingDirect,
  { accountId }: Conversation,
  { discordMessageId }: SentDirect,
) => Prisma.sql`
  with ${confirmSentSql([{ id, at, accountId, discordMessageId, periodStart: null }])}
  select tried_at as at from confirmed where ${CONFIRMED_COUNT} > 0`;
