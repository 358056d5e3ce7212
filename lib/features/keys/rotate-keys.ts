import { rotateColumn } from './rotate-column';
import { rotateJobs } from './rotate-jobs';
import { SEALED_COLUMNS, SEALED_JOB_FIELDS } from './sealed-columns';
import { type Count, Tally } from './tally';

// Enough to catch what is written during the passes; what changes even in the last one is left to another run.
const MAX_PASSES = 5;

/**
 * Reseals every value that is not sealed with the first key and for its row, while the product runs. It may be
 * stopped at any time and run again. Returns the counts of the last pass.
 */
export async function rotateKeys(onProgress: (tally: Tally) => void): Promise<Count[]> {
  for (let pass = 1; ; pass += 1) {
    const tallies = await passOnce(onProgress);
    const left = tallies.flatMap(({ counts }) => counts);
    const isMoving = left.some(({ outcome }) => outcome === 'resealed' || outcome === 'being_written');
    if (!isMoving || pass === MAX_PASSES) return left;
  }
}

async function passOnce(onProgress: (tally: Tally) => void): Promise<Tally[]> {
  const tallies: Tally[] = [];
  const begin = (source: string) => {
    const tally = new Tally(source, onProgress);
    tallies.push(tally);
    return tally;
  };
  for (const each of SEALED_COLUMNS) await rotateColumn(each, begin(`${each.table}.${each.column}`));
  for (const each of SEALED_JOB_FIELDS) await rotateJobs(each, begin(`job ${each.job}, ${each.field}`));
  return tallies;
}
