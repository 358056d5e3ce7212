import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

export interface SourceFile {
  /** Path from the project's root, with forward slashes. */
  path: string;
  text: string;
  /** Files of the project that it imports, types included, as paths without extension. */
  imports: string[];
}

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['app', 'components', 'lib', 'prisma', 'sandbox', 'scripts', 'e2e', 'bench'];
const GENERATED = 'lib/db/generated/';
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g;

const EXTENSION = /\.(ts|tsx|mjs)$/;

/** The path by which a file is imported. */
export const withoutExtension = (path: string) => path.replace(EXTENSION, '');

/** Every file of TypeScript or JavaScript that people write here. */
export function readSourceFiles(): SourceFile[] {
  const atRoot = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      posix.join(folder, name.replaceAll('\\', '/')),
    ),
  );
  return [...atRoot, ...inFolders]
    .filter((path) => EXTENSION.test(path) && !path.endsWith('.d.ts') && !path.startsWith(GENERATED))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, imports: findImports(path, text) };
    });
}

function findImports(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => specifier.startsWith('@/') || specifier.startsWith('.'))
    .map((specifier) =>
      specifier.startsWith('@/') ? specifier.slice(2) : posix.join(dirname(path), specifier),
    );
}
