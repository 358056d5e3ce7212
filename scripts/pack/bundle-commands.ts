import { join } from 'node:path';
import { build } from 'esbuild';

/** TypeScript here, plain JavaScript in a packed folder. */
export const BUNDLED = [
  'prepare-start',
  'worker',
  'migrate',
  'doctor',
  'rotate-keys',
  'scheduler-key',
  'backup',
  'restore',
];

/** The commands of production. */
export const COMMANDS = ['start', ...BUNDLED.filter((name) => name !== 'prepare-start')];

/** Bundles each program with our own code that it needs; packages stay outside. */
export async function bundleCommands(folder: string): Promise<void> {
  await build({
    entryPoints: BUNDLED.map((name) => join(import.meta.dirname, `../${name}.ts`)),
    outdir: folder,
    bundle: true,
    // Commands import parts of themselves only after they have read the configuration.
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
}
