import { Prisma, runStatement } from '@/lib/db/database';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { MINUTE_MS } from '@/lib/time';
import { blockCallsSql, WHOLE_BOT } from './call-limits';
import { FORBIDDEN, TOO_MANY, UNAUTHORIZED } from './discord-refusal';

// Discord bans an address after 10,000 invalid requests in ten minutes:
// https://discord.com/developers/docs/topics/rate-limits
const WINDOW = Prisma.sql`interval '10 minutes'`;

/** From this many on, only cards are sent. */
const ONLY_CARDS_FROM = 2000;

/** From this many on, nothing is sent for a minute. */
const NOTHING_FROM = 5000;

const countSql = Prisma.sql`
  select coalesce(sum(count), 0)::int as count from invalid_answer where minute between now() - ${WINDOW} and now()`;

/**
 * Whether an answer counts towards Discord's limit of invalid requests: 401, 403, and 429 unless the limit is shared
 * with others.
 */
export function isInvalid({ status, isSharedLimit }: DiscordError): boolean {
  return status === UNAUTHORIZED || status === FORBIDDEN || (status === TOO_MANY && !isSharedLimit);
}

/** Counts an invalid answer for all processes, and stops all calls for a minute when there are too many. */
export async function countInvalidAnswer(): Promise<void> {
  const [before] = await runStatement<{ count: number }>(Prisma.sql`
    with counted as (
      insert into invalid_answer (minute, count) values (date_trunc('minute', now()), 1)
      on conflict (minute) do update set count = invalid_answer.count + 1 returning 1
    )
    select before.count from (${countSql}) before, counted`);
  const count = (before?.count ?? 0) + 1;
  if (count === ONLY_CARDS_FROM) {
    log.error({ count }, 'many invalid answers of Discord: only cards are sent');
  }
  if (count < NOTHING_FROM) return;
  log.error({ count }, 'too many invalid answers of Discord: nothing is sent for a minute');
  await runStatement(blockCallsSql([{ key: WHOLE_BOT, until: performance.now() + MINUTE_MS }]));
}

/** Throws DiscordError while only cards may be sent, because too many answers were invalid. */
export async function refuseWhileTooManyInvalid(): Promise<void> {
  const [{ count } = { count: 0 }] = await runStatement<{ count: number }>(countSql);
  if (count < ONLY_CARDS_FROM) return;
  throw new DiscordError(TOO_MANY, 0, 'Discord has refused too many calls', { retryAfterMs: MINUTE_MS });
}
