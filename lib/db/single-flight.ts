import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log';
import { db } from './database';

/** A call to an outside service that must not be made twice at the same time, in any process. */
interface Flight<T> {
  /** Identifies the call. */
  key: string;
  accountId: string;
  /**
   * How long a claim lasts: longer than the call can take, because the claim of a dead process only ends by expiring.
   */
  claimMs: number;
  /** How long others wait for the call. */
  othersWaitMs: number;
  /**
   * How long the caller that makes the call waits for it, while the call itself goes on; absent means until it ends.
   */
  waitMs?: number;
  /** How long nobody retries after a failure. */
  pauseMs?: number;
  /** The result of an earlier call; undefined if there is none that can still be used. */
  landed?: () => Promise<T | undefined>;
  /** Makes the call and stores its result. `hold` extends the claim, and throws if it has been lost. */
  fly: (hold: () => Promise<void>) => Promise<T>;
}

/** The call is under way, but did not finish in time. */
export class StillUnderWay extends Error {}

const LOOK_AGAIN_MS = 100;

// Kept on globalThis because Next loads this module once per bundle (routes, instrumentation).
const holder = globalThis as { pagewireFlights?: Map<string, Promise<unknown>> };
holder.pagewireFlights ??= new Map();
const flights = holder.pagewireFlights;

/**
 * Makes a call once for all who ask for it at the same time, in this and other processes. Meanwhile the database holds
 * only a row that says so: no lock, no transaction. Throws StillUnderWay, and whatever `fly` throws.
 */
export function singleFlight<T>(flight: Flight<T>): Promise<T> {
  const underWay = flights.get(flight.key) as Promise<T> | undefined;
  if (underWay) return within(flight.othersWaitMs, underWay);
  const begun = depart(flight).finally(() => flights.delete(flight.key));
  flights.set(flight.key, begun);
  // The caller that began it may have stopped waiting.
  begun.catch((error) => {
    if (!(error instanceof StillUnderWay)) log.debug({ err: error }, 'call failed');
  });
  return flight.waitMs === undefined ? begun : within(flight.waitMs, begun);
}

/** Waits until this process has no call under way, so that results are stored before the process ends. */
export async function flightsLanded(): Promise<void> {
  await Promise.allSettled(flights.values());
}

async function depart<T>(flight: Flight<T>): Promise<T> {
  const deadline = performance.now() + flight.othersWaitMs;
  for (;;) {
    const holder = randomUUID();
    if (await takeClaim(flight, holder)) return carryOut(flight, holder);
    const landed = await flight.landed?.();
    if (landed !== undefined) return landed;
    if (performance.now() >= deadline) throw new StillUnderWay();
    await sleep(LOOK_AGAIN_MS);
  }
}

async function carryOut<T>(flight: Flight<T>, holder: string): Promise<T> {
  let pauseMs = flight.pauseMs ?? 0;
  try {
    const landed = await flight.landed?.();
    const result = landed === undefined ? await flight.fly(() => hold(flight, holder)) : landed;
    pauseMs = 0;
    return result;
  } finally {
    await endClaim(flight.key, holder, pauseMs).catch((error) =>
      log.warn({ err: error }, 'could not release the claim; it will expire'),
    );
  }
}

async function takeClaim({ key, accountId, claimMs }: Flight<unknown>, holder: string): Promise<boolean> {
  const taken = await db().$executeRaw`
    insert into call_claim (key, account_id, holder, ends_at)
    select ${key}, id, ${holder}::uuid, now() + ${claimMs} * interval '1 millisecond'
    from account where id = ${accountId}::uuid
    on conflict (key) do update set holder = excluded.holder, ends_at = excluded.ends_at
    where call_claim.ends_at <= now()`;
  return taken > 0;
}

async function hold({ key, claimMs }: Flight<unknown>, holder: string): Promise<void> {
  const kept = await db().$executeRaw`
    update call_claim set ends_at = now() + ${claimMs} * interval '1 millisecond'
    where key = ${key} and holder = ${holder}::uuid and ends_at > now()`;
  if (kept === 0) throw new StillUnderWay();
}

async function endClaim(key: string, holder: string, pauseMs: number): Promise<void> {
  if (pauseMs === 0) {
    await db().callClaim.deleteMany({ where: { key, holder } });
    return;
  }
  await db().$executeRaw`
    update call_claim set ends_at = now() + ${pauseMs} * interval '1 millisecond'
    where key = ${key} and holder = ${holder}::uuid`;
}

async function within<T>(ms: number, result: Promise<T>): Promise<T> {
  const inTime = new AbortController();
  const late = sleep(ms, undefined, { signal: inTime.signal }).then(() => {
    throw new StillUnderWay();
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    inTime.abort();
  }
}
