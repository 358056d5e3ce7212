import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { routeFiles } from './doors';

/** The programs that tests run as separate processes. */
const PROGRAMS = ['lib/testing/pipeline-program', 'scripts/worker', 'scripts/rotate-keys'] as const;

// Packages that are not ECMAScript modules expect these three.
const COMMONJS = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

// Node alone does not see the names that this package's CommonJS build re-exports.
const sentry: Plugin = {
  name: 'sentry',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@sentry\/nextjs$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace: 'commonjs' } : { path, external: true },
    );
    onLoad({ filter: /.*/, namespace: 'commonjs' }, ({ path }) => ({
      contents: `module.exports = require('${path}');`,
      resolveDir: process.cwd(),
    }));
  },
};

// On globalThis, because each test file in a process loads this module again.
const shared = globalThis as { programFolder?: Promise<string> };

/**
 * Bundles the programs that tests run as separate processes, once for each process of the tests. A bundle needs a
 * quarter of the sources' processor time to start. Returns the file to run.
 */
export async function builtProgram(program: (typeof PROGRAMS)[number]): Promise<string> {
  shared.programFolder ??= buildPrograms();
  return join(await shared.programFolder, `${program}.js`);
}

async function buildPrograms(): Promise<string> {
  // Named so that a later run deletes it. In the project, because its modules find packages relative to their own path.
  const outdir = `.pagewire/tests/${process.pid}-${randomUUID().slice(0, 8)}`;
  await build({
    entryPoints: [...PROGRAMS.map((program) => `${program}.ts`), 'lib/testing/doors.ts', ...routeFiles()],
    outbase: '.',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: COMMONJS },
    plugins: [sentry],
    external: ['pg-native'],
    minify: true,
    keepNames: true,
    logLevel: 'error',
  });
  return outdir;
}
