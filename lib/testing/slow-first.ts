import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first: processes are killed and paused, tables are filled. */
export const SLOW = [
  'lib/worker/kills.test.ts',
  'lib/worker/faults.test.ts',
  'lib/worker/database-restart.test.ts',
  'lib/worker/query-plans.test.ts',
  'lib/worker/pauses.test.ts',
  'lib/bot/refused-actions.test.ts',
  'lib/features/takeovers/takeover.test.ts',
];

/** Begins with the slow files, so that none of them is still running when all others have ended. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
