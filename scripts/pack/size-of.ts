import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The bytes of a file, or of all files in a folder, without following links. */
export function sizeOf(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
