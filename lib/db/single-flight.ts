import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from '../in-time';
import { log } from '../log';
import { processState } from '../process-state';
import { type Claim, endQuietly, StillUnderWay, takeClaim } from './call-claim';

/** A call to an outside service that must not be made twice at the same time, in any process. */
interface SharedCall<T> {
  /** Identifies the call. */
  key: string;
  accountId: string;
  /** How long a claim lasts: longer than the call can take, because a dead process's claim only ends by expiring. */
  claimMs: number;
  /** How long others wait for the call. */
  othersWaitMs: number;
  /** How long the caller that starts the call waits for it; the call itself continues. Absent means until it ends. */
  waitMs?: number;
  /** How long nobody retries after a failure. */
  pauseMs?: number;
  /** The result of an earlier call; undefined if there is none that can still be used. */
  findResult?: () => Promise<T | undefined>;
  /** Makes the call and stores its result. `hold` extends the claim, and throws if it has been lost. */
  run: (hold: () => Promise<void>) => Promise<T>;
}

const LOOK_AGAIN_MS = 100;

const flights = processState('flights', () => new Map<string, Promise<unknown>>());

/**
 * Makes a call once for all who ask for it at the same time, in this and other processes. The database holds a claim in
 * a row meanwhile, but no lock and no transaction. Throws StillUnderWay, and whatever `run` throws.
 */
export function singleFlight<T>(call: SharedCall<T>): Promise<T> {
  const underWay = flights.get(call.key) as Promise<T> | undefined;
  if (underWay) return within(call.othersWaitMs, underWay);
  const begun = claimOrWait(call).finally(() => flights.delete(call.key));
  flights.set(call.key, begun);
  // The caller that started it may have stopped waiting; then nobody else would handle the error.
  begun.catch((error) => {
    if (!(error instanceof StillUnderWay)) log.debug({ err: error }, 'call failed');
  });
  return call.waitMs === undefined ? begun : within(call.waitMs, begun);
}

/** Waits until no call of this process is in progress, so that results are stored before it ends. */
export async function waitForFlights(): Promise<void> {
  await Promise.allSettled(flights.values());
}

async function claimOrWait<T>(call: SharedCall<T>): Promise<T> {
  const deadline = performance.now() + call.othersWaitMs;
  for (;;) {
    const claim = await takeClaim(call);
    if (claim) return carryOut(call, claim);
    const found = await call.findResult?.();
    if (found !== undefined) return found;
    if (performance.now() >= deadline) throw new StillUnderWay();
    await sleep(LOOK_AGAIN_MS);
  }
}

async function carryOut<T>(call: SharedCall<T>, claim: Claim): Promise<T> {
  let pauseMs = call.pauseMs ?? 0;
  try {
    const found = await call.findResult?.();
    const result = found === undefined ? await call.run(claim.hold) : found;
    pauseMs = 0;
    return result;
  } finally {
    await endQuietly(claim, pauseMs);
  }
}

const within = <T>(ms: number, result: Promise<T>): Promise<T> =>
  inTime(ms, result, () => new StillUnderWay());
