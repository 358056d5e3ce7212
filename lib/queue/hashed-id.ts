import { z } from 'zod';
import { keyedHash, open, seal } from '../crypto';
import { env } from '../env';

const LENGTH = 32;

/**
 * A keyed hash in place of another service's id, for the names of jobs and queues, which outlive the rows with that id.
 * Every process computes the same hash, even while keys are being rotated.
 */
export const hashedId = (id: string) => keyedHash(env().NEXTAUTH_SECRET, id, 'job').slice(0, LENGTH);

const sealedId = z.object({
  /** The hash. */
  hidden: z.string(),
  /** The id itself, in base64. */
  sealed: z.string(),
});

type SealedId = z.infer<typeof sealedId>;

/** The purpose for which the id in a job's payload is sealed. */
export const idPurpose = (job: string, hidden: string) => `${job}:${hidden}`;

/** Seals another service's id for the payload of a job that outlives the rows with that id. */
export function sealId(job: string, id: string): SealedId {
  const hidden = hashedId(id);
  return { hidden, sealed: Buffer.from(seal(id, idPurpose(job, hidden))).toString('base64') };
}

export function openId(job: string, { hidden, sealed }: SealedId): string {
  return open(Buffer.from(sealed, 'base64'), idPurpose(job, hidden));
}

/** A schema for such a payload, or one of an earlier version, which has the plain id in `formerField`. */
export function sealedIdPayload(job: string, formerField: string) {
  const former = z.object({ [formerField]: z.string() });
  return z.union([sealedId, former.transform((payload) => sealId(job, payload[formerField] ?? ''))]);
}
