import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readMigrations } from '../../prisma/migrate';
import { PlainError } from '../plain-error';

const MIGRATIONS = '_prisma_migrations';
const MAX_BYTES = 64 * 1024 * 1024;

/** Throws one sentence unless the file is a whole backup of Pagewire, of this version or an earlier one. */
export function requireOurBackup(folder: string, file: string): void {
  const listed = ask(folder, ['--list', file]);
  if (listed === null) throw new PlainError(`${file} is not a backup, or it is damaged.`);
  const isOurs = [MIGRATIONS, 'notion_event', 'message', 'seen_clock'].every((table) =>
    listed.includes(` TABLE public ${table} `),
  );
  if (!isOurs) throw new PlainError(`${file} is a backup of another database, not of Pagewire.`);
  const rows = ask(folder, ['--data-only', `--table=${MIGRATIONS}`, '--file=-', file]);
  if (rows === null) throw new PlainError(`${file} is damaged.`);
  const ours = new Set(readMigrations().map(({ name }) => name));
  const unknown = [...rows.matchAll(/\t(\d{14}_\w+)\t/g)]
    .map(([, name = '']) => name)
    .find((name) => !ours.has(name));
  if (unknown) {
    throw new PlainError(
      `${file} is of a newer version of Pagewire: this one does not know its migration ${unknown}. Restore it with that version.`,
    );
  }
}

function ask(folder: string, args: string[]): string | null {
  const { status, stdout } = spawnSync(join(folder, 'pg_restore'), args, {
    encoding: 'utf8',
    maxBuffer: MAX_BYTES,
  });
  return status === 0 ? stdout : null;
}
