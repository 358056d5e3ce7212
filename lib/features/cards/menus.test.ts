import { expect, test } from 'vitest';
import { selectSchemas } from '@/sandbox/discord/messages/select-schema';
import { menu } from './menus';

test.each(['', ' ', '\n', 'In progress'])(
  'Discord accepts a menu with the description "%s"',
  (description) => {
    const [row] = menu('choose', 'Choose', [{ label: 'Doing', value: 'id', description }]);
    expect(selectSchemas[0].safeParse(row?.components[0]).error).toBeUndefined();
  },
);
