import { parseArgs } from 'node:util';
import { PlainError, run } from './plain-error';
import { loadConfiguration } from './real-configuration';
import { noteRecovery, restoreBackup } from './restore/restore-backup';

const USAGE =
  'Name one file: npm run restore -- FILE [--replace]. After a recovery by other means: npm run restore -- --recovered';
const NEXT =
  'Start Pagewire: it compares every database with Notion, and looks in the channels for cards that were posted since.';

/** Restores a backup to the configured database; with `--recovered` only records a recovery by other means. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean' }, recovered: { type: 'boolean' } },
  });
  const [file, ...others] = positionals;
  const isWrong = values.recovered ? file || values.replace : !file || others.length > 0;
  if (isWrong) throw new PlainError(USAGE);
  const { DATABASE_SESSION_URL: address, ENCRYPTION_KEYS: keys } = loadConfiguration();
  if (file) await restoreBackup({ file, address, keys, isReplacing: values.replace === true });
  else await noteRecovery(address);
  console.log(`${file ? `${file} is restored.` : 'It is noted that the database was recovered.'} ${NEXT}`);
}

run(main);
