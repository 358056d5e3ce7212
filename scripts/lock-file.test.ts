import { expect, test } from 'vitest';
import { inspectLock, type LockedPackage, readTable } from './lock-file';

const NOTHING = { withoutIntegrity: new Map(), preReleases: new Map() };
const sound: LockedPackage = { version: '1.0.0', integrity: 'sha512-abc' };
const inspect = (packages: Record<string, LockedPackage>, exceptions = {}) =>
  inspectLock(packages, { ...NOTHING, ...exceptions });

test('a package with a hash and a stable version needs no reason', () => {
  expect(inspect({ '': {}, 'node_modules/a': sound })).toEqual({
    withoutIntegrity: [],
    preReleases: [],
    problems: [],
  });
});

test('a package without a hash needs a reason, and is listed with it', () => {
  const packages = {
    'node_modules/x/node_modules/@a/tool-win32': { version: '1.0.0', optional: true, os: ['win32'] },
  };
  expect(inspect(packages).problems).toEqual([
    '@a/tool-win32 1.0.0 lacks an integrity hash, and docs/dependencies.md does not say why.',
  ]);
  expect(inspect(packages, { withoutIntegrity: new Map([['@a/tool-*', 'Not served.']]) })).toMatchObject({
    withoutIntegrity: [{ name: '@a/tool-win32', why: 'Not served.' }],
    problems: [],
  });
});

test.each([
  { version: '1.0.0' },
  { version: '1.0.0', optional: true },
  { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
])('no reason excuses a package without a hash that is installed here: %j', (locked) => {
  const reasons = { withoutIntegrity: new Map([['a', 'Not served.']]) };
  expect(inspect({ 'node_modules/a': locked }, reasons).problems).toEqual([
    'a needs an integrity hash: it is installed here.',
  ]);
});

test('a pre-release needs a reason where it runs in production', () => {
  const early = { ...sound, version: '2.0.0-beta.1' };
  expect(inspect({ 'node_modules/a': early }).problems).toEqual([
    'a 2.0.0-beta.1 is a pre-release, and docs/dependencies.md does not say why.',
  ]);
  expect(inspect({ 'node_modules/a': { ...early, dev: true } }).problems).toEqual([]);
  expect(
    inspect({ 'node_modules/a': early }, { preReleases: new Map([['a', 'Stable use.']]) }).problems,
  ).toEqual([]);
});

test('the lock file names no registry', () => {
  const packages = { 'node_modules/a': { ...sound, resolved: 'https://registry.example/a.tgz' } };
  expect(inspect(packages).problems).toEqual(['a names the host of a registry.']);
});

test('a reason that is no longer needed has to be removed', () => {
  expect(inspect({}, { preReleases: new Map([['gone', 'Was early.']]) }).problems).toEqual([
    'docs/dependencies.md gives a reason for gone, which no longer needs one.',
  ]);
});

test('the reasons are read from the table below their heading', () => {
  const document =
    '# All\n\n## One\n\n| Package | Why |\n| --- | --- |\n| `a` | Because. |\n\n## Two\n\n| `b` | No. |\n';
  expect(readTable(document, 'One')).toEqual(new Map([['a', 'Because.']]));
});
