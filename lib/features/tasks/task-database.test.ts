import { describe, expect, test } from 'vitest';
import { toTaskDatabase } from './task-database';

const plain = (name: string, type: string) => ({ id: name, name, type, options: [], groups: [] });
const option = (id: string) => ({ id, name: `Name of ${id}`, color: 'gray' });

function database(...schema: { id: string; type: string; groups?: object[] }[]) {
  const properties = JSON.parse(JSON.stringify(schema));
  const statusPropertyId = schema.find(({ type }) => type === 'status')?.id ?? null;
  return toTaskDatabase({ id: 'db', name: 'Board', properties, statusPropertyId });
}

const status = {
  ...plain('State', 'status'),
  options: [option('done'), option('new'), option('loose'), option('busy')],
  groups: [
    { name: 'To-do', color: 'gray', optionIds: ['new'] },
    { name: 'Under way', color: 'blue', optionIds: ['busy', 'unknown'] },
    { name: 'Erledigt', color: 'green', optionIds: ['done'] },
  ],
};
const title = plain('Name', 'title');

test('a database without a status or a title is not a task database', () => {
  expect(database(title, plain('Assignee', 'people'))).toBeNull();
  expect(database(status)).toBeNull();
});

test('statuses are in the order of their groups, and the last group is the finished one', () => {
  const options = database(title, status)?.status.options ?? [];
  expect(options.map(({ id, group, isComplete }) => [id, group, isComplete])).toEqual([
    ['new', 'To-do', false],
    ['busy', 'Under way', false],
    ['done', 'Erledigt', true],
    ['loose', '', false],
  ]);
});

test('a status may have a hundred thousand options', () => {
  // With effort for each pair of options, this would take half an hour.
  const many = Array.from({ length: 100_000 }, (_, index) => option(`option-${index}`));
  const [open = [], done = []] = [many.slice(0, 60_000), many.slice(60_000, 90_000)];
  const groups = [open, done].map((options, index) => ({
    ...{ name: `Group ${index}`, color: 'gray' },
    optionIds: options.map(({ id }) => id),
  }));
  const large = { ...status, options: many, groups };
  const options = database(title, large)?.status.options ?? [];
  expect(options.map(({ id }) => id)).toEqual(many.map(({ id }) => id));
  expect(options.filter(({ isComplete }) => isComplete)).toHaveLength(30_000);
});

test('a group called Complete is the finished one in any position', () => {
  const [first, ...rest] = status.groups;
  const complete = { ...first, name: 'complete' };
  const options = database(title, { ...status, groups: [complete, ...rest] })?.status.options;
  expect(options?.filter(({ isComplete }) => isComplete).map(({ id }) => id)).toEqual(['new']);
});

describe('the people and the due date of a task', () => {
  test.each([
    [['Reviewer', 'Assignee'], 'Assignee'],
    [['Reviewer', 'Assigned to'], 'Assigned to'],
    [['Reviewer', ' owner '], ' owner '],
    [['Reviewer', 'Tester'], 'Reviewer'],
    [[], undefined],
  ])('of %j it is %j', (names, chosen) => {
    const properties = names.map((name) => plain(name, 'people'));
    expect(database(title, status, ...properties)?.people?.name).toBe(chosen);
  });

  test.each([
    [['Started', 'Due date'], 'Due date'],
    [['Started', 'Deadline'], 'Deadline'],
    [['Residue', 'Started'], 'Residue'],
    [[], undefined],
  ])('of the dates %j it is %j', (names, chosen) => {
    const properties = names.map((name) => plain(name, 'date'));
    expect(database(title, status, ...properties)?.due?.name).toBe(chosen);
  });
});
