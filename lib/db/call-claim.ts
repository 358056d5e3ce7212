import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log';
import { shareErrorClass } from '../process-state';
import { type TimeLeft, timeLeft } from '../time';
import { db, Prisma, type Transaction } from './database';

/** What a claim is for: at any time one process has the claim of a key. */
interface Wanted {
  key: string;
  /** Whose claim it is; it ends with the account. Absent means nobody's. */
  accountId?: string;
  /**
   * How long a claim lasts: longer than its work can take, because the claim of a dead process ends only by expiring.
   */
  claimMs: number;
}

/** This process's claim of a key. */
export interface Claim {
  /** How much longer the claim is certain to last. */
  readonly left: TimeLeft;
  /** Extends it, as part of a transaction if one is given. Throws StillUnderWay if it was lost. */
  hold(tx?: Transaction): Promise<void>;
  /** Ends it. Nobody gets the next claim before `pauseMs` have passed. */
  end(pauseMs: number): Promise<void>;
}

/** Another process has the claim, or this one lost it. */
export class StillUnderWay extends Error {}
shareErrorClass(StillUnderWay, 'StillUnderWay');

const LOOK_AGAIN_MS = 250;

/** Takes the claim of a key unless another process has it. The claim is a row in the database; no lock is held. */
export async function takeClaim({ key, accountId, claimMs }: Wanted): Promise<Claim | null> {
  const holder = randomUUID();
  const left = timeLeft(claimMs);
  const forMs = (ms: number) => Prisma.sql`now() + ${ms} * interval '1 millisecond'`;
  const owner = accountId
    ? Prisma.sql`select id from account where id = ${accountId}::uuid`
    : Prisma.sql`select null::uuid as id`;
  const taken = await db().$executeRaw`
    insert into call_claim (key, account_id, holder, ends_at)
    select ${key}, id, ${holder}::uuid, ${forMs(claimMs)} from (${owner}) owner
    on conflict (key) do update set
      account_id = excluded.account_id, holder = excluded.holder, ends_at = excluded.ends_at
    where call_claim.ends_at <= now()`;
  if (taken === 0) return null;
  return {
    left,
    async hold(tx = db()) {
      const kept = await tx.$executeRaw`
        update call_claim set ends_at = ${forMs(claimMs)}
        where key = ${key} and holder = ${holder}::uuid and ends_at > now()`;
      if (kept === 0) throw new StillUnderWay();
    },
    async end(pauseMs) {
      if (pauseMs === 0) await db().callClaim.deleteMany({ where: { key, holder } });
      else {
        await db().$executeRaw`
          update call_claim set ends_at = ${forMs(pauseMs)} where key = ${key} and holder = ${holder}::uuid`;
      }
    },
  };
}

interface Waiting extends Wanted {
  /** How long to wait while others have the claim. */
  waitMs: number;
  /** How long nobody gets the next claim after an error; absent means no pause. */
  pauseMsAfter?: ((error: unknown) => number) | undefined;
}

/**
 * Runs something with the claim of a key. Throws StillUnderWay if others have it for too long, and whatever `run`
 * throws.
 */
export async function whileClaimed<T>(
  { waitMs, pauseMsAfter, ...wanted }: Waiting,
  run: (claim: Claim) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const claim = await takeClaim(wanted);
    if (claim) return runWith(claim, run, pauseMsAfter);
    if (performance.now() >= deadline) throw new StillUnderWay();
    await sleep(LOOK_AGAIN_MS);
  }
}

async function runWith<T>(
  claim: Claim,
  run: (claim: Claim) => Promise<T>,
  pauseMsAfter: Waiting['pauseMsAfter'],
): Promise<T> {
  let pauseMs = 0;
  try {
    return await run(claim);
  } catch (error) {
    pauseMs = pauseMsAfter?.(error) ?? 0;
    throw error;
  } finally {
    await endQuietly(claim, pauseMs);
  }
}

/** Ends a claim; if the database does not answer, the claim expires by itself. */
export async function endQuietly(claim: Claim, pauseMs: number): Promise<void> {
  await claim
    .end(pauseMs)
    .catch((error) => log.warn({ err: error }, 'could not release the claim; it will expire'));
}
