import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Lifetime } from '../../scripts/lifetime';
import { PlainError } from '../../scripts/plain-error';

const MIGRATIONS = 'prisma/migrations';
const MAX_OUTPUT = 64 * 1024 * 1024;
const run = promisify(execFile);

/**
 * The commit of the version before: the given one, or the last with an older schema. Throws one sentence when this
 * clone does not have it.
 */
export function findRelease(given?: string): string {
  try {
    if (given) return git('rev-parse', '--verify', `${given}^{commit}`);
    const newest = git('log', '-1', '--diff-filter=A', '--format=%H', '--', MIGRATIONS);
    return git('rev-parse', '--verify', `${newest}^`);
  } catch {
    throw new PlainError(
      `Left out: this clone does not hold ${given ?? 'the commit before the newest migration'}. ` +
        'Run "git fetch --unshallow" first, or name a commit.',
    );
  }
}

/** The names of a version's migrations. */
export function migrationsOf(commit: string): string[] {
  return git('ls-tree', '-d', '--name-only', `${commit}:${MIGRATIONS}`).split('\n');
}

/** Installs and builds a version in its own folder, which is removed with the lifetime. Returns the folder. */
export async function checkOut(commit: string, lifetime: Lifetime): Promise<string> {
  // Outside of this project: otherwise the build would find its packages and settings.
  const folder = mkdtempSync(join(tmpdir(), 'pagewire-release-'));
  lifetime.add(async () => rmSync(folder, { recursive: true, force: true }));
  const options = { cwd: folder, maxBuffer: MAX_OUTPUT };
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', process.cwd(), folder]);
  await run('git', ['checkout', '--quiet', '--detach', commit], options);
  await run('npm', ['ci', '--no-audit', '--no-fund'], options);
  await run('npm', ['run', 'build'], options);
  return folder;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
