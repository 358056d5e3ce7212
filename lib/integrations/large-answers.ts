interface Reading {
  lane: string;
  begin: () => void;
  hasBegun: boolean;
}

let isReading = false;
const waiting = new Map<string, Reading[]>();

/**
 * Begins to read a large answer when it is its turn: this process reads one at a time, which takes several times its
 * size, and goes from lane to lane. Other answers wait for nothing. Returns what ends the reading or takes it out of the
 * queue; to be called once.
 */
export function readLargeAnswer(lane: string, begin: () => void): () => void {
  const reading = { lane, begin, hasBegun: false };
  waiting.set(lane, [...(waiting.get(lane) ?? []), reading]);
  beginNext();
  return () => {
    if (reading.hasBegun) isReading = false;
    else takeOut(reading);
    beginNext();
  };
}

function beginNext(): void {
  const [next] = waiting.values().next().value ?? [];
  if (!next || isReading) return;
  takeOut(next);
  next.hasBegun = true;
  isReading = true;
  next.begin();
}

// What is left of the lane goes behind the others.
function takeOut(reading: Reading): void {
  const left = (waiting.get(reading.lane) ?? []).filter((each) => each !== reading);
  waiting.delete(reading.lane);
  if (left.length > 0) waiting.set(reading.lane, left);
}
