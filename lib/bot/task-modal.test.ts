import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modalSchema } from '../../sandbox/discord/interactions/modal-schema';
import { EMPTY_DRAFT, NO_DRAFT, taskModal } from './task-modal';

test('whatever the names in Notion, Discord accepts the form', () => {
  const name = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' });
  const option = fc.record({
    id: fc.uuid(),
    name,
    color: fc.constant('gray'),
    group: fc.oneof(fc.string({ maxLength: 200 }), fc.constantFrom(' ', ' \n')),
    isComplete: fc.boolean(),
  });
  const property = fc.record({ id: fc.uuid(), name: fc.oneof(name, fc.constantFrom('', ' \n')) });
  const database = fc.record({
    id: fc.uuid(),
    name,
    title: property,
    status: fc.record({
      id: fc.uuid(),
      name: fc.oneof(name, fc.constantFrom('', ' \n')),
      options: fc.uniqueArray(option, { selector: ({ id }) => id, maxLength: 40 }),
    }),
    people: fc.option(property),
    due: fc.option(property),
  });
  const text = fc.string({ maxLength: 5000, unit: 'grapheme' });
  fc.assert(
    fc.property(database, text, text, (given, title, description) => {
      const { data } = taskModal(given, NO_DRAFT, { ...EMPTY_DRAFT, title, description });
      expect(modalSchema.safeParse(data).error).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});
