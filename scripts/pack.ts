import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isBuilt } from './build';
import { BUNDLED, bundleCommands, COMMANDS } from './pack/bundle-commands';
import { sizeOf } from './pack/size-of';
import { tracePackages } from './pack/trace-packages';
import { PlainError, run } from './plain-error';

const ROOT = join(import.meta.dirname, '..');
// Inside the project, so that the packages of the bundled commands are found.
const DRAFT = join(ROOT, '.pagewire/pack');
const SERVER = [
  'scripts/start.mjs',
  'scripts/when-orphaned.mjs',
  'scripts/web-process.mjs',
  'scripts/web-server.mjs',
  'scripts/web-refusals.mjs',
  'next.config.mjs',
];
const DATA = ['prisma/schema.prisma', 'prisma/migrations', 'public'];
const OURS = ['.next', 'node_modules', 'prisma', 'public', 'scripts', 'next.config.mjs', 'package.json'];
const MARK = 'pagewire-pack';

/** Files that only the build needs. */
const BUILD_ONLY = /^\.next\/(cache|dev|diagnostics|trace|types)(\/|$)|\.nft\.json$|\.map$/;

/** Writes a folder that holds what production needs and nothing else. */
async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [folder] = positionals;
  if (!folder) throw new PlainError('Name the folder: npm run pack -- FOLDER');
  if (!isBuilt()) throw new PlainError('There is no build yet. Run "npm run build" first.');
  const target = resolve(folder);
  empty(target);
  await bundleCommands(join(DRAFT, 'scripts'));
  const programs = [
    ...BUNDLED.map((name) => join(DRAFT, `scripts/${name}.mjs`)),
    ...SERVER.map((path) => join(ROOT, path)),
  ];
  const packages = await tracePackages(ROOT, programs);
  for (const path of [...packages, ...SERVER, ...DATA]) copy(path, target);
  cpSync(join(DRAFT, 'scripts'), join(target, 'scripts'), { recursive: true });
  copyBuild(target);
  writeFileSync(join(target, 'package.json'), packageFile());
  rmSync(DRAFT, { recursive: true });
  console.log(`${target} holds ${Math.ceil(sizeOf(target) / 1_000_000)} MB.`);
}

/** Removes an earlier pack, and nothing else. */
function empty(target: string): void {
  const names = existsSync(target) ? readdirSync(target) : [];
  const earlier =
    names.includes('package.json') && readFileSync(join(target, 'package.json'), 'utf8').includes(MARK);
  if (names.length > 0 && !earlier) throw new PlainError(`${target} is not empty. Name another folder.`);
  for (const name of OURS) rmSync(join(target, name), { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
}

function copy(path: string, target: string): void {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  cpSync(join(ROOT, path), join(target, path), { recursive: true, dereference: true });
}

function copyBuild(target: string): void {
  cpSync(join(ROOT, '.next'), join(target, '.next'), {
    recursive: true,
    // Relative links to packages stay valid wherever the folder is.
    verbatimSymlinks: true,
    filter: (path) => !BUILD_ONLY.test(path.slice(ROOT.length + 1)),
  });
}

function packageFile(): string {
  const { version, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const scripts = Object.fromEntries(COMMANDS.map((name) => [name, `node scripts/${name}.mjs`]));
  return JSON.stringify({ name: MARK, version, private: true, type: 'module', engines, scripts }, null, 2);
}

run(main);
