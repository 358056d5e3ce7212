import { expect, test } from 'vitest';
import { findTemplateLiterals } from '../testing/template-literals';
import { FEATURES, featureOf } from './features';
import { files, isRoute, product } from './product-files';

const MAX_FILES_OF_A_FEATURE = 22;
const MAX_LINES_OF_A_FILE = 250;
const MEDIAN_LINES_OF_A_FILE = 60;
const MAX_LINES_OF_SQL = 20;

test('a feature folder holds schema, queries, commands and one file for each idea', () => {
  const errors = files
    .filter(({ path }) => path.startsWith('lib/features/'))
    .filter(({ path }) => !/^lib\/features\/[a-z]+\/[a-z][a-z0-9-]*(\.test)?\.ts$/.test(path))
    .map(({ path }) => `${path}: lib/features/<feature>/<idea>.ts, in kebab case and without folders below`);
  expect(errors).toEqual([]);
});

test('a feature has few enough files to be read as one list', () => {
  const counts = FEATURES.map((feature) => ({
    feature,
    files: product.filter(({ path }) => featureOf(path) === feature).length,
  }));
  const errors = counts
    .filter(({ files }) => files > MAX_FILES_OF_A_FEATURE)
    .map(({ feature, files }) => `lib/features/${feature} has ${files} files: it holds more than one idea`);
  expect(errors).toEqual([]);
});

test('the files of lib are short', () => {
  const lengths = product
    .filter(({ path }) => path.startsWith('lib/'))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .sort((a, b) => a.lines - b.lines);
  const errors = lengths
    .filter(({ lines }) => lines > MAX_LINES_OF_A_FILE)
    .map(({ path, lines }) => `${path} has ${lines} lines: it holds more than one idea`);
  expect(errors).toEqual([]);
  expect(lengths[Math.floor(lengths.length / 2)]?.lines).toBeLessThanOrEqual(MEDIAN_LINES_OF_A_FILE);
});

test('a long statement has a file of its own, which opens with its steps', () => {
  const isSql = /\b(select|insert into|update|delete from)\b/;
  const ofStatements = product.filter(({ path }) => /^(lib|bench)\/.*\.ts$/.test(path));
  const errors = ofStatements.flatMap(({ path, text }) => {
    if (path.endsWith('-sql.ts')) {
      return text.includes('\n * 1. ') ? [] : [`${path}: open with the numbered steps of the statement`];
    }
    if (!isSql.test(text)) return [];
    return findTemplateLiterals(text)
      .filter((literal) => isSql.test(literal) && literal.split('\n').length > MAX_LINES_OF_SQL)
      .map(
        (literal) =>
          `${path}: move the statement that begins with "${literal.slice(1, 60).trim()}" to a -sql.ts`,
      );
  });
  expect(errors).toEqual([]);
});

test('file names say what is inside', () => {
  const banned =
    /(^|[/-])(utils?|helpers?|types?|constants?|services?|managers?|common|misc)(\.test)?\.(ts|tsx|mjs)$/;
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z-]+)*\.(ts|tsx|mjs)$/;
  const errors = files.flatMap(({ path }) => {
    const name = path.split('/').at(-1) ?? '';
    if (banned.test(path)) return [`${path}: name it after the one idea it holds`];
    return kebab.test(name) ? [] : [`${path}: file names are in kebab case`];
  });
  expect(errors).toEqual([]);
});

test('no file only passes exports on', () => {
  const errors = files
    .filter(({ path, text }) => /(^|\/)index\.tsx?$/.test(path) || (isOnlyReexports(text) && !isRoute(path)))
    .map(({ path }) => `${path} is a barrel: import from the file that defines the thing`);
  expect(errors).toEqual([]);
});

function isOnlyReexports(text: string): boolean {
  const rest = text.replaceAll(
    /export\s+(type\s+)?(\*|\{[^}]*\})\s*(as\s+\w+\s+)?from\s+['"][^'"]+['"];?/g,
    '',
  );
  return rest !== text && rest.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '').trim() === '';
}
