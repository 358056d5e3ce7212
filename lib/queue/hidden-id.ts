import { z } from 'zod';
import { keyedHash, open, seal } from '../crypto';
import { env } from '../env';

const LENGTH = 32;

/**
 * What stands for another service's id in the names of jobs and queues, which outlive what they are about. Every process
 * gives the same, also while the keys that seal are rotated.
 */
export const hiddenId = (id: string) => keyedHash(env().NEXTAUTH_SECRET, id, 'job').slice(0, LENGTH);

const sealedId = z.object({
  /** What tells it from others. */
  hidden: z.string(),
  /** The id itself, in base64. */
  sealed: z.string(),
});

type SealedId = z.infer<typeof sealedId>;

/** What the id in the payload of a job is sealed for. */
export const idPurpose = (job: string, hidden: string) => `${job}:${hidden}`;

/** The payload of a job that outlives the rows that knew another service's id. */
export function sealId(job: string, id: string): SealedId {
  const hidden = hiddenId(id);
  return { hidden, sealed: Buffer.from(seal(id, idPurpose(job, hidden))).toString('base64') };
}

export function openId(job: string, { hidden, sealed }: SealedId): string {
  return open(Buffer.from(sealed, 'base64'), idPurpose(job, hidden));
}

/** Takes such a payload, or that of an earlier version, which held the id in this field as it is. */
export function sealedIdPayload(job: string, formerField: string) {
  const former = z.object({ [formerField]: z.string() });
  return z.union([sealedId, former.transform((payload) => sealId(job, payload[formerField] ?? ''))]);
}
