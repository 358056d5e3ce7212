import {
  COMPLETE,
  type DatabaseShape,
  type NoDatabase,
  statusIn,
} from '@/components/rules/form/database-shape';
import type { RuleFormValues } from '@/components/rules/form/rule-terms';
import { MORNING } from '@/components/rules/form/schedule-draft';
import { isolate } from '@/lib/bidi';
import type { Condition } from '@/lib/features/matching/schema';
import { COMMENTS_REFUSED } from '@/lib/features/matching/words';
import type { Property } from '@/lib/features/workspaces/schema';

/**
 * The terms that a recipe fills in: the chosen database's, or those of another source, and the recipient where it
 * writes to people. It does not set whose work is posted, whom cards ping, or the rule's name.
 */
export type RecipeTerms = Pick<
  RuleFormValues,
  | 'source'
  | 'eventType'
  | 'schedule'
  | 'watchedProperties'
  | 'statusTo'
  | 'displayedFields'
  | 'conditions'
  | 'atOnce'
> &
  Partial<Pick<RuleFormValues, 'destination'>>;

export type Outcome =
  /** `hint` says what a person may want to add. */
  | { kind: 'draft'; terms: RecipeTerms; hint: string | null }
  /** Several properties fit, and only a person can choose. */
  | { kind: 'question'; text: string; among: Property[] }
  | { kind: 'misfit'; reason: string };

export interface Recipe {
  key: string;
  name: string;
  /** What rules made from it post. */
  posts: string;
  /** `chosen` is the property that answers its question. */
  fill: (database: DatabaseShape | NoDatabase, chosen?: string) => Outcome;
}

// The limit of a condition.
const MAX_VALUES = 100;

/** The recipes that a new rule can start from. Each finds properties by type and group, never by name. */
export const RECIPES: Recipe[] = [
  {
    key: 'inbox',
    name: 'New task inbox',
    posts: 'Every new task, with its status, whom it is for and its date.',
    fill: ofDatabase((database) =>
      statusIn(database.properties)
        ? draft({ eventType: 'page_created', displayedFields: essentials(database) })
        : misfit(noStatus(database)),
    ),
  },
  {
    key: 'done',
    name: 'Done or blocked',
    posts: 'When a task is complete, or blocked, once you have said what means that.',
    fill: ofDatabase(fillDone),
  },
  {
    key: 'assigned',
    name: 'Assigned to somebody',
    posts: 'When a page gets somebody who works on it.',
    fill: ofDatabase((database, chosen) =>
      fillForOne(database, { type: 'people', chosen }, ASSIGNED, ({ id }) => ({
        propertyId: id,
        operator: 'is_not_empty',
      })),
    ),
  },
  {
    key: 'moved',
    name: 'Due date moved',
    posts: 'When the date of a page changes.',
    fill: ofDatabase((database, chosen) =>
      fillForOne(database, { type: 'date', chosen }, MOVED, ({ id }) => ({
        propertyId: id,
        operator: 'changed',
        from: [],
        to: [],
      })),
    ),
  },
  {
    key: 'due',
    name: 'Due tomorrow',
    posts: 'To whoever works on a task that is due tomorrow and not complete, in direct messages.',
    fill: ofDatabase(fillDue),
  },
  {
    key: 'stale',
    name: 'Stale tasks',
    posts: 'Tasks that are not complete, and that nobody changed for a week.',
    fill: ofDatabase(fillStale),
  },
  {
    key: 'comments',
    name: 'Comments on tasks',
    posts: 'Every comment on a task, with its text.',
    fill: ofDatabase(fillComments),
  },
  {
    key: 'documents',
    name: 'Documents created under a page',
    posts: 'Every new page below a page that you choose, at any depth.',
    fill: () =>
      draft({
        eventType: 'page_created',
        source: { kind: 'page', page: null, subpages: 'all' },
        hint: 'The page is left to you.',
      }),
  },
];

function ofDatabase(fill: (database: DatabaseShape, chosen?: string) => Outcome): Recipe['fill'] {
  return (database, chosen) => ('lacks' in database ? misfit(database.lacks) : fill(database, chosen));
}

const ASSIGNED = {
  lacks: 'has no property for people',
  question: 'Which property says who works on a page?',
};
const MOVED = { lacks: 'has no date', question: 'Which date is the due date?' };

function fillDone(database: DatabaseShape): Outcome {
  return ofTasks(database, (status, complete) =>
    draft({
      eventType: 'page_updated',
      watchedProperties: [status.id],
      displayedFields: essentials(database, status),
      conditions: {
        match: 'any',
        items: [{ propertyId: status.id, operator: 'changed', from: [], to: complete }],
      },
      hint: 'Notion does not say what blocks a task. Add under Conditions which status or property means that, and watch the property too.',
    }),
  );
}

function fillDue(database: DatabaseShape, chosen?: string): Outcome {
  const people = database.properties.filter(({ type }) => type === 'people');
  const dates = database.properties.filter(({ type }) => type === 'date');
  return ofTasks(database, (status, complete) => {
    if (people.length === 0) return misfit(`${isolate(database.name)} ${ASSIGNED.lacks}.`);
    if (dates.length === 0) return misfit(`${isolate(database.name)} ${MOVED.lacks}.`);
    const date = dates.length === 1 ? dates[0] : dates.find(({ id }) => id === chosen);
    if (!date) return { kind: 'question', text: MOVED.question, among: dates };
    const [only] = people.length === 1 ? people : [];
    return draft({
      eventType: 'date_near',
      schedule: { propertyId: date.id, days: 1, at: MORNING },
      displayedFields: essentials(database, date),
      conditions: unlessComplete(status, complete),
      destination: { kind: 'people', propertyId: only?.id ?? '' },
      hint: only ? null : 'Choose the property that says who works on a page.',
    });
  });
}

function fillStale(database: DatabaseShape): Outcome {
  return ofTasks(database, (status, complete) =>
    draft({
      eventType: 'page_untouched',
      schedule: { days: 7, at: MORNING },
      displayedFields: essentials(database),
      conditions: unlessComplete(status, complete),
    }),
  );
}

const unlessComplete = ({ id }: Property, complete: string[]): RuleFormValues['conditions'] => ({
  match: 'all',
  items: [{ propertyId: id, operator: 'is_not', values: complete }],
});

/** A rule about the status of tasks and its options that mean "complete". */
function ofTasks(database: DatabaseShape, fill: (status: Property, complete: string[]) => Outcome): Outcome {
  const status = statusIn(database.properties);
  if (!status) return misfit(noStatus(database));
  const complete = new Set(database.statusGroups[COMPLETE]?.options.map(({ id }) => id));
  const values = status.options.filter(({ id }) => complete.has(id)).map(({ name }) => name);
  if (values.length === 0)
    return misfit(`No option of ${isolate(status.name)} is in the group for what is complete.`);
  if (values.length > MAX_VALUES)
    return misfit(`More options of ${isolate(status.name)} are complete than a condition can list.`);
  return fill(status, values);
}

function fillComments(database: DatabaseShape): Outcome {
  if (!statusIn(database.properties)) return misfit(noStatus(database));
  if (database.canReadComments === false) return misfit(COMMENTS_REFUSED);
  return draft({ eventType: 'comment_created', displayedFields: essentials(database) });
}

/** A rule about the only property of a type, or about the one chosen among several. */
function fillForOne(
  database: DatabaseShape,
  { type, chosen }: { type: string; chosen: string | undefined },
  { lacks, question }: { lacks: string; question: string },
  condition: (property: Property) => Condition,
): Outcome {
  const among = database.properties.filter((property) => property.type === type);
  if (among.length === 0) return misfit(`${isolate(database.name)} ${lacks}.`);
  const property = among.length === 1 ? among[0] : among.find(({ id }) => id === chosen);
  if (!property) return { kind: 'question', text: question, among };
  return draft({
    eventType: 'page_updated',
    watchedProperties: [property.id],
    displayedFields: essentials(database, property),
    conditions: { match: 'all', items: [condition(property)] },
  });
}

const noStatus = ({ name }: DatabaseShape) => `${isolate(name)} has no status, so its pages are no tasks.`;

/** The status, the people and the date, each if there is exactly one, unless the card shows it anyway. */
function essentials(database: DatabaseShape, shownAnyway?: Property): string[] {
  const only = (type: string) => {
    const all = database.properties.filter((property) => property.type === type);
    return all.length === 1 ? all[0] : undefined;
  };
  return [statusIn(database.properties), only('people'), only('date')].flatMap((property) =>
    property && property.id !== shownAnyway?.id ? [property.id] : [],
  );
}

function draft({
  hint = null,
  ...terms
}: Pick<RecipeTerms, 'eventType'> & Partial<RecipeTerms> & { hint?: string | null }): Outcome {
  const nothing = {
    source: undefined,
    schedule: null,
    watchedProperties: [],
    statusTo: [],
    displayedFields: [],
    conditions: { match: 'all' as const, items: [] },
    atOnce: false,
  };
  return { kind: 'draft', terms: { ...nothing, ...terms }, hint };
}

const misfit = (reason: string): Outcome => ({ kind: 'misfit', reason });
