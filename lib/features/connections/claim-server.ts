import { type Claim, whileClaimed } from '@/lib/db/call-claim';
import { hiddenId } from '@/lib/queue/hidden-id';
import { SECOND_MS } from '@/lib/time';

// Longer than a call of Discord, its wait for the bot's calls included.
const CLAIM_MS = 30 * SECOND_MS;

// Longer than a call of Discord takes at most.
const WAIT_MS = 12 * SECOND_MS;

interface ClaimedRun<T> {
  guildId: string;
  run: (claim: Claim) => Promise<T>;
  /** How long nobody may do so after such an error; absent means not at all. */
  pauseMsAfter?: (error: unknown) => number;
}

/**
 * Runs something while nobody else connects a server of Discord's or takes the bot out of it, in any process. Throws
 * StillUnderWay when others are at it for too long.
 */
export function whileServerClaimed<T>({ guildId, run, pauseMsAfter }: ClaimedRun<T>): Promise<T> {
  const key = `server:${hiddenId(guildId)}`;
  return whileClaimed({ key, claimMs: CLAIM_MS, waitMs: WAIT_MS, pauseMsAfter }, run);
}
