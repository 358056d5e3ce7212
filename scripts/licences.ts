import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type LicensedPackage, writeLicences } from './licence-table';
import { PlainError, run } from './plain-error';

const DOCUMENT = 'docs/licences.md';

/** Writes the licences of everything that runs in production; with `--check` only checks that they are up to date. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
  const { packages }: { packages: Record<string, LicensedPackage> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  );
  const { text, problems } = writeLicences(packages);
  if (problems.length > 0) throw new PlainError(problems.join('\n'));
  if (!values.check) writeFileSync(DOCUMENT, text);
  else if (readFileSync(DOCUMENT, 'utf8') !== text) {
    throw new PlainError(`${DOCUMENT} is out of date. Run "npm run licences".`);
  }
}

run(main);
