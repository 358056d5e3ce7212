import { dirname } from 'node:path/posix';
import { type SourceFile, withoutExtension } from '../lib/testing/source-files';

/**
 * The test files for these changes, nearest first: the changed tests themselves, those in the folder of a changed file
 * or above it, and those that import a changed file, through as few other files as possible.
 */
export function findRelatedTests(changed: string[], files: SourceFile[]): string[] {
  const distances = measureDistances(changed.map(withoutExtension), files);
  const distanceOf = (path: string) => {
    const byImport = distances.get(withoutExtension(path)) ?? Number.POSITIVE_INFINITY;
    const isBeside = changed.some((other) => other.startsWith(`${dirname(path)}/`));
    return isBeside ? Math.min(byImport, 1) : byImport;
  };
  return files
    .filter(({ path }) => path.endsWith('.test.ts'))
    .map(({ path }) => ({ path, distance: distanceOf(path) }))
    .filter(({ distance }) => Number.isFinite(distance))
    .sort((a, b) => a.distance - b.distance || a.path.localeCompare(b.path))
    .map(({ path }) => path);
}

/** For each module, the length of the shortest chain of imports to a changed one. */
function measureDistances(changed: string[], files: SourceFile[]): Map<string, number> {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of files) {
    for (const target of imports.map(withoutExtension)) {
      importers.set(target, [...(importers.get(target) ?? []), withoutExtension(path)]);
    }
  }
  const distances = new Map(changed.map((module) => [module, 0]));
  for (const [module, distance] of distances) {
    for (const importer of importers.get(module) ?? []) {
      // Iterating over a map also visits the entries added meanwhile.
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}
