import type { texts } from '@/lib/bot-texts';

/** Why something that a person asked for in chat was not done. */
export type ProblemReason = keyof typeof texts.problems;

/** Something that the person can be told; `texts.problems` has the words. */
export class TaskProblem extends Error {
  constructor(
    readonly reason: ProblemReason,
    /** Present when trying again by itself may help: how long to wait, in milliseconds. */
    readonly retryAfterMs?: number,
  ) {
    super(reason);
    this.name = 'TaskProblem';
  }
}
