import { db } from '@/lib/db/database';
import { reseal } from './reseal';
import type { SealedJobField } from './sealed-columns';
import type { Tally } from './tally';

interface Job {
  id: bigint;
  payload: Record<string, string>;
}

/** Goes once through the waiting jobs of a kind and seals a field of their payload anew. One that runs is left alone. */
export async function rotateJobs({ job, field, ...rest }: SealedJobField, tally: Tally): Promise<void> {
  const jobs = await db().$queryRaw<Job[]>`
    select j.id, j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${job} and j.payload ->> ${field} is not null`;
  for (const { id, payload } of jobs) {
    const sealed = Buffer.from(payload[field] ?? '', 'base64');
    const becomes = reseal(sealed, { purpose: rest.purpose(payload), formerPurpose: rest.formerPurpose });
    if (becomes instanceof Uint8Array) {
      const text = Buffer.from(becomes).toString('base64');
      const written = await db().$executeRaw`
        update graphile_worker._private_jobs
        set payload = jsonb_set(payload::jsonb, array[${field}], to_jsonb(${text}::text))::json
        where id = ${id} and locked_at is null and payload ->> ${field} = ${payload[field]}`;
      tally.wrote(written, [{ sealed }]);
    } else if (becomes !== 'current') tally.add(sealed, becomes);
  }
  tally.saw(jobs.length);
}
