import { join } from 'node:path';
import { build } from 'esbuild';

/** The commands of production, which are TypeScript here and plain JavaScript in a packed folder. */
export const COMMANDS = [
  'start',
  'worker',
  'migrate',
  'doctor',
  'rotate-keys',
  'scheduler-key',
  'backup',
  'restore',
];

/** Writes each command with what it needs of our own code; packages stay outside. */
export async function bundleCommands(folder: string): Promise<void> {
  await build({
    entryPoints: COMMANDS.map((name) => join(import.meta.dirname, `../${name}.ts`)),
    outdir: folder,
    bundle: true,
    // Commands load parts of themselves only when they know the configuration.
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
}
