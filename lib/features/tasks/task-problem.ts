/** Why something that a person asked for in chat was not done. */
export type ProblemReason =
  | 'not_connected'
  | 'plan_over'
  | 'reconnect'
  | 'not_linked'
  | 'no_databases'
  | 'database_gone'
  | 'database_changed'
  | 'page_gone'
  | 'no_people_property'
  | 'draft_gone'
  | 'notion_refused'
  | 'notion_silent'
  | 'maybe_created';

/** Something that the person can be told; the door has the words. */
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
