import { z } from 'zod';
import { type Action, MAX_ACTIONS, NAMED_ACTIONS, ofOtherSources } from './words';

const EXPECTED = `actions may have "assign_me", "assign", "status", "due", "set:" with a property, "comment" and "done"`;
const MAX_SHOWN = 100;

const actionSchema = z.union(
  [z.enum(NAMED_ACTIONS), z.templateLiteral(['set:', z.string().min(1).max(200)])],
  {
    // Anything else may be nested too deeply to be written out.
    error: ({ input }) =>
      typeof input === 'string'
        ? `${EXPECTED}, but not ${JSON.stringify(input.slice(0, MAX_SHOWN))}`
        : EXPECTED,
  },
);

/** What the buttons of a rule's cards do. */
export const actionsSchema = z
  .array(actionSchema, EXPECTED)
  .max(MAX_ACTIONS, `actions may have at most ${MAX_ACTIONS} entries`);

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
