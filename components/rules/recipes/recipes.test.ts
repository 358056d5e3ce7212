import { describe, expect, test } from 'vitest';
import { type DatabaseShape, type NoDatabase, shapeOf } from '@/components/rules/form/database-shape';
import { COMMENTS_REFUSED } from '@/lib/features/matching/words';
import { type RuleInput, ruleInputSchema } from '@/lib/features/rules/schema';
import type { Property } from '@/lib/features/workspaces/schema';
import { type Outcome, RECIPES } from './recipes';

function property(id: string, type: string, others: Partial<Property> = {}): Property {
  return { id, name: `The ${id}`, type, options: [], isStatus: false, ...others };
}

const option = (id: string, name = `Is ${id}`) => ({ id, name, color: 'default' });
const group = (name: string, ...options: string[]) => ({
  name,
  color: 'default',
  options: options.map((id) => option(id)),
});
const title = property('title', 'title');
const options = ['a', 'b', 'c', 'd'].map((id) => option(id));
const status = property('s', 'status', { isStatus: true, options });
const people = property('p', 'people');
const date = property('d', 'date');

function shape(
  properties: Property[],
  statusGroups = [group('x', 'a'), group('y', 'b'), group('z', 'c', 'd')],
) {
  const hasStatus = properties.some(({ isStatus }) => isStatus);
  const canReadComments: boolean | null = null;
  return { name: 'Board', properties, statusGroups: hasStatus ? statusGroups : [], canReadComments };
}

const board = shape([title, status, people, date]);

function fill(key: string, database: DatabaseShape | NoDatabase, chosen?: string): Outcome {
  const recipe = RECIPES.find((each) => each.key === key);
  if (!recipe) throw new Error(`There is no recipe ${key}.`);
  return recipe.fill(database, chosen);
}

test.each([
  ['inbox', { eventType: 'page_created', watchedProperties: [], displayedFields: ['s', 'p', 'd'] }],
  [
    'done',
    {
      watchedProperties: ['s'],
      displayedFields: ['p', 'd'],
      conditions: {
        match: 'any',
        items: [{ propertyId: 's', operator: 'changed', from: [], to: ['Is c', 'Is d'] }],
      },
    },
  ],
  [
    'assigned',
    {
      watchedProperties: ['p'],
      displayedFields: ['s', 'd'],
      conditions: { match: 'all', items: [{ propertyId: 'p', operator: 'is_not_empty' }] },
    },
  ],
  [
    'moved',
    {
      watchedProperties: ['d'],
      displayedFields: ['s', 'p'],
      conditions: { match: 'all', items: [{ propertyId: 'd', operator: 'changed', from: [], to: [] }] },
    },
  ],
  [
    'due',
    {
      eventType: 'date_near',
      schedule: { propertyId: 'd', days: 1, at: '09:00' },
      displayedFields: ['s', 'p'],
      conditions: {
        match: 'all',
        items: [{ propertyId: 's', operator: 'is_not', values: ['Is c', 'Is d'] }],
      },
      destination: { kind: 'people', propertyId: 'p' },
    },
  ],
  [
    'stale',
    {
      eventType: 'page_untouched',
      schedule: { days: 7, at: '09:00' },
      displayedFields: ['s', 'p', 'd'],
      conditions: {
        match: 'all',
        items: [{ propertyId: 's', operator: 'is_not', values: ['Is c', 'Is d'] }],
      },
    },
  ],
  [
    'comments',
    {
      eventType: 'comment_created',
      watchedProperties: [],
      displayedFields: ['s', 'p', 'd'],
      conditions: { match: 'all', items: [] },
    },
  ],
])('%s fills a task database', (key, terms) => {
  expect(fill(key, board)).toMatchObject({
    kind: 'draft',
    terms: { eventType: 'page_updated', source: undefined, ...terms },
  });
});

const unloaded = { lacks: 'No database is chosen.' };
const unknown = { lacks: 'The properties of the database are not known.' };

test.each([
  ['a database', board],
  ['a database without a status', shape([title])],
  ['no database', unloaded],
])('documents watches a page that is left to be chosen, instead of %s', (_name, database) => {
  expect(fill('documents', database)).toEqual({
    kind: 'draft',
    terms: {
      source: { kind: 'page', page: null, subpages: 'all' },
      eventType: 'page_created',
      schedule: null,
      watchedProperties: [],
      statusTo: [],
      displayedFields: [],
      conditions: { match: 'all', items: [] },
      atOnce: false,
    },
    hint: 'The page is left to you.',
  });
});

test.each(['inbox', 'done', 'assigned', 'moved', 'due', 'stale', 'comments'])(
  '%s needs a database',
  (key) => {
    expect(fill(key, unloaded)).toEqual({ kind: 'misfit', reason: unloaded.lacks });
  },
);

test.each([
  [true, 'draft'],
  [null, 'draft'],
  [false, 'misfit'],
])('comments, where Notion shows them: %s', (canReadComments, kind) => {
  expect(fill('comments', { ...board, canReadComments })).toMatchObject({ kind });
});

test.each([
  ['inbox', shape([title, people, date]), 'Board has no status, so its pages are no tasks.'],
  ['inbox', shape([]), 'Board has no status, so its pages are no tasks.'],
  [
    'done',
    shape([title, property('s', 'select', { options })]),
    'Board has no status, so its pages are no tasks.',
  ],
  [
    'done',
    shape([status], [group('x', 'a', 'b', 'c', 'd'), group('y'), group('z')]),
    'No option of The s is in the group for what is complete.',
  ],
  [
    'done',
    shape([status], [group('x', 'a'), group('y', 'b')]),
    'No option of The s is in the group for what is complete.',
  ],
  [
    'done',
    shape([status], [group('x'), group('y'), group('z', 'gone')]),
    'No option of The s is in the group for what is complete.',
  ],
  [
    'done',
    shape(
      [property('s', 'status', { isStatus: true, options: hundredAndOne().map((id) => option(id)) })],
      [group('x'), group('y'), group('z', ...hundredAndOne())],
    ),
    'More options of The s are complete than a condition can list.',
  ],
  [
    'assigned',
    shape([title, status, property('by', 'created_by'), property('last', 'last_edited_by')]),
    'Board has no property for people.',
  ],
  [
    'moved',
    shape([title, status, property('made', 'created_time'), property('edited', 'last_edited_time')]),
    'Board has no date.',
  ],
  ['moved', shape([title, property('f', 'formula'), property('r', 'rollup')]), 'Board has no date.'],
  ['due', shape([title, people, date]), 'Board has no status, so its pages are no tasks.'],
  ['due', shape([title, status, date]), 'Board has no property for people.'],
  ['due', shape([title, status, people, property('made', 'created_time')]), 'Board has no date.'],
  ['stale', shape([status], [group('x', 'a')]), 'No option of The s is in the group for what is complete.'],
  ['comments', shape([title, people, date]), 'Board has no status, so its pages are no tasks.'],
  ['comments', { ...board, canReadComments: false }, COMMENTS_REFUSED],
  [
    'comments',
    { ...shape([title]), canReadComments: false },
    'Board has no status, so its pages are no tasks.',
  ],
])('%s says why it does not fit (%#)', (key, database, reason) => {
  expect(fill(key, database)).toEqual({ kind: 'misfit', reason });
});

function hundredAndOne(): string[] {
  return Array.from({ length: 101 }, (_, index) => `o${index}`);
}

describe('where several properties could be meant', () => {
  const reviewer = property('p2', 'people');
  const start = property('d2', 'date');
  const odd = shape([title, status, people, reviewer, date, start]);

  test.each([
    ['assigned', 'Which property says who works on a page?', [people, reviewer], 'p2'],
    ['moved', 'Which date is the due date?', [date, start], 'd2'],
  ])('%s asks which', (key, text, among, chosen) => {
    expect(fill(key, odd)).toEqual({ kind: 'question', text, among });
    expect(fill(key, odd, 'gone')).toMatchObject({ kind: 'question' });
    expect(fill(key, odd, chosen)).toMatchObject({
      kind: 'draft',
      terms: { watchedProperties: [chosen], conditions: { items: [{ propertyId: chosen }] } },
    });
  });

  test('due asks which date, and leaves to whom to be chosen', () => {
    expect(fill('due', odd)).toMatchObject({ kind: 'question', among: [date, start] });
    expect(fill('due', odd, 'd2')).toMatchObject({
      terms: { schedule: { propertyId: 'd2' }, destination: { kind: 'people', propertyId: '' } },
      hint: 'Choose the property that says who works on a page.',
    });
  });

  test('none of them is shown, since it could be the wrong one', () => {
    expect(fill('inbox', odd)).toMatchObject({ terms: { displayedFields: ['s'] } });
  });
});

test('the first status of several is meant, as everywhere', () => {
  const second = property('s2', 'status', { options: [option('q')] });
  expect(fill('done', shape([title, status, second]))).toMatchObject({ terms: { watchedProperties: ['s'] } });
});

test('names of properties, options and groups decide nothing', () => {
  const names = ['Due date', 'Assignee', 'Done', 'Complete', 'Blocked', 'Status', ''];
  const drafts = names.map((name) => {
    const renamed = [title, status, people, date].map((each) => ({ ...each, name }));
    const groups = board.statusGroups.map((each) => ({ ...each, name }));
    return RECIPES.map(({ fill: filled }) => filled(shape(renamed, groups)));
  });
  for (const outcomes of drafts) expect(outcomes).toEqual(drafts[0]);
});

test('a property that lies in no group is not complete', () => {
  const loose = [group('x', 'a'), group('y'), group('z', 'c'), group('Other', 'b', 'd')];
  expect(fill('done', shape([status], loose))).toMatchObject({
    terms: { conditions: { items: [{ to: ['Is c'] }] } },
  });
});

test.each([1, 3, 300])(
  'with %d properties, each outcome is a rule that the server takes or says why not',
  (count) => {
    const types = ['title', 'status', 'people', 'date', 'files', 'rollup', 'select', 'button'];
    const properties = Array.from({ length: count }, (_, index) =>
      property(`p${index}`, types[index % types.length] ?? '', { isStatus: index === 1, options }),
    );
    const database = shape(properties);
    for (const recipe of RECIPES) {
      const first = recipe.fill(database);
      const outcome = first.kind === 'question' ? recipe.fill(database, first.among.at(-1)?.id) : first;
      if (outcome.kind === 'draft') {
        const { source, destination, ...terms } = outcome.terms;
        const body: RuleInput = ruleInputSchema.parse(bodyOf(terms, source, destination !== undefined));
        expect(body).toMatchObject(terms);
      } else expect(outcome).toMatchObject({ kind: 'misfit', reason: expect.stringMatching(/\.$/) });
    }
  },
);

/** The request after a person has chosen the page, if one is watched, and the channel or the property. */
const bodyOf = (terms: object, source: object | undefined, isToPeople: boolean) => ({
  ...terms,
  ...(source
    ? { source: { kind: 'page', pageId: '5f0c1a52-8d3e-4b7a-9c61-2e4d7b8f9a10', subpages: 'all' } }
    : { databaseId: 'db' }),
  ...(isToPeople ? { destination: { kind: 'people', propertyId: 'p' } } : { channelId: 'c' }),
});

describe('what recipes are filled in for', () => {
  const { properties, ...database } = board;
  const workspace = { canReadComments: false };
  const whole = { ...board, ...workspace };

  test.each([
    ['a database', database, { data: properties }, whole],
    ['one whose properties were loaded before', database, { data: properties, error: new Error() }, whole],
    ['one that loads', database, {}, null],
    ['one that did not load', database, { error: new Error() }, unknown],
    ['none', undefined, {}, unloaded],
  ])('%s', (_name, chosen, loaded, expected) => {
    expect(shapeOf(chosen, workspace, loaded)).toEqual(expected);
  });
});
