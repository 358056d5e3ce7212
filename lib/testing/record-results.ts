import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';
import { MINUTE_MS } from '../time';

export const RESULTS_FILE = '.pagewire/test-results/vitest.json';

const QUIET_MS = 5 * MINUTE_MS;

/** The results of a run so far. */
export interface TestResults {
  passed: number;
  /** The names of failed tests, each with its file and its first error. */
  failed: string[];
  /** The files that have begun and not ended. */
  running: string[];
}

/**
 * Writes down the results after each test file, so that those of a stopped run are known. Names the files that are
 * running if none has ended for minutes.
 */
export default class RecordResults implements Reporter {
  private readonly results: TestResults = { passed: 0, failed: [], running: [] };
  private timer: NodeJS.Timeout | undefined;

  /** Called before the file is loaded, because loading may hang too. */
  onTestModuleQueued(module: TestModule): void {
    this.results.running.push(pathOf(module));
    this.record();
  }

  onTestModuleEnd(module: TestModule): void {
    const path = pathOf(module);
    const { results } = this;
    const failed = [...module.children.allTests('failed')].map(
      (test) => `${path}: ${test.fullName}${firstError(test.result().errors)}`,
    );
    // A file that could not be run counts as one failure.
    if (failed.length === 0 && !module.ok()) failed.push(`${path}${firstError(module.errors())}`);
    results.passed += [...module.children.allTests('passed')].length;
    results.failed.push(...failed);
    results.running = results.running.filter((other) => other !== path);
    this.record();
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    this.results.failed.push(...errors.map(({ message }) => message));
    this.record();
    clearInterval(this.timer);
  }

  private record(): void {
    mkdirSync(dirname(RESULTS_FILE), { recursive: true });
    writeFileSync(RESULTS_FILE, JSON.stringify(this.results));
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      process.stdout.write(`Still running: ${this.results.running.join(', ')}\n`);
    }, QUIET_MS);
    this.timer.unref();
  }
}

const pathOf = ({ moduleId }: TestModule): string => relative('.', moduleId);

const firstError = ([error]: readonly { message: string }[] = []): string =>
  error ? `: ${stripVTControlCharacters(error.message).split('\n')[0]}` : '';
