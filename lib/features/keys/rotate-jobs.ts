import { listPayloads, replaceField } from '@/lib/queue/private-tables';
import { reseal } from './reseal';
import type { SealedJobField } from './sealed-columns';
import type { Tally } from './tally';

/** Goes through the waiting jobs of a kind once and reseals a field of their payload. Running jobs are left alone. */
export async function rotateJobs({ job, field, ...rest }: SealedJobField, tally: Tally): Promise<void> {
  const jobs = await listPayloads(job, field);
  for (const each of jobs) {
    const sealed = Buffer.from(each.payload[field] ?? '', 'base64');
    const becomes = reseal(sealed, {
      purpose: rest.purpose(each.payload),
      formerPurpose: rest.formerPurpose,
    });
    if (becomes instanceof Uint8Array) {
      const written = await replaceField(each, field, Buffer.from(becomes).toString('base64'));
      tally.wrote(written, [{ sealed }]);
    } else if (becomes !== 'current') tally.add(sealed, becomes);
  }
  tally.saw(jobs.length);
}
