import { Prisma } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { DAY_MS } from '@/lib/time';
import { ANSWER_MS, findTakeovers, LAPSE_MS, type Takeover } from './find-takeovers';
import type { Takeovers } from './schema';

// An offer that is not used within a day is no longer shown.
const OFFER_MS = DAY_MS;

/** The servers of others that an account may ask for or has asked for, and requests for its own. Newest first. */
export async function listTakeovers(account: Account): Promise<Takeovers> {
  const now = Date.now();
  const [wanted, asked] = await Promise.all([
    findTakeovers(Prisma.sql`t.account_id = ${account.id}::uuid
      and t.since > ${new Date(now - LAPSE_MS)}::timestamptz
      and (t.state <> 'offered' or t.since > ${new Date(now - OFFER_MS)}::timestamptz)`),
    findTakeovers(Prisma.sql`s.account_id = ${account.id}::uuid
      and t.state in ('requested', 'asked', 'handed_over')`),
  ]);
  return {
    wanted: wanted.map((takeover) => describeTakeover(takeover, now)),
    asked: asked.map((takeover) => ({ ...describeTakeover(takeover, now), askerName: takeover.askerName })),
  };
}

function describeTakeover({ id, serverName, state, since }: Takeover, now: number) {
  const until = untilOf(state, since);
  const isDue = state === 'asked' && until !== null && until.getTime() <= now;
  return {
    id,
    serverName,
    state: (isDue ? 'due' : state) as Takeovers['wanted'][number]['state'],
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
  };
}

function untilOf(state: string, since: Date): Date | null {
  if (state === 'asked') return new Date(since.getTime() + ANSWER_MS);
  return state === 'kept' ? new Date(since.getTime() + LAPSE_MS) : null;
}
