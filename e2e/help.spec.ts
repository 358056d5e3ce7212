import { expect, test } from './fixtures';
import { holdCalls } from './journey';

const QUESTIONS = [
  ['Why do I get no notifications?', /the rule is enabled.*Send Messages and Embed Links/],
  ['Why is my database missing from the list?', /must be shared with the bot in Notion/],
  ['What is the difference between Task DBs and Page DBs?', /Status property.*"Assign to me"/],
  ['Who can use the commands?', /All members of the Discord server can use the commands/],
  [
    'What happens when I unlink my account?',
    /You lose @mentions, "Assign to me" and personalized assignments/,
  ],
] as const;

test('help answers the usual questions and leads on', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/help');
  await expect(page.getByRole('heading', { name: 'Help & Support', level: 1 })).toBeVisible();
  await expect(page.getByText('Quick start takes 5 minutes.')).toBeVisible();
  for (const [question, answer] of QUESTIONS) {
    await page.getByText(question, { exact: true }).click();
    await expect(page.getByRole('group').filter({ hasText: question }).getByText(answer)).toBeVisible();
  }
  const contact = page.getByRole('list', { name: 'Contact' });
  await expect(contact.getByRole('link', { name: /^Support/ })).toHaveAttribute(
    'href',
    'mailto:support@pagewire.example',
  );
  await expect(contact.getByRole('link', { name: /^Community/ })).toHaveAttribute('href', /^http/);

  const links = page.getByRole('list', { name: 'Documentation' }).getByRole('link');
  const addresses = await links.evaluateAll((all) =>
    all.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  );
  expect(addresses).toEqual([
    '/docs',
    '/docs/getting-started',
    '/docs/getting-started/first-rule',
    '/docs/features/quick-actions',
    '/docs/features/commands',
    '/docs/troubleshooting',
  ]);
  for (const address of addresses) {
    const answer = await page.goto(address);
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});

test('terms and privacy are linked from the login page, and say whom to ask', async ({ page }) => {
  for (const name of ['Terms', 'Privacy']) {
    await page.goto('/');
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    const contact = page.getByRole('region', { name: 'Contact' });
    await expect(contact.getByRole('link', { name: 'support@pagewire.example' })).toBeVisible();
  }
  const kept = page.getByRole('region', { name: 'What is kept' });
  await expect(kept.getByRole('row', { name: /^Your rules, .* Until you delete them/ })).toBeVisible();
  await page.goto('/docs/security-and-privacy');
  await expect(page).toHaveURL('/docs/privacy');
});

test('tables of the documentation break no line inside code', async ({ page }) => {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ['/docs/features/commands', '/docs/features/keyboard']) {
      await page.goto(path);
      const code = page.getByRole('cell').locator('code');
      await expect(code.first()).toBeVisible();
      const lines = await code.evaluateAll((all) => all.map((each) => each.getClientRects().length));
      expect(lines).toEqual(lines.map(() => 1));
    }
  }
});

test('the documentation is searched by keyboard', async ({ page }) => {
  await page.goto('/docs');
  const search = page.getByRole('search');
  // The page reacts to the key only after its script has loaded.
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(search.getByRole('searchbox')).toBeFocused({ timeout: 100 });
  }).toPass();
  await page.keyboard.type('payment period');
  await expect(search.getByRole('status')).toHaveText('1 result');
  await search.getByRole('link').focus();
  await page.keyboard.press('Escape');
  await expect(search.getByRole('searchbox')).toBeFocused();
  await expect(search.getByRole('link')).toHaveCount(0);
  await page.keyboard.type('unlink');
  const results = search.getByRole('link');
  await expect(results.first()).toBeVisible();
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(results.first()).toBeInViewport({ ratio: 1 });
  if (size) await page.setViewportSize(size);
  await results.last().focus();
  // What comes next in the page is not behind the results.
  await page.keyboard.press('Tab');
  await expect(results).toHaveCount(0);
  await page.keyboard.press('Shift+Tab');
  await expect(search.getByRole('searchbox')).toBeFocused();
  await results.first().focus();
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL('/docs');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(search.getByRole('searchbox')).toBeFocused();
});

test('what is typed in the search before its script has loaded is found', async ({ page }) => {
  const release = await holdCalls(page, '**/_next/static/chunks/**/*.js');
  await page.goto('/docs', { waitUntil: 'commit' });
  const search = page.getByRole('search');
  await search.getByRole('searchbox').fill('unlink');
  release();
  await expect(search.getByRole('link').first()).toBeVisible();
  await expect(search.getByRole('searchbox')).toHaveValue('unlink');
});

test.describe('at an address without a page', () => {
  test.use({ expectedConsole: /404/ });

  test('the documentation says so, also in its title', async ({ page }) => {
    await page.goto('/docs/nowhere');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect(page).toHaveTitle('Page not found · Pagewire');
  });
});
