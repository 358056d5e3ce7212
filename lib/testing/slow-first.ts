import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, the slowest first: they kill and pause processes, and fill tables. */
export const SLOW = [
  'lib/worker/kills.test.ts',
  'lib/worker/query-plans.test.ts',
  'lib/worker/database-restart.test.ts',
  'lib/features/floods/flood.test.ts',
  'lib/features/direct/killed-workers.test.ts',
  'lib/worker/pauses.test.ts',
  'lib/bot/refused-actions.test.ts',
  'scripts/restore.test.ts',
  'lib/features/takeovers/takeover.test.ts',
];

/** Starts with the slow files, so that the run does not end with waiting for one of them. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
