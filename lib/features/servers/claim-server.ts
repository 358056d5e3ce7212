import { type Claim, whileClaimed } from '@/lib/db/call-claim';
import { hashedId } from '@/lib/queue/hashed-id';
import { SECOND_MS } from '@/lib/time';

// Longer than a call to Discord takes, including its wait for a slot: the claim of a dead process ends only then.
const CLAIM_MS = 30 * SECOND_MS;

// Longer than a call that has its slot can take.
const WAIT_MS = 12 * SECOND_MS;

interface ClaimedRun<T> {
  guildId: string;
  run: (claim: Claim) => Promise<T>;
  /** How long to wait while others have the claim; by default, longer than their call can take. */
  waitMs?: number;
  /** How long nobody gets the next claim after an error; absent means no pause. */
  pauseMsAfter?: (error: unknown) => number;
}

/**
 * Runs something while nobody else, in any process, connects a server or removes the bot from it. Throws StillUnderWay
 * when others take too long.
 */
export function whileServerClaimed<T>({
  guildId,
  run,
  waitMs = WAIT_MS,
  pauseMsAfter,
}: ClaimedRun<T>): Promise<T> {
  const key = `server:${hashedId(guildId)}`;
  return whileClaimed({ key, claimMs: CLAIM_MS, waitMs, pauseMsAfter }, run);
}
