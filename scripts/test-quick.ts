import { execFileSync } from 'node:child_process';
import { findTestsWithDatabase } from '../lib/testing/needs-database';
import { SLOW } from '../lib/testing/slow-first';
import { readSourceFiles } from '../lib/testing/source-files';
import { findRelatedTests } from './related-tests';
import { CHECKS, runSteps, tests } from './test-steps';

// As many as two processors can run in a minute.
const MAX_WITH_DATABASE = 16;

/** A first answer about a change in under two minutes. At the end it says what it did not run. */
async function main(): Promise<void> {
  const files = readSourceFiles();
  const withDatabase = new Set(findTestsWithDatabase(files));
  const changed = listChanged();
  const isQuick = (path: string) => changed.includes(path) || !SLOW.includes(path);
  const plain = files
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.test.ts') && !withDatabase.has(path) && isQuick(path));
  const near = findRelatedTests(changed, files);
  const related = near.filter((path) => withDatabase.has(path));
  const chosen = related.filter(isQuick).slice(0, MAX_WITH_DATABASE);

  await runSteps([CHECKS], [tests([...plain, ...chosen])]);

  const left = near.filter((path) => !plain.includes(path) && !chosen.includes(path));
  console.log(`${changed.length} files changed. Ran the checks, the ${plain.length} quick test files without a database, and of
the ${related.length} related ones with a database the ${chosen.length} nearest.`);
  if (left.length > 0) console.log(`Related, and not run:\n${left.map((path) => `  ${path}`).join('\n')}`);
  console.log('Not run: the other tests, the build and the journeys. `npm test` runs everything.');
}

/** The files that differ from where this branch left main, committed or not. */
function listChanged(): string[] {
  const base = ['main', 'origin/main'].map((name) => git('merge-base', 'HEAD', name)).find(Boolean) ?? 'HEAD';
  const differing = git('diff', '--name-only', '--diff-filter=d', base);
  const untracked = git('ls-files', '--others', '--exclude-standard');
  return [differing, untracked].flatMap((list) => list.split('\n').filter(Boolean));
}

/** The output of git; empty when it fails. */
function git(...args: string[]): string {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

await main();
