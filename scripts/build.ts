import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGuarded } from './guarded-child';
import type { Lifetime } from './lifetime';
import { NEXT } from './next-server';
import { PlainError } from './plain-error';

const SOURCES = [
  'app',
  'components',
  'lib',
  'public',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'middleware.ts',
  'next.config.mjs',
  'package-lock.json',
  'postcss.config.mjs',
  'prisma/schema.prisma',
  'tsconfig.json',
];
const BUILD_ID = '.next/BUILD_ID';
const MARK = '.next/sources.sha256';

/** Whether `.next` holds a production build. */
export function isBuilt(): boolean {
  return existsSync(BUILD_ID);
}

/**
 * Makes the production build, unless the existing one was made from exactly these sources. Calls `onStart` if a build
 * is needed. Needs no configuration.
 */
export async function ensureBuild(lifetime: Lifetime, onStart = () => {}): Promise<void> {
  const sources = hashFiles(SOURCES);
  if (isBuilt() && existsSync(MARK) && readFileSync(MARK, 'utf8') === sources) return;

  onStart();
  let output = '';
  const child = startGuarded({
    command: process.execPath,
    args: [NEXT, 'build'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    signal: 'TERM',
    onOutput: (text) => {
      output += text;
    },
  });
  lifetime.add(child.stop);
  if ((await child.ended) !== 0) throw new PlainError(`The build failed.\n${output}`);
  writeFileSync(MARK, sources);
}

/** One hash of files and of all files in folders, without tests. Paths that do not exist are left out. */
export function hashFiles(paths: string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.filter(existsSync).flatMap(listFiles)) {
    if (!path.endsWith('.test.ts')) hash.update(path).update(readFileSync(path));
  }
  return hash.digest('hex');
}

function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}
