import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DOC_PAGES } from './content/doc-groups';
import { searchDocs } from './search-docs';

test('sections with the word in their heading come first', () => {
  expect(searchDocs(DOC_PAGES, 'No Access')[0]?.href).toBe('/docs/troubleshooting#no-access');
});

test('every word must be in the section, and an empty query finds nothing', () => {
  expect(searchDocs(DOC_PAGES, 'permission zebra')).toEqual([]);
  expect(searchDocs(DOC_PAGES, '   ')).toEqual([]);
});

test('every page of the documentation stands at its address', () => {
  const missing = DOC_PAGES.map(({ path }) => `app${path}/page.tsx`).filter((file) => !existsSync(file));
  expect(missing).toEqual([]);
});

test('every section of a page has an address of its own', () => {
  const addresses = DOC_PAGES.flatMap(({ path, sections }) => sections.map(({ id }) => `${path}#${id}`));
  expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
});
