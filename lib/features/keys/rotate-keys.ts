import { rotateColumn } from './rotate-column';
import { rotateJobs } from './rotate-jobs';
import { SEALED_COLUMNS, SEALED_JOB_FIELDS } from './sealed-columns';
import { type Count, Tally } from './tally';

// Enough for what is written meanwhile; what still changes then is left for another run.
const MOST_PASSES = 5;

/**
 * Seals anew, with the first key and for its row, whatever is sealed otherwise, while the product runs. It may be ended
 * at any time and run again. Returns what the last pass has left.
 */
export async function rotateKeys(onProgress: (tally: Tally) => void): Promise<Count[]> {
  for (let pass = 1; ; pass += 1) {
    const tallies = await passOnce(onProgress);
    const left = tallies.flatMap(({ counts }) => counts);
    const isMoving = left.some(({ outcome }) => outcome === 'resealed' || outcome === 'being_written');
    if (!isMoving || pass === MOST_PASSES) return left;
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
