import { expect, test } from './fixtures';
import { alertOn, choose, chosen } from './journey';
import { connectBoth, createRule } from './shortcuts';

test('home shows the way from nothing to the first task', async ({ page, signIn, control }) => {
  await signIn('mira');
  await page.goto('/');

  await test.step('before anything is connected', async () => {
    await expect(page.getByRole('heading', { name: 'Welcome back, mira', level: 1 })).toBeVisible();
    for (const title of ['Discord Server Not Connected', 'Notion Workspace Not Connected']) {
      const card = page.getByRole('region', { name: title });
      await expect(card.getByRole('heading', { name: title })).toBeVisible();
      await expect(card.getByRole('link')).toHaveAttribute('href', '/setup');
    }
    await expect(page.getByRole('button', { name: 'Create Rule' })).toBeDisabled();
    await expect(page.getByText('Connect Discord and Notion first', { exact: true })).toBeVisible();
    const checklist = page.getByRole('region', { name: 'Getting Started' });
    await expect(checklist.getByText('0/5 completed', { exact: true })).toBeVisible();
    await expect(checklist.getByRole('listitem')).toHaveText([
      'Discord bot installed',
      'Notion workspace connected',
      'Your Notion account linked',
      'First notification rule created',
      'First task created via Discord',
    ]);
    await expect(checklist.getByRole('link', { name: 'View Setup Guide' })).toHaveAttribute(
      'href',
      /\/docs\/getting-started$/,
    );
  });

  await connectBoth(page);
  await createRule(page);
  await control.setSent(123);
  await page.goto('/');

  await test.step('with both connected and one rule', async () => {
    await expect(page.getByRole('heading', { name: 'Welcome back, Mira Castellan' })).toBeVisible();
    await expect(page.getByText('Starter', { exact: true })).toBeVisible();
    await expect(page.getByText('Not Connected')).toHaveCount(0);
    await expect(page.getByText('4/5 completed', { exact: true })).toBeVisible();
    const usage = page.getByRole('region', { name: 'Usage This Month' });
    await expect(usage).toContainText('123 / 1,000');
    await expect(usage.getByText('12.3% of monthly limit', { exact: true })).toBeVisible();
    await expect(usage.getByRole('progressbar', { name: 'Usage This Month' })).toHaveAttribute(
      'aria-valuetext',
      '12.3% of monthly limit',
    );
    await expect(page.getByRole('link', { name: 'Notification Rules 1/10' })).toBeVisible();
    await expect(page.getByRole('link', { name: /^Task Databases \d+ auto-detected$/ })).toBeVisible();
    await expect(page.getByRole('link', { name: /^Discord Channels \d+ available$/ })).toBeVisible();
    const actions = page.getByRole('region', { name: 'Quick Actions' });
    for (const [name, href] of [
      ['Create Rule', '/rules'],
      ['View Databases', '/notion'],
      ['Configure Discord', '/discord'],
    ] as const) {
      await expect(actions.getByText(name, { exact: true })).toBeVisible();
      await expect(actions.getByRole('link', { name })).toHaveAttribute('href', href);
    }
  });

  await test.step('the state of the pipeline, the days of the period, and where each number leads', async () => {
    await expect(page.getByRole('link', { name: 'Your rule is ready' })).toHaveAttribute('href', '/rules');
    await expect(page.getByRole('link', { name: '123 / 1,000 notifications' })).toHaveAttribute(
      'href',
      '/settings/billing',
    );
    const usage = page.getByRole('region', { name: 'Usage This Month' });
    await expect(usage).toContainText(/Day 1 of (28|29|30|31)/);
    const days = usage.getByRole('slider', { name: 'Notifications by day' });
    await days.focus();
    await page.keyboard.press('Home');
    await expect(days).toHaveAttribute('aria-valuetext', /^[A-Z][a-z]{2} \d+: 0 notifications$/);
    await expect(days.locator('.bg-hover')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(days.locator('.bg-hover')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Latest activity' })).toContainText(
      'Nothing has happened yet',
    );
  });

  await test.step('the path leaves when it is complete', async () => {
    await expect(page.getByRole('region', { name: 'Getting Started' })).toBeVisible();
    await control.createFirstTask();
    await page.reload();
    await expect(page.getByRole('region', { name: 'Usage This Month' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Getting Started' })).toBeHidden();
  });

  await test.step('the sidebar has its entries, who is signed in, and the way out', async () => {
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await expect(navigation.getByRole('link')).toHaveText([
      'Home',
      'Rules',
      'Discord',
      'Notion',
      'Accounts',
      'Settings',
      'Billing',
      'Help',
    ]);
    await expect(navigation.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    await expect(sidebar.getByText('MI', { exact: true })).toBeVisible();
    await expect(sidebar.getByText('mira', { exact: true })).toBeVisible();
    await expect(sidebar.getByText('Starter Plan', { exact: true })).toBeVisible();
    await sidebar.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
    await expect(page).toHaveURL('/?mode=app');
  });
});

test('after the setup a first rule is proposed, which lacks only its channel', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/?setup=completed');
  const proposal = page.getByRole('region', { name: 'Your first rule' });
  await expect(proposal).toContainText('Bug reports');
  await expect(proposal).toContainText('State changes');
  const create = proposal.getByRole('button', { name: 'Create this rule' });
  await expect(chosen(page, 'Channel of your first rule')).toHaveText('Select a channel');
  await expect(create).toBeDisabled();

  await test.step('it can be changed first', async () => {
    await proposal.getByRole('button', { name: 'Change it first' }).click();
    const form = page.getByRole('dialog', { name: 'Create Notification Rule' });
    await expect(chosen(page, 'Database')).toContainText('Bug reports');
    await expect(chosen(page, 'Event Type')).toHaveText('Page Updated');
    await expect(form.getByRole('button', { name: 'Watched Properties' })).toContainText('State');
    await expect(form.getByRole('combobox', { name: 'Channel' })).toHaveValue('');
    await expect(form.getByRole('button', { name: 'Create Rule' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();
  });

  await test.step('and saved as it is', async () => {
    await choose(page, 'Channel of your first rule', 'bugs');
    await create.click();
    await expect(page.getByRole('status').filter({ hasText: 'Your first rule is on' })).toContainText(
      'Change State of a page in Bug reports, and its card appears in #bugs.',
    );
    await expect(proposal).toBeHidden();
    await expect(page.getByRole('link', { name: 'Your rule is ready' })).toBeVisible();
    await page.goto('/rules');
    await expect(page.getByRole('listitem', { name: 'Bug reports to #bugs' })).toContainText('State changes');
  });
});

test.describe('when a first rule is refused', () => {
  test.use({ expectedConsole: /500|Failed to save rule/ });

  test('the proposal says so, and keeps what was chosen', async ({ page, signIn, control }) => {
    await signIn('mira');
    await connectBoth(page);
    await page.goto('/');
    const proposal = page.getByRole('region', { name: 'Your first rule' });
    await choose(page, 'Channel of your first rule', 'bugs');
    await control.breakColumn('audit_entry', 'action');
    await proposal.getByRole('button', { name: 'Create this rule' }).click();
    await expect(proposal.getByRole('alert')).toContainText('The rule was not saved.');
    await expect(chosen(page, 'Channel of your first rule')).toContainText('bugs');
    await control.restoreColumns();
    await proposal.getByRole('button', { name: 'Create this rule' }).click();
    await expect(proposal).toBeHidden();
  });
});

test.describe('when the answer to a first rule is lost', () => {
  test.use({ expectedConsole: /ERR_CONNECTION_RESET|Failed to save rule/ });

  test('what comes next is told once the rule is there', async ({ page, signIn }) => {
    await signIn('mira');
    await connectBoth(page);
    await page.goto('/');
    await page.route('**/api/app/rules?*', async (route) => {
      if (route.request().method() === 'GET') return route.fallback();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await choose(page, 'Channel of your first rule', 'bugs');
    const proposal = page.getByRole('region', { name: 'Your first rule' });
    await proposal.getByRole('button', { name: 'Create this rule' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Your first rule is on' })).toContainText(
      'Change State of a page in Bug reports, and its card appears in #bugs.',
    );
    await expect(proposal).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
    await expect(page.getByRole('link', { name: 'Notification Rules 1/10' })).toBeVisible();
  });
});

test('the trial banner counts down, can be dismissed for the view, and ends red', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(/your trial|Trial ends/)).toHaveCount(0);

  await test.step('seven days left', async () => {
    await control.passDays(7);
    await page.reload();
    const banner = page
      .getByRole('note')
      .filter({ hasText: '7 days left in your trial. Upgrade to continue after your trial ends.' });
    await expect(banner).toBeVisible();
    await expect(banner.getByRole('link')).toHaveCount(0);
    await banner.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByRole('main')).toBeFocused();
    await expect(banner).toBeHidden();
    await page.reload();
    await expect(banner).toBeVisible();
  });

  await test.step('three days left, then one', async () => {
    await control.passDays(4);
    await page.reload();
    const banner = page
      .getByRole('note')
      .filter({ hasText: 'Trial ends in 3 days. Upgrade now to avoid interruption.' });
    await expect(banner.getByRole('link', { name: 'Upgrade', exact: true })).toHaveAttribute(
      'href',
      '/settings/billing',
    );
    await banner.getByRole('button', { name: 'Dismiss' }).click();
    await expect(banner).toBeHidden();
    await page.goto('/settings/billing');
    await expect(page.getByText('3 days left in your trial', { exact: true })).toBeVisible();
    await control.passDays(2);
    await page.reload();
    await expect(page.getByText('1 day left in your trial', { exact: true })).toBeVisible();
    await page.goto('/');
    await expect(page.getByText('Trial ends in 1 day. Upgrade now to avoid interruption.')).toBeVisible();
  });

  await test.step('over', async () => {
    await control.passDays(1);
    await page.reload();
    const banner = alertOn(page).filter({
      hasText: 'Your trial has ended. Upgrade now to continue using the product.',
    });
    await expect(banner.getByRole('button')).toHaveCount(0);
    await banner.getByRole('link', { name: 'Upgrade Now' }).click();
    await expect(
      alertOn(page).filter({ hasText: 'Your trial has ended. Please upgrade to continue using Pagewire.' }),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Upgrade Now' })).toBeEnabled();
  });
});
