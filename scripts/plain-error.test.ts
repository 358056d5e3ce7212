import { expect, test } from 'vitest';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { createTestDatabase } from '@/lib/testing/database';
import { query } from './doctor/faults/stage';
import { runNode } from './run-command';

test('a command tells in one sentence what the database does not permit', async () => {
  const { url, drop } = await createTestDatabase();
  await query(url, "create role stranger login password 'stranger'");
  const address = new URL(url);
  Object.assign(address, { username: 'stranger', password: 'stranger' });
  const env = { ...COMPLETE_ENVIRONMENT, DATABASE_URL: address.href };
  const outputOf = async (name: string) =>
    (await runNode(['--import', 'tsx', `scripts/${name}.ts`], { env })).output;
  const refused = (what: string) =>
    `The database refused, or is away: permission denied for ${what}. Correct that, and run this again.\n`;

  expect(await outputOf('worker')).toBe(refused('schema graphile_worker'));
  await query(
    url,
    'grant usage on schema graphile_worker to stranger; grant select on _prisma_migrations to stranger',
  );
  expect(await outputOf('rotate-keys')).toBe(refused('table auth_session'));

  await query(url, 'drop owned by stranger; drop role stranger');
  await drop();
});
