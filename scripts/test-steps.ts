import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { RESULTS_FILE } from '../lib/testing/record-results';
import { MINUTE_MS } from '../lib/time';
import { startGuarded } from './guarded-child';
import { Lifetime } from './lifetime';
import { programOf } from './program';
import { type Count, countJourneys, countTests } from './test-counts';

const RESULTS = '.pagewire/test-results';
const PLAYWRIGHT_JSON = `${RESULTS}/playwright.json`;

export interface Step {
  title: string;
  args: string[];
  /** Reads the results of a step that counts its tests. */
  count?: () => Count;
}

const TSX = programOf('tsx');

/** The limit of a step: twice what it takes on two slow cores. One that takes longer hangs. */
const STEP_LIMIT_MINUTES = 60;

export const CHECKS: Step = { title: 'Checks', args: [TSX, 'scripts/check.ts'] };
export const BUILD: Step = { title: 'Build', args: [TSX, 'scripts/build-once.ts'] };
/** Follows the steps of the image, and runs the result. */
export const PACK: Step = { title: 'Pack', args: [TSX, 'scripts/try-pack.ts', '--gate'] };
export const JOURNEYS: Step = {
  title: 'Journeys',
  args: [programOf('@playwright/test', 'playwright'), 'test', '--reporter=list,json'],
  count: () => countJourneys(JSON.parse(readFileSync(PLAYWRIGHT_JSON, 'utf8'))),
};

/** The step that runs these test files, or all when none are named. */
export function tests(files: string[] = []): Step {
  const reporters = ['default', 'lib/testing/record-results.ts'].map((name) => `--reporter=${name}`);
  return {
    title: 'Tests',
    args: [programOf('vitest'), 'run', ...reporters, ...files],
    count: () => countTests(JSON.parse(readFileSync(RESULTS_FILE, 'utf8'))),
  };
}

/**
 * Runs rows of steps in parallel, and the steps of a row one after another. Then prints which tests failed, and how many
 * passed and failed in all. Each line names its step. Anything that fails makes the process fail.
 */
export async function runSteps(...rows: Step[][]): Promise<void> {
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  const lifetime = new Lifetime();
  const counts = (await Promise.all(rows.map((row) => runRow(row, lifetime)))).flat();
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.flatMap((count) => count.failed);
  list(
    'Passed only when repeated',
    counts.flatMap(({ repeated = [] }) => repeated),
  );
  list('Failed', failed);
  console.log(`\n${passed} passed, ${failed.length} failed`);
  if (failed.length > 0 || passed === 0) process.exitCode = 1;
}

function list(title: string, names: string[]): void {
  if (names.length > 0) console.log(`\n${title}:\n${names.map((name) => `  ${name}`).join('\n')}`);
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
  const isDone = await runInTime(args, say, lifetime);
  const { passed, failed, repeated = [] } = read(count) ?? { passed: 0, failed: count ? [title] : [] };
  const ok = isDone && failed.length === 0;
  say(`${ok ? 'ok' : 'FAILED'} after ${Math.round((Date.now() - start) / 1000)} s`);
  return { passed, repeated, failed: ok || failed.length > 0 ? failed : [title] };
}

/** Runs a Node program and everything it starts until it ends or the limit is reached. Returns whether it succeeded. */
async function runInTime(args: string[], say: (line: string) => void, lifetime: Lifetime): Promise<boolean> {
  const output = new PassThrough();
  createInterface({ input: output }).on('line', say);
  const child = startGuarded({
    command: process.execPath,
    args,
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_JSON },
    signal: 'TERM',
    onOutput: (text) => output.write(text),
  });
  lifetime.add(child.stop);
  const limit = setTimeout(() => {
    say(`stopped: it did not end within ${STEP_LIMIT_MINUTES} minutes`);
    child.stop();
  }, STEP_LIMIT_MINUTES * MINUTE_MS);
  const code = await child.ended;
  clearTimeout(limit);
  child.killRest();
  return code === 0;
}

/** The step's count, if it wrote one. */
function read(count?: () => Count): Count | undefined {
  try {
    return count?.();
  } catch {
    return undefined;
  }
}
