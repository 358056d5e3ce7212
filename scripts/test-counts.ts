import { relative } from 'node:path';

export interface Count {
  passed: number;
  /** The names of what failed, each with its file. */
  failed: string[];
  /** Those of what passed only when it was repeated. */
  repeated?: string[];
}

/** What is read of Vitest's JSON report. */
interface TestReport {
  numPassedTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
}

/** What is read of Playwright's JSON report. */
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

/** Counts Vitest's JSON report. A file that could not be run counts as one failure. */
export function countTests({ numPassedTests, testResults }: TestReport): Count {
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const path = relative('.', name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && tests.length === 0) return [path];
    return tests.map(({ fullName }) => `${path}: ${fullName}`);
  });
  return { passed: numPassedTests, failed };
}

/** Counts Playwright's JSON report. A run that did not begin fails with its error. */
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
