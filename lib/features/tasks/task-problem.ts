import type { texts } from '@/lib/bot-texts';

/** Why a request in chat was not carried out. */
export type ProblemReason = keyof typeof texts.problems;

/** Why nothing is done with a page that is in another database than the button or its rule names. */
export type Elsewhere = Extract<ProblemReason, 'page_moved' | 'page_elsewhere' | 'reminder_gone'>;

/** An error that the person can be told about; `texts.problems` has the words. */
export class TaskProblem extends Error {
  constructor(
    readonly reason: ProblemReason,
    /** How long to wait before trying again, in milliseconds; absent when that cannot help. */
    readonly retryAfterMs?: number,
    /** How long retrying makes sense, in milliseconds after the request; absent for the usual time. */
    readonly patienceMs?: number,
  ) {
    super(reason);
    this.name = 'TaskProblem';
  }
}
