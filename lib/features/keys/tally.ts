import { sealHeads } from '@/lib/crypto';

/** What became of a value that was not sealed correctly, or why it still is not. */
export type Outcome = 'resealed' | 'being_written' | 'unknown_key' | 'unreadable';

/** How many values of one source and key had the same outcome. */
export interface Count {
  /** The table and column, or the job and field. */
  source: string;
  /** The id of the value's key, in hexadecimal. */
  keyId: string;
  outcome: Outcome;
  count: number;
}

/** The results of one pass over one source. */
export class Tally {
  seen = 0;
  private readonly counted = new Map<string, Count>();

  constructor(
    readonly source: string,
    private readonly onProgress: (tally: Tally) => void,
  ) {}

  saw(rows: number): void {
    this.seen += rows;
    this.onProgress(this);
  }

  add(sealed: Uint8Array, outcome: Outcome): void {
    const keyId = keyIdOf(sealed);
    const before = this.counted.get(`${keyId}:${outcome}`)?.count ?? 0;
    this.counted.set(`${keyId}:${outcome}`, { source: this.source, keyId, outcome, count: before + 1 });
  }

  /** Notes that `count` of these values were written; other processes have changed, or are changing, the rest. */
  wrote(count: number, asked: { sealed: Uint8Array }[]): void {
    for (const [index, { sealed }] of asked.entries()) {
      this.add(sealed, index < count ? 'resealed' : 'being_written');
    }
  }

  get counts(): Count[] {
    return [...this.counted.values()];
  }

  get resealed(): number {
    const resealed = this.counts.filter(({ outcome }) => outcome === 'resealed');
    return resealed.reduce((sum, { count }) => sum + count, 0);
  }
}

const keyIdOf = (sealed: Uint8Array) => Buffer.from(sealed.subarray(1, 5)).toString('hex');

/** The ids of the configured keys, in their configured order. */
export const configuredKeyIds = () => sealHeads().map(keyIdOf);
