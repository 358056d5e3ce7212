import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { build } from 'esbuild';
import { routeFiles } from './doors';

const PROCESS = 'lib/testing/line-process';

// Packages that are not ECMAScript modules expect these three.
const COMMONJS = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

// Test files that share a process load this module anew.
const shared = globalThis as { lineFolder?: Promise<string> };

/**
 * Bundles the code of the pipeline's processes, once for each process of the tests. A process started from the bundle
 * needs a quarter of the processor time to start that one started from the sources needs. Returns the file to run.
 */
export async function lineBuild(): Promise<string> {
  shared.lineFolder ??= buildLine();
  return join(await shared.lineFolder, `${PROCESS}.js`);
}

async function buildLine(): Promise<string> {
  // Named so that a later run deletes it. Its modules look for packages relative to their own path.
  const outdir = `.pagewire/tests/${process.pid}-${randomUUID().slice(0, 8)}`;
  await build({
    entryPoints: [`${PROCESS}.ts`, 'lib/testing/doors.ts', ...routeFiles()],
    outbase: '.',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: COMMONJS },
    external: ['@sentry/nextjs', 'pg-native'],
    logLevel: 'error',
  });
  return outdir;
}
