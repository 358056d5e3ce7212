import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programOf } from '../../scripts/program';
import { RESULTS_FILE, type TestResults } from './record-results';

// Inside the project, so that its packages are found.
const FOLDER = '.pagewire';
const REPORTER = resolve('lib/testing/record-results.ts');
const IMPORT = `import { beforeAll, expect, test } from 'vitest';`;

let root: string;
beforeEach(() => {
  mkdirSync(FOLDER, { recursive: true });
  root = mkdtempSync(join(FOLDER, 'record-'));
  writeFileSync(
    join(root, 'vitest.config.mjs'),
    `export default { test: { include: ['*.case.ts'], maxWorkers: 2 } };`,
  );
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (name: string, code: string) =>
  writeFileSync(join(root, `${name}.case.ts`), `${IMPORT}\n${code}`);
// In its own process group, so that everything it has started ends with it.
const run = () =>
  spawn(process.execPath, [programOf('vitest'), 'run', `--reporter=${REPORTER}`], {
    cwd: root,
    stdio: 'ignore',
    detached: true,
  });
const results = (): TestResults => JSON.parse(readFileSync(join(root, RESULTS_FILE), 'utf8'));

test('what failed is named with its file and error, and a file that does not run counts as one', async () => {
  write('passes', `test('adds', () => {}); test('counts', () => {});`);
  write('fails', `test('adds', () => {}); test('a sum is kept', () => expect(1).toBe(2));`);
  write('breaks', `import './nothing';`);
  write('cannot-begin', `beforeAll(() => { throw new Error('no'); }); test('adds', () => {});`);

  expect(await once(run(), 'exit')).toEqual([1, null]);
  const { passed, failed, running } = results();
  expect(passed).toBe(3);
  expect(failed.toSorted()).toEqual([
    expect.stringMatching(/^breaks\.case\.ts: .*nothing/),
    'cannot-begin.case.ts: no',
    'fails.case.ts: a sum is kept: expected 1 to be 2 // Object.is equality',
  ]);
  expect(running).toEqual([]);
});

test.each([
  ['a test', `test('waits', () => new Promise(() => {}), 600_000);`],
  ['its loading', `await new Promise(() => { setInterval(() => {}, 1000); });`],
])('a file that is stopped during %s is known to have run', async (_, code) => {
  write('passes', `test('adds', () => {});`);
  write('hangs', code);
  const stopped = run();
  try {
    const hasPassed = () => existsSync(join(root, RESULTS_FILE)) && results().passed === 1;
    await expect.poll(hasPassed).toBe(true);
    await expect.poll(() => results().running).toEqual(['hangs.case.ts']);
  } finally {
    const ended = once(stopped, 'exit');
    process.kill(-(stopped.pid as number), 'SIGKILL');
    await ended;
  }
});
