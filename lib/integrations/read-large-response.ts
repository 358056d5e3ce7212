import { SECOND_MS } from '@/lib/time';

interface Reading {
  lane: string;
  begin: () => void;
}

// A service whose response trickles in must not hold up the others.
const MAX_TURN_MS = SECOND_MS;

let current: Reading | null = null;
const waiting = new Map<string, Reading[]>();

/**
 * Reads large responses one at a time in this process, because each takes several times its size in memory. Lanes take
 * turns, and a response that takes longer than a second no longer holds up the next. `begin` is called when the turn
 * comes. Returns a function that ends the reading or removes it from the queue; call it once.
 */
export function readLargeResponse(lane: string, begin: () => void): () => void {
  const reading = { lane, begin };
  waiting.set(lane, [...(waiting.get(lane) ?? []), reading]);
  beginNext();
  return () => {
    takeOut(reading);
    passOn(reading);
  };
}

function beginNext(): void {
  const [next] = waiting.values().next().value ?? [];
  if (!next || current) return;
  takeOut(next);
  current = next;
  setTimeout(() => passOn(next), MAX_TURN_MS).unref();
  next.begin();
}

function passOn(reading: Reading): void {
  if (current !== reading) return;
  current = null;
  beginNext();
}

// Moves the rest of the lane behind the other lanes.
function takeOut(reading: Reading): void {
  const lane = waiting.get(reading.lane);
  if (!lane?.includes(reading)) return;
  const left = lane.filter((each) => each !== reading);
  waiting.delete(reading.lane);
  if (left.length > 0) waiting.set(reading.lane, left);
}
