import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { connectBoth, createRule } from './shortcuts';

test.use({ expectedConsole: /500/ });

test('a rule watches a page that is searched, or everything, without a mouse', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await control.call('notion', 'POST', '/_sandbox/notion/authorizations/share', {
    person: 'mira',
    page: 'Engineering wiki',
  });
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Create Notification Rule' });
  const watch = page.getByRole('combobox', { name: 'Watch', exact: true });
  const create = dialog.getByRole('button', { name: 'Create Rule' });

  await expect(dialog.getByLabel('Database', { exact: true })).toBeVisible();
  await watch.focus();
  await page.keyboard.type('A page');
  await expect(dialog.getByLabel('Database', { exact: true })).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Conditions', exact: true })).toHaveCount(0);
  await expect(create).toBeDisabled();
  const search = dialog.getByRole('combobox', { name: 'Page', exact: true });
  const found = page.getByRole('listbox', { name: 'Pages' }).getByRole('option');
  await expect(search).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(search).toBeFocused();
  await expect(search).toHaveAccessibleDescription(/paste a link to the page instead/);

  await test.step('a page is found by its title', async () => {
    await page.keyboard.type('build pipe');
    await expect(found).toHaveCount(1);
    await expect(found).toHaveText(/Build pipeline.*in Engineering wiki/);
    await inspect(page, 'page picker');
    await expect(found).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    const again = dialog.getByRole('button', { name: 'Page: Build pipeline. Choose another page' });
    await expect(again).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(search).toBeFocused();
  });

  await test.step('a search that fails offers no page that was found for other words', async () => {
    await expect(found).not.toHaveCount(0);
    await page.route('**/api/app/notion/pages?*', (route) =>
      route.fulfill({ status: 500, json: { error: 'Not today.' } }),
    );
    await page.keyboard.type('engineering');
    await expect(dialog.getByText('Not today.')).toBeVisible();
    await expect(found).toHaveCount(0, { timeout: 5000 });
    await page.unroute('**/api/app/notion/pages?*');
    await search.fill('');
  });

  await test.step('another one by its link', async () => {
    const docs = (await control.call('notion', 'GET', '/_sandbox/notion/docs')) as {
      id: string;
      title: string;
    }[];
    const id = docs.find(({ title }) => title === 'Engineering wiki')?.id ?? '';
    await page.keyboard.insertText(`https://www.notion.so/Engineering-wiki-${id.replaceAll('-', '')}?pvs=4`);
    await expect(found).toHaveCount(1);
    await expect(found).toHaveText(/Engineering wiki$/);
    await expect(found).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('combobox', { name: 'Subpages' })).toHaveValue('all');
    await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Engineering wiki → #');
    await inspect(page, 'rule of a page');
    await create.press('Enter');
  });

  const row = page.getByRole('listitem', { name: /^Engineering wiki and all below to #/ });
  await expect(row).toContainText('Engineering wiki and all below: new pages');

  await test.step('it is edited with its page, and watches everything from then on', async () => {
    await row.getByRole('button', { name: /^Edit rule/ }).press('Enter');
    const edited = page.getByRole('dialog', { name: 'Edit Notification Rule' });
    await expect(edited.getByRole('button', { name: /^Page: Engineering wiki/ })).toBeVisible();
    await edited.getByRole('combobox', { name: 'Watch', exact: true }).focus();
    await page.keyboard.type('Everything');
    for (const key of ['ArrowDown', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await expect(edited.getByRole('button', { name: /^Page: Engineering wiki/ })).toBeVisible();
    await edited.getByRole('button', { name: /^Page: Engineering wiki/ }).press('Enter');
    await expect(found.first()).toHaveText(/Engineering wiki.*in a rule$/);
    await watch.focus();
    await page.keyboard.type('Everything');
    await edited.getByRole('button', { name: 'Save Changes' }).press('Enter');
    const all = page.getByRole('listitem', { name: /^Everything shared to #/ });
    await expect(all).toContainText('Everything shared: new pages');
    await inspect(page, 'rules of other sources');
  });
});

test('a page that is gone is told at the choice of another', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  const text = 'The page "Engineering wiki" was deleted in Notion, or is no longer shared with Pagewire.';
  await createRule(page);
  await page.route('**/api/app/rules', async (route) => {
    const response = await route.fetch();
    const [rule] = await response.json();
    const source = { kind: 'page', pageId: rule.databaseId, subpages: 'all' };
    const problems = [{ part: 'source', id: rule.databaseId, text }];
    await route.fulfill({ response, json: [{ ...rule, databaseId: null, source, problems }] });
  });
  await page.goto('/rules');
  await page.getByRole('button', { name: /^Edit rule/ }).press('Enter');
  const search = page.getByRole('combobox', { name: 'Page', exact: true });
  await expect(search).toHaveAccessibleDescription(/no longer shared with Pagewire\./);
  await expect(search).toHaveAttribute('aria-invalid', 'true');
});

test('titles of pages that differ only at their end are shown to their end', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  const title = 'Minutes of the weekly meeting of the engineering team about everything that is open,';
  const pages = ['first', 'second'].map((part) => ({
    id: crypto.randomUUID(),
    title: `${title} ${part} part`,
    icon: null,
    url: null,
    parentTitle: 'Engineering wiki',
  }));
  await page.route('**/api/app/notion/pages?*', (route) => route.fulfill({ json: { pages } }));
  await page.goto('/rules?new=1');
  await page.getByRole('combobox', { name: 'Watch', exact: true }).selectOption('A page');
  const options = page.getByRole('listbox', { name: 'Pages' }).getByRole('option');
  await expect(options).toHaveCount(2);
  for (const option of await options.all()) {
    const label = option.getByText(title);
    expect(await label.evaluate((shown) => shown.scrollWidth <= shown.clientWidth)).toBe(true);
    expect(await label.evaluate((shown) => shown.scrollHeight <= shown.clientHeight)).toBe(true);
  }
});
