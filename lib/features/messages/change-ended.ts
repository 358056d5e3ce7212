import { Prisma, runStatement } from '@/lib/db/database';
import { sameAs } from '@/lib/db/planner-hints';

/** How and why messages ended that were not sent. */
interface Ended {
  state: 'failed' | 'held';
  reason: string;
  /** The message that was tried; empty for none. */
  triedId: string;
}

/**
 * Ends the messages that the part `ending` of a statement has locked; `may_be_posted` says that Discord may have them.
 */
export const endLockedSql = ({ state, reason, triedId }: Ended) => Prisma.sql`
  update message m set state = ${state}::message_state, reason = ${reason}::text,
    tried_at = case when ending.may_be_posted then m.tried_at end, finished_at = now(), not_before = null,
    usage_period_start = null, attempts = attempts + case when m.id::text = ${triedId}::text then 1 else 0 end
  from ending where m.id = ending.id and m.at = ending.at and m.account_id ${sameAs('ending.account_id')}`;

/**
 * Marks the messages of the part `known` as sent if they still wait. `known` has locked them, and has Discord's ids, the
 * `start` of the period in which each counts and, for those that are now somewhere else, `place_id`.
 */
export const CONFIRM_LOCKED = Prisma.sql`
  update message m set state = 'sent', discord_message_id = known.discord_message_id, finished_at = now(),
    target_id = coalesce(known.place_id, m.target_id), usage_period_start = known.start, reason = null,
    not_before = null, attempts = attempts + 1, sealed_body = null
  from known
  where m.id = known.id and m.at = known.at and m.account_id ${sameAs('known.account_id')} and known.state = 'waiting'`;

/** The card that shows lines without a thread, and why. */
interface ShownOn {
  channelId: string;
  discordMessageId: string | null;
  remark: string;
}

/** Marks the lines that the part `ending` of a statement has locked as shown by their card. */
export const showOnCardSql = ({ channelId, discordMessageId, remark }: ShownOn) => Prisma.sql`
  update message m set state = 'sent', remark = ${remark}::message_remark, target_id = ${channelId},
    discord_message_id = ${discordMessageId}, finished_at = now(), reason = null, not_before = null,
    usage_period_start = null, sealed_body = null
  from ending where m.id = ending.id and m.at = ending.at`;

/** The message's row or, because several may name the same message of Discord, its account. */
type PostedIn = { accountId: string } | { messageId: string };

/** Records that a posted message is no longer in Discord, so that nothing tries to edit it again. */
export async function forgetPosted(discordMessageId: string | null, posted: PostedIn): Promise<void> {
  const which =
    'messageId' in posted
      ? Prisma.sql`id = ${posted.messageId}::uuid`
      : Prisma.sql`account_id = ${posted.accountId}::uuid and kind <> 'edit'`;
  await runStatement(Prisma.sql`
    update message set discord_message_id = null where discord_message_id = ${discordMessageId} and ${which}`);
}
