import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRunning } from './guarded-child';
import { PlainError } from './plain-error';

/** Claims the folder's data for this process; returns a function that releases it. */
export function lockDemo(path: string): () => void {
  if (existsSync(path)) {
    const pid = Number(readFileSync(path, 'utf8'));
    if (pid !== process.pid && isRunning(pid, 'demo.ts')) {
      throw new PlainError(`A demo already runs in this folder (process ${pid}). Stop it with Ctrl-C first.`);
    }
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, String(process.pid));
  return () => rmSync(path, { force: true });
}
