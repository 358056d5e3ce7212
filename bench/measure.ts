/** Durations in milliseconds, summarised for the table. */
export interface Figures {
  median: number;
  p99: number;
}

/** The median and the 99th percentile of durations. */
export function figures(durationsMs: number[]): Figures {
  return { median: percentile(durationsMs, 0.5), p99: percentile(durationsMs, 0.99) };
}

/** The duration that this share of the durations does not exceed. */
export function percentile(durationsMs: number[], share: number): number {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

/** How long a call takes, in milliseconds. */
export async function timed(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/** A figure with two decimals. */
export const round = (value: number) => Math.round(value * 100) / 100;
