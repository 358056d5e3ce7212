import { inChunks } from '@/lib/db/partitions';

const CHUNK = 5000;

/** Deletes letters that are as old as the oldest decisions. The page "Privacy" states the same. */
export async function forgetOldLetters(): Promise<void> {
  await inChunks(
    CHUNK,
    `delete from letter where ctid = any(array(
       select ctid from letter where created_at < now() - $1::interval limit ${CHUNK} for update skip locked))`,
    ['31 days'],
  );
}
