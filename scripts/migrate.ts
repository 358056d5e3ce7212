import { run } from './plain-error';
import { prepareDatabase } from './prepare-database';
import { loadConfiguration } from './real-configuration';

/** Applies this version's migrations, as a start does, while the version before keeps running. */
async function main(): Promise<void> {
  const applied = await prepareDatabase(loadConfiguration());
  for (const name of applied) console.log(`Applied ${name}.`);
  console.log('The database has the schema of this version.');
}

run(main);
