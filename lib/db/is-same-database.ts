import { askOnce } from './ask-once';

// The start of the server tells apart servers that are copies of each other.
const IDENTITY = `select concat_ws(' ', oid, extract(epoch from pg_postmaster_start_time())) as identity
  from pg_database where datname = current_database()`;

/**
 * Whether two addresses lead to the same database, perhaps through a pooler. Throws pg's error when one does not
 * answer.
 */
export async function isSameDatabase(one: string, other: string): Promise<boolean> {
  return one === other || (await identify(one)) === (await identify(other));
}

async function identify(address: string): Promise<string> {
  return (await askOnce<{ identity: string }>(address, IDENTITY))?.identity ?? '';
}
