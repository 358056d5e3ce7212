import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSourceFiles } from '../lib/testing/source-files';
import { pictureInputs } from './picture-inputs';

const inputs = pictureInputs(readSourceFiles());

test.each([
  'components/rules/rules-screen.tsx',
  // Loaded when it is opened, and imported by the screen.
  'components/rules/recipes/recipe-list.tsx',
  'components/ui/button.tsx',
  'components/shell/sidebar.tsx',
  'lib/client/format.ts',
  'lib/features/matching/words.ts',
])('%s is seen in a picture', (path) => {
  expect(inputs).toContain(path);
});

test.each([
  'components/billing/plan-card.tsx',
  'components/docs/doc-block.tsx',
  'components/docs/content/terms.ts',
  'lib/client/api.ts',
  'components/rules/recipes/recipes.test.ts',
  'lib/features/rules/schema.ts',
  'lib/features/rules/commands.ts',
])('%s is in none', (path) => {
  expect(inputs).not.toContain(path);
});

test('everything that the pictures depend on exists', () => {
  expect(inputs.filter((path) => !existsSync(path))).toEqual([]);
});
