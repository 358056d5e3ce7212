import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Lifetime, runWithLifetime } from './lifetime';
import { PlainError } from './plain-error';
import { loadConfiguration } from './real-configuration';
import { backUp } from './restore/back-up';

/** Writes the whole database to a file. */
async function main(lifetime: Lifetime): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw new PlainError('Name one file: npm run backup -- FILE');
  await backUp(loadConfiguration().DATABASE_SESSION_URL, file, lifetime);
  console.log(`${file} holds the database: ${Math.ceil(statSync(file).size / 1000)} kB.`);
}

runWithLifetime(main);
