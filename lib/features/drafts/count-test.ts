import { loadKeyedHash } from '@/lib/auth/keyed-hash';
import { type Person, personOf } from '@/lib/auth/trial-holder';
import { db } from '@/lib/db/database';
import { AppError } from '@/lib/errors';

const TESTS_A_DAY = 20;

/**
 * Counts a test message of a person, across their accounts. Throws `rate_limited` after twenty on one day in UTC.
 */
export async function countTest(person: Person): Promise<void> {
  const keyedHash = await loadKeyedHash();
  const counted = await db().$executeRaw`
    insert into test_day as t (person_hash, day, sent)
    values (${keyedHash(personOf(person).id, 'test-day')}, (now() at time zone 'utc')::date, 1)
    on conflict (person_hash) do update
    set day = excluded.day, sent = case when t.day = excluded.day then t.sent + 1 else 1 end
    where t.day <> excluded.day or t.sent < ${TESTS_A_DAY}::int`;
  if (counted > 0) return;
  throw new AppError(
    'rate_limited',
    `All ${TESTS_A_DAY} tests of today are sent. The next one can be sent after midnight UTC.`,
  );
}
