import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { ensureBrowser } from './browser';
import { Lifetime } from './lifetime';
import { programOf } from './program';
import { runNode } from './run-command';

const RESULTS = '.pagewire/test-results';
const VITEST_JSON = `${RESULTS}/vitest.json`;
const PLAYWRIGHT_JSON = `${RESULTS}/playwright.json`;
const lifetime = new Lifetime();
const TSX = programOf('tsx');

interface Count {
  passed: number;
  failed: number;
}

/** The whole proof: checks, tests on a real database, the build, and the journeys in a real browser. */
async function main(): Promise<void> {
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  ensureBrowser();

  const counts = [
    await step('Checks', [TSX, 'scripts/check.ts']),
    await step(
      'Tests',
      [
        programOf('vitest'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${VITEST_JSON}`,
      ],
      () => readVitest(),
    ),
    await step('Build', [TSX, 'scripts/build-once.ts']),
    await step(
      'Journeys',
      [programOf('@playwright/test', 'playwright'), 'test', '--reporter=list,json'],
      () => readPlaywright(),
    ),
  ];

  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0 || passed === 0) process.exitCode = 1;
}

/** Runs one step; a step that fails without naming a failed test counts as one failure. */
async function step(
  title: string,
  args: string[],
  read: () => Count = () => ({ passed: 0, failed: 0 }),
): Promise<Count> {
  const start = Date.now();
  console.log(`\n== ${title}`);
  const { ok } = await runNode(args, {
    show: true,
    lifetime,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_JSON },
  });
  const count = read();
  if (!ok && count.failed === 0) count.failed = 1;
  console.log(`== ${title}: ${ok ? 'ok' : 'FAILED'} after ${Math.round((Date.now() - start) / 1000)} s`);
  return count;
}

function readVitest(): Count {
  if (!existsSync(VITEST_JSON)) return { passed: 0, failed: 0 };
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(VITEST_JSON, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests };
}

function readPlaywright(): Count {
  if (!existsSync(PLAYWRIGHT_JSON)) return { passed: 0, failed: 0 };
  const { expected, unexpected, flaky } = JSON.parse(readFileSync(PLAYWRIGHT_JSON, 'utf8')).stats;
  return { passed: expected, failed: unexpected + flaky };
}

await main();
