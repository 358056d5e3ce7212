import { readSourceFiles, type SourceFile } from '../testing/source-files';

const isTest = ({ path }: SourceFile) =>
  path.endsWith('.test.ts') || /^lib\/(testing|architecture)\//.test(path);

/** Every file of the repository that holds code. */
export const files = readSourceFiles();
/** The same without tests and what only they use. */
export const product = files.filter((file) => !isTest(file));

export function isRoute(path: string): boolean {
  return path.endsWith('/route.ts');
}
