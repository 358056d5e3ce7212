import { run } from './plain-error';
import { prepareDatabase } from './prepare-database';
import { loadConfiguration } from './real-configuration';

/** Applies the migrations of this version, as a start does, while the version before goes on. */
async function main(): Promise<void> {
  const applied = await prepareDatabase(loadConfiguration().DATABASE_SESSION_URL);
  for (const name of applied) console.log(`Applied ${name}.`);
  console.log('The database has the schema of this version.');
}

run(main);
