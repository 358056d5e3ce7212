import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { freePort } from './port';
import { startThrowawayPostgres } from './throwaway-postgres';

// Higher than any process id that Linux gives.
const NO_PROCESS = 2 ** 30;

async function findData(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('show data_directory');
  await client.end();
  return rows[0].data_directory;
}

test('the data is deleted at the end, and what a killed process left is deleted at the next start', async () => {
  const first = await startThrowawayPostgres({ port: await freePort() });
  const data = await findData(first.url);
  const left = join(dirname(data), `${NO_PROCESS}-killed`);
  mkdirSync(left);

  const second = await startThrowawayPostgres({ port: await freePort() });
  expect(existsSync(left)).toBe(false);
  expect(await findData(first.url)).toBe(data);

  await first.remove();
  await second.remove();
  expect(existsSync(data)).toBe(false);
});
