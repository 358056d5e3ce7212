import { inChunks } from '@/lib/db/partitions';

const CHUNK = 5000;

/** Deletes what became of decisions for people once the decisions are gone. The page "Privacy" states the same. */
export async function forgetOldLetters(): Promise<void> {
  await inChunks(
    CHUNK,
    `delete from letter where ctid = any(array(
       select ctid from letter where created_at < now() - $1::interval limit ${CHUNK}))`,
    ['31 days'],
  );
}
