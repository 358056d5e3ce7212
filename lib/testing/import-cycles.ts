import { type SourceFile, withoutExtension } from './source-files';

/** The cycles in which files import each other, each as a list of paths. Cycles that share an import count once. */
export function findImportCycles(files: SourceFile[]): string[][] {
  const importsOf = new Map(files.map(({ path, imports }) => [withoutExtension(path), imports]));
  const cycles: string[][] = [];
  const finished = new Set<string>();

  function follow(path: string, way: string[]): void {
    const start = way.indexOf(path);
    if (start >= 0) cycles.push([...way.slice(start), path]);
    if (start >= 0 || finished.has(path)) return;
    for (const target of importsOf.get(path) ?? []) follow(withoutExtension(target), [...way, path]);
    finished.add(path);
  }

  for (const path of importsOf.keys()) follow(path, []);
  return cycles;
}
