import { readFileSync } from 'node:fs';
import { type Exception, inspectLock, readTable } from './lock-file';
import { PlainError, run } from './plain-error';

/**
 * Lists the packages that lack an integrity hash or are pre-releases in production, with the reasons; fails if a reason
 * is missing.
 */
async function main(): Promise<void> {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const document = readFileSync('docs/dependencies.md', 'utf8');
  const { withoutIntegrity, preReleases, problems } = inspectLock(packages, {
    withoutIntegrity: readTable(document, 'Packages without an integrity hash'),
    preReleases: readTable(document, 'Pre-releases in production'),
  });
  show(`Pre-releases in production: ${preReleases.length}`, preReleases);
  show(
    `Without an integrity hash: ${withoutIntegrity.length} of ${Object.keys(packages).length - 1}`,
    withoutIntegrity,
  );
  if (problems.length > 0) throw new PlainError(problems.join('\n'));
}

function show(title: string, exceptions: Exception[]): void {
  console.log(title);
  for (const { name, version, why } of exceptions)
    console.log(`  ${name} ${version}: ${why ?? 'no reason given'}`);
}

run(main);
