import { ComponentType } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { PERCENT } from '@/lib/integrations/notion/notion-catalog';
import { actionModal } from './action-modal';

const target = { ruleId: '0'.repeat(32), pageId: '0'.repeat(32), key: '0'.repeat(12) };
const number = { id: 'n', name: 'Progress', type: 'number', options: [], groups: [] };

test.each([
  [PERCENT, 'This replaces what is there. Empty removes it. (0.5 is 50 %)'],
  ['euro', 'This replaces what is there. Empty removes it. (euro)'],
  ['x'.repeat(100), expect.stringMatching(/^.{1,100}$/)],
  [undefined, 'This replaces what is there. Empty removes it.'],
])('the form of a number in %s says so', (unit, description) => {
  const property = { ...number, ...(unit && { unit }) };
  const form = actionModal(target, { action: 'set:n', property });
  expect(form).toMatchObject({ data: { components: [{ description }] } });
});

test.each([
  ['select', 'The name of an option. Empty removes it.'],
  [
    'multi_select',
    'The names of options, with commas between them. They replace what is there. Empty removes it.',
  ],
  ['status', 'The name of an option'],
])('the form of a long %s says what an empty entry does', (type, description) => {
  const options = Array.from({ length: 26 }, (_, n) => ({ id: `${n}`, name: `${n}`, color: 'gray' }));
  const property = { id: 'l', name: 'Long', type, options, groups: [] };
  expect(actionModal(target, { action: 'set:l', property })).toMatchObject({
    data: { components: [{ description, component: { type: ComponentType.TextInput } }] },
  });
});
