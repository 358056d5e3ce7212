import { keyedHashes } from '../crypto';

const LENGTH = 32;

/** What stands for another service's id in the names of jobs and queues, which outlive what they are about. */
export function hiddenId(id: string): string {
  const [newest] = keyedHashes(id, 'job');
  return newest.slice(0, LENGTH);
}
