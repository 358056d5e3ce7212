import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { Lifetime } from './lifetime';
import { programOf } from './program';
import { runNode } from './run-command';

const RESULTS = '.pagewire/test-results';
const VITEST_JSON = `${RESULTS}/vitest.json`;
const PLAYWRIGHT_JSON = `${RESULTS}/playwright.json`;

interface Count {
  passed: number;
  failed: number;
}

export interface Step {
  title: string;
  args: string[];
  /** What a step that counts its tests has counted. */
  count?: () => Count;
}

const TSX = programOf('tsx');

export const CHECKS: Step = { title: 'Checks', args: [TSX, 'scripts/check.ts'] };
export const BUILD: Step = { title: 'Build', args: [TSX, 'scripts/build-once.ts'] };
export const JOURNEYS: Step = {
  title: 'Journeys',
  args: [programOf('@playwright/test', 'playwright'), 'test', '--reporter=list,json'],
  count: () => {
    const { expected, unexpected, flaky } = JSON.parse(readFileSync(PLAYWRIGHT_JSON, 'utf8')).stats;
    return { passed: expected, failed: unexpected + flaky };
  },
};

/** The step that runs these test files, or all when none are named. */
export function tests(files: string[] = []): Step {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST_JSON}`];
  return {
    title: 'Tests',
    args: [programOf('vitest'), 'run', ...reporters, ...files],
    count: () => {
      const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(VITEST_JSON, 'utf8'));
      return { passed: numPassedTests, failed: numFailedTests };
    },
  };
}

/**
 * Runs rows of steps beside each other, the steps of a row one after another, then prints how many tests passed and
 * failed in all. Each line says whose it is. The process fails when anything has.
 */
export async function runSteps(rows: Step[][]): Promise<void> {
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  const lifetime = new Lifetime();
  const counts = (await Promise.all(rows.map((row) => runRow(row, lifetime)))).flat();
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0 || passed === 0) process.exitCode = 1;
}

async function runRow(row: Step[], lifetime: Lifetime): Promise<Count[]> {
  const counts: Count[] = [];
  for (const step of row) counts.push(await runStep(step, lifetime));
  return counts;
}

/** Runs one step; a step that fails without naming a failed test counts as one failure. */
async function runStep({ title, args, count }: Step, lifetime: Lifetime): Promise<Count> {
  const start = Date.now();
  const say = (line: string) => console.log(`${title.padEnd(8)} | ${line}`);
  say('begins');
  const { ok: isDone } = await runNode(args, {
    onLine: say,
    lifetime,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_JSON },
  });
  const { passed, failed } = read(count) ?? { passed: 0, failed: count ? 1 : 0 };
  const ok = isDone && failed === 0;
  say(`${ok ? 'ok' : 'FAILED'} after ${Math.round((Date.now() - start) / 1000)} s`);
  return { passed, failed: ok ? 0 : Math.max(failed, 1) };
}

/** The count of a step that has left one behind. */
function read(count?: () => Count): Count | undefined {
  try {
    return count?.();
  } catch {
    return undefined;
  }
}
