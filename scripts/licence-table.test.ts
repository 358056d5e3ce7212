import { expect, test } from 'vitest';
import { writeLicences } from './licence-table';

const MIT = { version: '1.0.0', license: 'MIT' };

test('packages are listed once by licence, without those of development', () => {
  const { text, problems } = writeLicences({
    '': MIT,
    'node_modules/b': MIT,
    'node_modules/a': { version: '2.0.0', license: '(MIT OR CC0-1.0)' },
    'node_modules/c/node_modules/b': MIT,
    'node_modules/d': { ...MIT, dev: true },
    'node_modules/@next/swc-linux-arm64-gnu': { version: '3.0.0' },
  });
  expect(problems).toEqual([]);
  expect(text).toContain('## (MIT OR CC0-1.0)\n\nKeep the notice. Nothing.\n\n- a 2.0.0\n');
  expect(text).toContain('## MIT\n\nKeep the notice.\n\n- @next/swc-linux-arm64-gnu 3.0.0\n- b 1.0.0\n');
  expect(text).not.toContain('- d');
});

test('a licence that nobody has decided about, and a package without any, are said', () => {
  const { problems } = writeLicences({
    'node_modules/a': { version: '1.0.0', license: 'AGPL-3.0-only' },
    'node_modules/b': { version: '1.0.0' },
  });
  expect(problems).toEqual([
    'b names no licence: add it to UNNAMED.',
    'AGPL-3.0-only (a) is a licence to decide about: add it to ASKS.',
  ]);
});
