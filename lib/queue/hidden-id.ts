import { keyedHash } from '../crypto';
import { env } from '../env';

const LENGTH = 32;

/**
 * What stands for another service's id in the names of jobs and queues, which outlive what they are about. Every process
 * gives the same, also while the keys that seal are rotated.
 */
export const hiddenId = (id: string) => keyedHash(env().NEXTAUTH_SECRET, id, 'job').slice(0, LENGTH);
