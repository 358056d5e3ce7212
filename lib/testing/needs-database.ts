import { type SourceFile, withoutExtension } from './source-files';

const DATABASE = 'lib/testing/database';

/** The test files whose imports lead to the test database. */
export function findTestsWithDatabase(files: SourceFile[]): string[] {
  const importsOf = new Map(files.map(({ path, imports }) => [withoutExtension(path), imports]));
  const known = new Map([[DATABASE, true]]);

  function needsDatabase(path: string): boolean {
    const module = withoutExtension(path);
    if (!known.has(module)) {
      // Ends the recursion if imports form a cycle.
      known.set(module, false);
      known.set(module, (importsOf.get(module) ?? []).some(needsDatabase));
    }
    return known.get(module) ?? false;
  }

  return files.map(({ path }) => path).filter((path) => path.endsWith('.test.ts') && needsDatabase(path));
}
