import { expect, test } from './fixtures';
import { connectBoth } from './shortcuts';

test('a page loads no other page until its link is pointed at or focused', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  const loaded = new Set<string>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (searchParams.has('_rsc')) loaded.add(pathname);
  });
  await page.goto('/rules');
  await expect(page.getByRole('heading', { level: 1, name: 'Rules' })).toBeVisible();
  const sidebar = page.getByRole('navigation', { name: 'Main' });
  await expect(sidebar.getByRole('link', { name: 'Discord' })).toBeVisible();
  expect(loaded).toEqual(new Set());

  await sidebar.getByRole('link', { name: 'Discord' }).hover();
  await expect.poll(() => loaded).toEqual(new Set(['/discord']));
  await sidebar.getByRole('link', { name: 'Help' }).focus();
  await expect.poll(() => loaded).toEqual(new Set(['/discord', '/help']));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
});
