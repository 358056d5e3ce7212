import { AppError } from '@/lib/errors';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { processState } from '../process-state';
import { callerAddress } from './caller-address';

/** Calls a minute from one address, which a whole office may share. */
const LIMITS = {
  /** Calls that anybody may make. */
  calls: 3000,
  /**
   * Calls that make us call the identity provider, Discord or Notion: sign-in, sign-out and the ends of OAuth flows.
   */
  flows: 600,
  /** Calls at a signed door that lack the right signature. */
  unsigned: 300,
};

export type AddressLimit = keyof typeof LIMITS;

// When a flood comes from so many addresses, the oldest counts are forgotten to make room.
const MOST_COUNTS = 50_000;

const minute = processState('addresses', () => ({ endsAt: 0, counts: new Map<string, number>() }));

/**
 * Counts one call from the caller's address, before authentication. Throws `rate_limited` above the limit a minute.
 * Each process counts for itself.
 */
export function limitAddress(request: Request, kind: AddressLimit): void {
  const { counts, endsAt } = currentMinute();
  const key = `${kind} ${callerAddress(request)}`;
  const count = (counts.get(key) ?? 0) + 1;
  if (count === 1 && counts.size >= MOST_COUNTS) counts.delete(counts.keys().next().value ?? '');
  counts.set(key, count);
  if (count > LIMITS[kind]) throw tooManyRequests(Math.ceil((endsAt - Date.now()) / SECOND_MS));
}

function currentMinute() {
  const now = Date.now();
  const isNow = minute.endsAt > now && minute.endsAt <= now + MINUTE_MS;
  return isNow ? minute : Object.assign(minute, { endsAt: now + MINUTE_MS, counts: new Map() });
}

/** The error for a caller who is over a limit, with the seconds until the limit ends. */
export function tooManyRequests(retryAfterSeconds: number): AppError {
  const seconds = Math.max(retryAfterSeconds, 1);
  const time = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return new AppError('rate_limited', `Too many requests. Try again in ${time}.`, {
    retryAfterSeconds: seconds,
  });
}
