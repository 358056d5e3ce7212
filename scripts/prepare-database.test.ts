import { expect, test } from 'vitest';
import { createEmptyDatabase } from '@/lib/testing/database';
import { migrateTo } from '@/lib/testing/migrations';
import { prepareDatabase } from './prepare-database';

test('a start is refused when pages and jobs would use two databases, and changes neither', async () => {
  const [one, other] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const env = { DATABASE_URL: one.url, DATABASE_SESSION_URL: other.url };
  await expect(prepareDatabase(env)).rejects.toThrow(
    'DATABASE_URL and DATABASE_SESSION_URL lead to two databases',
  );
  const none = (name: string) => name < '20261120190000';
  expect(await migrateTo(other.url, none)).toHaveLength(1);
  await one.drop();
  await other.drop();
});

test('two addresses of one database are fine', async () => {
  const { url, drop } = await createEmptyDatabase();
  await prepareDatabase({ DATABASE_URL: `${url}?application_name=pooled`, DATABASE_SESSION_URL: url });
  await drop();
});
