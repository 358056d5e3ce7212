import type { TestResults } from '../lib/testing/record-results';

export interface Count {
  passed: number;
  /** The names of failed tests, each with its file. */
  failed: string[];
  /** The names of tests that passed only when repeated. */
  repeated?: string[];
}

/** The part of Playwright's JSON report that is read. */
interface JourneyReport {
  stats: { expected: number; flaky: number };
  suites: Suite[];
  errors: { message?: string }[];
}

interface Suite {
  file: string;
  specs: { line: number; title: string; tests: { status: string }[] }[];
  suites?: Suite[];
}

/** Counts the recorded results. A file that had not ended when the run was stopped counts as one failure. */
export function countTests({ passed, failed, running }: TestResults): Count {
  return { passed, failed: [...failed, ...running.map((path) => `${path}: it did not end`)] };
}

/** Counts the tests in Playwright's JSON report. A run that did not begin fails with its error. */
export function countJourneys({ stats, suites, errors }: JourneyReport): Count {
  const failed = suites.flatMap((suite) => namesOf(suite, 'unexpected'));
  const told = errors.map(({ message }) => message ?? 'An error without a message');
  return {
    passed: stats.expected + stats.flaky,
    failed: failed.length > 0 ? failed : told,
    repeated: suites.flatMap((suite) => namesOf(suite, 'flaky')),
  };
}

function namesOf({ file, specs, suites = [] }: Suite, status: string): string[] {
  const own = specs.filter(({ tests }) => tests.some((test) => test.status === status));
  const names = own.map(({ line, title }) => `${file}:${line}: ${title}`);
  return [...names, ...suites.flatMap((suite) => namesOf(suite, status))];
}
