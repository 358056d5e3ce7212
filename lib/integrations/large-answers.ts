import { SECOND_MS } from '@/lib/time';

interface Reading {
  lane: string;
  begin: () => void;
}

// A service that answers in drops must not hold up the others.
const LONGEST_TURN_MS = SECOND_MS;

let current: Reading | null = null;
const waiting = new Map<string, Reading[]>();

/**
 * Begins to read a large answer when it is its turn: this process reads one at a time, which takes several times its
 * size, and goes from lane to lane. One that takes longer than a second goes on beside the next. Other answers wait for
 * nothing. Returns what ends the reading or takes it out of the queue; to be called once.
 */
export function readLargeAnswer(lane: string, begin: () => void): () => void {
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
  setTimeout(() => passOn(next), LONGEST_TURN_MS).unref();
  next.begin();
}

function passOn(reading: Reading): void {
  if (current !== reading) return;
  current = null;
  beginNext();
}

// What is left of the lane goes behind the others.
function takeOut(reading: Reading): void {
  const lane = waiting.get(reading.lane);
  if (!lane?.includes(reading)) return;
  const left = lane.filter((each) => each !== reading);
  waiting.delete(reading.lane);
  if (left.length > 0) waiting.set(reading.lane, left);
}
