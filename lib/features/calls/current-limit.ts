import { Prisma } from '@/lib/db/database';
import { BOT_TIMED_OUT, FORBIDDEN } from './discord-refusal';

// Ordinary limits end sooner, and nobody needs to read about them.
const WORTH_SAYING = Prisma.sql`interval '10 seconds'`;

const OF_BOT = 'Discord takes no calls from Pagewire at the moment. The card is sent as soon as it does.';
const OF_CHANNEL = 'Discord asks the bot to wait in the channel. The card is sent when that ends.';

/**
 * Joins the limit `l` that a waiting message `m` waits for: `until` when, and the `reason` in words; no row while none
 * is longer than a few seconds. New messages do not wait for a limit of follow-ups. If all of the bot has to wait, what
 * the message's own attempt was told says more.
 */
export const LIMIT_OF_MESSAGE = Prisma.sql`
  left join lateral (
    select blocked_until as until, case when key = 'discord' then coalesce(m.reason, ${OF_BOT}::text)
      when status = ${FORBIDDEN}::int then ${BOT_TIMED_OUT}::text else ${OF_CHANNEL}::text end as reason
    from rate_limit
    where m.state = 'waiting' and blocked_until > greatest(m.not_before, now() + ${WORTH_SAYING})
      and key = any(array['discord', 'discord:' || m.target_id,
        case when m.kind <> 'post' then 'discord:follow-up:' || m.target_id end])
    order by blocked_until desc limit 1) l on true`;
