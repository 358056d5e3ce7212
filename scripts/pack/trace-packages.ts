import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

interface Tracer {
  nodeFileTrace(
    files: string[],
    options: { base: string; ignore: string[] },
  ): Promise<{ fileList: Set<string> }>;
}

const PACKAGES = 'node_modules/';

// Prisma's builds for other databases: the right one is loaded by its name.
const OTHER_DATABASES = '**/@prisma/client/runtime/*{cockroachdb,mysql,sqlite,sqlserver}*';

/** What the server imports but never loads in production: building, reloading, other environments. */
const NEVER_LOADED = [
  OTHER_DATABASES,
  'node_modules/@next/swc-*/**',
  'node_modules/next/dist/compiled/next-devtools/**',
  'node_modules/next/dist/server/dev/**',
  'node_modules/next/dist/compiled/next-server/*.dev.js',
  'node_modules/@sentry/{cli,cli-*}/**',
  'node_modules/{sharp,@img}/**',
  'node_modules/typescript/**',
  'node_modules/@typescript/**',
  '**/*.map',
  '**/*.d.ts',
  '**/*.d.mts',
];

/** Loaded by names that are known only at run time. */
const LOADED_BY_NAME = [
  'node_modules/next/package.json',
  // At its start Next's server resolves webpack.
  'node_modules/next/dist/compiled/webpack',
  'node_modules/next/dist/compiled/@babel/runtime/package.json',
];

/**
 * The files of installed packages that these programs and the build need, as paths from the root. Uses Next's own
 * tracing tool, as Next does for its build.
 */
export async function tracePackages(root: string, programs: string[]): Promise<string[]> {
  const require = createRequire(join(root, 'package.json'));
  const { nodeFileTrace }: Tracer = require('next/dist/compiled/@vercel/nft');
  const { fileList } = await nodeFileTrace(programs, { base: root, ignore: NEVER_LOADED });
  const all = new Set([...fileList, ...tracedByNext(root), ...LOADED_BY_NAME]);
  return [...all].filter((path) => path.startsWith(PACKAGES) && existsSync(join(root, path)));
}

function tracedByNext(root: string): string[] {
  const build = join(root, '.next');
  return readdirSync(build, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.nft.json') && !name.startsWith('cache'))
    .flatMap((name) => {
      const { files } = JSON.parse(readFileSync(join(build, name), 'utf8')) as { files: string[] };
      return files.map((file) => relative(root, join(build, dirname(name), file)));
    })
    .filter((path) => !/\.(map|d\.m?ts)$/.test(path));
}
