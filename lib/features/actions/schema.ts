import { z } from 'zod';
import { ACTIONS_MAX, type Action, NAMED_ACTIONS, ofOtherSources } from './words';

const EXPECTED = `actions may have "assign_me", "assign", "status", "due", "set:" with a property, "comment" and "done"`;
const SHOWN_MAX = 100;

const actionSchema = z.union(
  [z.enum(NAMED_ACTIONS), z.templateLiteral(['set:', z.string().min(1).max(200)])],
  { error: ({ input }) => `${EXPECTED}, but not ${JSON.stringify(input)?.slice(0, SHOWN_MAX)}` },
);

/** What the buttons of a rule's cards do. */
export const actionsSchema = z
  .array(actionSchema, EXPECTED)
  .max(ACTIONS_MAX, `actions may have at most ${ACTIONS_MAX} entries`);

/** Calls `refuse` with a sentence if a rule that watches no database cannot have an action. */
export function refuseForOtherSource(
  actions: Action[] | null,
  isToPeople: boolean,
  refuse: (field: string, message: string) => void,
): void {
  const [unfit] = (actions ?? []).filter(
    (action) => !ofOtherSources(isToPeople).some((other) => other === action),
  );
  if (unfit) refuse('actions', `actions: "${unfit}" needs a database as the source`);
}
