import { spawnSync } from 'node:child_process';
import { programOf } from './program';

// Before every command Prisma downloads its schema engine, although generating does not use it. Naming any existing
// program prevents that.
const result = spawnSync(process.execPath, [programOf('prisma'), 'generate', '--no-hints'], {
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
  encoding: 'utf8',
});
if (result.status !== 0) {
  console.error(`The database client could not be generated.\n${result.stdout}${result.stderr}`);
  process.exitCode = 1;
}
