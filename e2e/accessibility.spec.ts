import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures';

const PATHS = [
  '/',
  '/setup',
  '/rules',
  '/discord',
  '/notion',
  '/accounts',
  '/settings',
  '/settings/billing',
  '/help',
];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('every screen is free of accessibility errors and fits a small phone', async ({ page, signIn }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await signIn('mira');
      for (const path of PATHS) {
        await test.step(path, async () => {
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(
            violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
          ).toEqual([]);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - window.innerWidth,
          );
          expect(overflow).toBeLessThanOrEqual(0);
        });
      }
    });
  });
}
