// While one is read and taken apart it takes up to five times its size.
const AT_ONCE = 2;

interface Reading {
  lane: string;
  begin: () => void;
  hasBegun: boolean;
}

let begun = 0;
const waiting = new Map<string, Reading[]>();

/**
 * Begins to read a large answer when it is its turn: this process reads few of them at once, however many calls there
 * are, and takes them from the lanes in rotation. Other answers wait for nothing. Returns what ends the reading or
 * takes it out of the queue; to be called once.
 */
export function readLargeAnswer(lane: string, begin: () => void): () => void {
  const reading = { lane, begin, hasBegun: false };
  waiting.set(lane, [...(waiting.get(lane) ?? []), reading]);
  beginNext();
  return () => {
    if (reading.hasBegun) begun -= 1;
    else takeOut(reading);
    beginNext();
  };
}

function beginNext(): void {
  const [next] = waiting.values().next().value ?? [];
  if (!next || begun >= AT_ONCE) return;
  takeOut(next);
  next.hasBegun = true;
  begun += 1;
  next.begin();
}

// What is left of the lane goes behind the others.
function takeOut(reading: Reading): void {
  const left = (waiting.get(reading.lane) ?? []).filter((each) => each !== reading);
  waiting.delete(reading.lane);
  if (left.length > 0) waiting.set(reading.lane, left);
}
