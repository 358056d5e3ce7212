import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { choose, chosen, denyPosting, editTask, findGuild, runCommand, tick } from './journey';
import { connectBoth, createRule } from './shortcuts';

const SCREENS = [
  ['/', 'home'],
  ['/rules', 'rules'],
  ['/activity', 'activity'],
  ['/discord', 'discord'],
  ['/notion', 'notion'],
  ['/accounts', 'accounts'],
  ['/settings', 'settings'],
  ['/settings/billing', 'billing'],
  ['/help', 'help'],
] as const;

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Inspects what a button opens, and closes it again. */
async function inspectBehind(page: Page, button: string, state: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible();
  await inspect(page, state);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeHidden();
}

// Each test checks its states in both themes and both widths; the console must stay silent throughout.
test('the screens of whoever is signed out', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
  await inspect(page, 'login');
  for (const [path, state] of [
    ['/callback?mode=app', 'callback incomplete'],
    ['/callback?error=AccessDenied', 'callback failed'],
    ['/docs', 'docs'],
    ['/docs/getting-started', 'docs page'],
    ['/docs/features/commands', 'docs commands'],
    ['/docs/features/keyboard', 'docs keyboard'],
    ['/docs/privacy', 'docs privacy'],
    ['/docs/terms', 'docs terms'],
    ['/docs/security', 'docs security'],
  ] as const) {
    await open(page, path);
    await inspect(page, state);
  }
});

test('the screens before anything is connected', async ({ page, signIn }) => {
  await signIn('mira');
  await open(page, '/setup');
  await inspect(page, 'setup');
  await open(page, '/setup?error=oauth_failed&details=access_denied');
  await inspect(page, 'setup error');
  for (const [path, state] of SCREENS) {
    await open(page, path);
    await inspect(page, `${state} unconnected`);
  }
  await open(page, '/nowhere');
  await inspect(page, 'not found');
});

test('the screens of a working account, its dialogs and menus', async ({ page, signIn, openDiscord }) => {
  await signIn('mira');
  await connectBoth(page);
  for (const [path, state] of SCREENS) {
    await open(page, path);
    await inspect(page, `${state} connected`);
  }

  await open(page, '/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  await inspect(page, 'rule dialog new');
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Event Type', 'Page Updated');
  await tick(page, 'Watched Properties', 'Status');
  await tick(page, 'Displayed Fields', 'Assignee');
  await inspect(page, 'rule dialog filled');
  await page.getByRole('button', { name: 'Displayed Fields' }).click();
  await inspect(page, 'rule dialog fields menu');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await inspect(page, 'rule dialog discard');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();

  await createRule(page);
  await open(page, '/rules');
  await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toBeVisible();
  await inspect(page, 'rules one');
  await inspectBehind(page, 'Edit rule Sprint board to #tasks', 'rule dialog edit');
  await inspectBehind(page, 'Delete rule Sprint board to #tasks', 'rule delete');
  await page.getByRole('button', { name: 'New Rule' }).click();
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Event Type', 'Page Updated');
  await tick(page, 'Watched Properties', 'Status');
  await choose(page, 'Channel', 'tasks');
  await expect(page.getByText('A rule does this already')).toBeVisible();
  await inspect(page, 'rule dialog twin');
  await open(page, '/discord');
  await inspectBehind(page, 'Disconnect Server', 'discord disconnect');
  await open(page, '/notion');
  await inspectBehind(page, 'Disconnect Workspace', 'notion disconnect');
  await open(page, '/settings');
  await inspectBehind(page, 'Unlink Account', 'settings unlink');
  await inspectBehind(page, 'Delete Account', 'settings delete');

  const discord = await openDiscord('jonas');
  await discord.getByRole('link', { name: /tasks/ }).click();
  await runCommand(discord, '/notion link-account');
  await open(page, '/accounts');
  await expect(page.getByText('@jonas_b')).toBeVisible();
  await inspect(page, 'accounts pending');
  const choice = page.getByRole('combobox', { name: 'Notion user for @jonas_b' });
  await choice.selectOption({ label: 'Jonas Brandt (jonas@lanternworks.example)' });
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('No pending link requests')).toBeVisible();
  await inspect(page, 'accounts linked');
  await page.getByRole('button', { name: 'Unlink' }).nth(1).click();
  await inspect(page, 'accounts unlink');
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await inspect(page, 'menu');
});

test('the screens while the plan and the connections change', async ({
  page,
  signIn,
  control,
  openNotion,
}) => {
  const lookAt = async (state: string, screens: string[]) => {
    for (const [path, name] of SCREENS) {
      if (!screens.includes(name)) continue;
      await open(page, path);
      await inspect(page, `${name} ${state}`);
    }
  };
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await control.setSent(800);
  await lookAt('80 percent', ['home', 'billing']);
  await control.setSent(1000);
  await lookAt('100 percent', ['home', 'billing']);
  const notion = await openNotion('jonas');
  await notion.getByRole('link', { name: /Sprint board/ }).click();
  await notion.getByLabel('Status of Boss fight: ember golem').selectOption('Done');
  await open(page, '/rules');
  await expect(page.getByText(/Held/)).toBeVisible();
  await lookAt('held', ['rules']);

  await control.setSent(12);
  await control.passDays(7);
  await lookAt('7 days', ['home', 'billing']);
  await control.passDays(4);
  await lookAt('3 days', ['home', 'billing']);
  await control.passDays(4);
  await lookAt('trial over', ['home', 'billing']);

  await open(page, '/settings/billing');
  await page.getByRole('button', { name: 'Upgrade Now' }).click();
  await page.getByLabel(/0341/).check();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  await inspect(page, 'billing paid');
  await lookAt('active', ['home', 'billing']);
  await page.getByRole('button', { name: 'Manage Billing' }).click();
  await page.getByRole('button', { name: 'Cancel at period end' }).click();
  await page.getByRole('link', { name: 'Return to Pagewire' }).click();
  await expect(page.getByText('Ends', { exact: true })).toBeVisible();
  await lookAt('cancelling', ['billing']);
  await page.getByRole('button', { name: 'Manage Billing' }).click();
  await page.getByRole('button', { name: 'Keep subscription' }).click();
  await page.getByRole('link', { name: 'Return to Pagewire' }).click();
  await expect(page.getByText('Renews', { exact: true })).toBeVisible();
  await control.passDays(31);
  await control.call('stripe', 'GET', '/_sandbox/stripe/subscriptions');
  await expect(async () => {
    await open(page, '/settings/billing');
    await expect(page.getByText('Past Due', { exact: true })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await lookAt('past due', ['home', 'billing']);
  await page.getByRole('button', { name: 'Manage Billing' }).click();
  await page.getByRole('button', { name: 'Cancel now' }).click();
  await page.getByRole('link', { name: 'Return to Pagewire' }).click();
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
  await lookAt('canceled', ['home', 'billing']);

  await control.loseConnections();
  await lookAt('connection lost', ['home', 'discord', 'notion', 'rules']);
});

test('the screens of the setup that is complete', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  // The page moves on after a moment; aborting that navigation keeps it here.
  const next = '**/?setup=completed';
  await page.route(next, (route) => route.abort('aborted'));
  await page.goto('/setup');
  await expect(page.getByText('Setup Complete!')).toBeVisible();
  await inspect(page, 'setup complete');
  await page.unroute(next);
  await page.goto('/setup');
  await expect(page).toHaveURL('/?setup=completed');
  await page.goto('/discord');
  await page.getByRole('button', { name: 'Disconnect Server' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect Server' }).click();
  await expect(page.getByRole('heading', { name: 'No Discord Server Connected' })).toBeVisible();
  await open(page, '/');
  await inspect(page, 'home half connected');
  await open(page, '/rules');
  await inspect(page, 'rules half connected');
});

test('the screens of rules in every state', async ({ page, signIn, control }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Channel', 'bugs');
  await page.getByRole('button', { name: 'Create Rule' }).click();
  await createRule(page);
  await page.reload();
  const rule = page.getByRole('listitem', { name: 'Sprint board to #tasks' });
  const sheet = page.getByRole('dialog', { name: 'Sprint board → #tasks' });
  const openSheet = () => rule.getByRole('button', { name: 'Recent deliveries' }).click();

  await openSheet();
  await expect(sheet).toContainText('Nothing has happened yet');
  await inspect(page, 'deliveries empty');
  await page.keyboard.press('Escape');

  await editTask(control, 'Boss fight: ember golem', { Status: 'Done' });
  await expect(rule).toContainText(/Posting · delivered/);
  await editTask(control, 'Ash storm weather effect', { Priority: 'Low' });
  await control.fault({ target: 'discord', kind: 'fail', status: 503, match: 'POST .*/messages', times: 0 });
  await editTask(control, 'Lantern upgrade screen', { Status: 'In progress' });
  await expect(rule).toContainText('Waiting');
  await control.call('notion', 'POST', '/_sandbox/notion/rows', {
    database: 'Sprint board',
    as: 'jonas',
    properties: { Name: 'Loot table for the salt caves' },
  });
  await expect(page.getByText('A page is settling')).toBeVisible();
  await inspect(page, 'rules waiting');
  await openSheet();
  await expect(sheet.getByRole('listitem').getByText('Waiting')).toBeVisible();
  await inspect(page, 'deliveries waiting');
  await page.keyboard.press('Escape');
  await control.clearFaults();
  await expect(rule).toContainText(/Posting · delivered/);

  await denyPosting(control, true);
  await editTask(control, 'Controller rumble on parry', { Status: 'Cut', Assignee: 'Priya Raman' });
  await expect(page.getByText('Cannot post in #tasks')).toBeVisible();
  await inspect(page, 'rules blocked');
  await openSheet();
  await expect(sheet.getByRole('button', { name: /^Resend/ })).toBeVisible();
  await inspect(page, 'deliveries');
  await sheet.getByRole('button', { name: 'Not posted' }).click();
  await expect(sheet.getByRole('listitem').first()).toBeVisible();
  await inspect(page, 'deliveries not posted');
  await page.keyboard.press('Escape');
  await denyPosting(control, false);
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(rule).toContainText('The last card failed');
  await inspect(page, 'rules failed');

  await page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' }).click();
  await tick(page, 'Displayed Fields', 'Priority');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('The page and its values are real.')).toBeVisible();
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText('The test is in #tasks.')).toBeVisible();
  await inspect(page, 'rule dialog tested');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await control.call('notion', 'POST', '/_sandbox/notion/databases/schema', {
    database: 'Sprint board',
    edit: { action: 'delete property', property: 'Priority' },
  });
  const problem = 'The displayed field "Priority" was deleted in Notion: cards leave it out.';
  await expect(page.getByText(problem)).toBeVisible();
  await expect(page.getByText('The rule Sprint board → #tasks needs repair.')).toBeVisible();
  await inspect(page, 'rules broken');
  await page.getByRole('button', { name: 'Repair', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText(problem);
  await inspect(page, 'rule dialog repair');
  await page.keyboard.press('Escape');
  await open(page, '/');
  await expect(page.getByRole('list', { name: 'What needs attention' })).toContainText('Changed in Notion');
  await inspect(page, 'home rule in trouble');
});

test('a name of 60 characters breaks nothing', async ({ page, signIn, control }) => {
  const long = (word: string) => word.repeat(60).slice(0, 60);
  await control.call('notion', 'POST', '/_sandbox/notion/databases/schema', {
    database: 'Sprint board',
    edit: { action: 'rename option', property: 'Status', option: 'Backlog', name: long('Backlog_') },
  });
  await control.call('notion', 'POST', '/_sandbox/notion/databases/schema', {
    database: 'Sprint board',
    edit: { action: 'rename property', property: 'Priority', name: long('Property_') },
  });
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await control.addHistory(3);
  const guild = await findGuild(control, 'Lantern Works');
  const discord = '/_sandbox/discord';
  await control.call('discord', 'PATCH', `${discord}/guilds/${guild?.id}`, { name: long('LanternWorks') });
  for (const { id, name } of guild?.channels ?? []) {
    await control.call('discord', 'PATCH', `${discord}/channels/${id}`, { name: long(`${name}_`) });
  }
  await control.giveLongNames(long('W'));
  await open(page, '/discord');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText(long('LanternWorks'))).toBeVisible();
  for (const [path, state] of SCREENS) {
    await open(page, path);
    await inspect(page, `${state} long names`);
  }
  await open(page, '/rules');
  await page.getByRole('button', { name: /^Edit rule/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await inspect(page, 'rule dialog long names');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Recent deliveries/ }).click();
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
  await inspect(page, 'deliveries long names');
  for (const [path, button] of [
    ['/discord', 'Disconnect Server'],
    ['/notion', 'Disconnect Workspace'],
  ] as const) {
    await open(page, path);
    await inspectBehind(page, button, `${button} long names`);
  }

  await test.step('on a phone, the names of the connections and of an open rule are whole', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const expectWhole = async (name: Locator) =>
      expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    for (const path of ['/discord', '/notion']) {
      await open(page, path);
      await expectWhole(page.getByRole('region', { name: /^Connected/ }).getByRole('heading'));
    }
    await open(page, '/rules');
    await page.getByRole('button', { name: /^Recent deliveries/ }).click();
    await expectWhole(page.getByRole('dialog').getByRole('heading', { level: 2 }));
  });

  await test.step('so are the names in a list to choose from', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Edit rule/ }).click();
    await page.getByRole('combobox', { name: 'Channel' }).press('Alt+ArrowDown');
    const option = page.getByRole('option', { name: /tasks_/ }).last();
    await expect(option).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Displayed Fields' }).click();
    const field = page.getByRole('group', { name: 'Displayed Fields' }).getByText(long('Property_'));
    expect(await field.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  await test.step('and those of rules that need repair', async () => {
    const reason = `The displayed field "${long('W')}" was deleted in Notion: cards leave it out.`;
    await page.route('**/api/app/rules', async (route) => {
      const response = await route.fetch();
      const [rule] = await response.json();
      const broken = {
        ...{ ...rule, name: long('W'), problems: [{ part: 'displayedFields', text: reason }] },
        health: { state: 'broken', reason, fix: null, until: null },
      };
      await route.fulfill({ response, json: ['1', '2'].map((id) => ({ ...broken, id })) });
    });
    await open(page, '/rules');
    await expect(page.getByRole('button', { name: /^Repair/ })).toHaveCount(2);
    await inspect(page, 'rules long names repair');
    await page
      .getByRole('button', { name: /^Repair/ })
      .first()
      .click();
    await expect(page.getByRole('dialog').getByText(reason)).toBeVisible();
    await inspect(page, 'rule dialog long names repair');
  });
});

test('a name that is read from right to left has its own direction wherever it stands', async ({
  page,
  signIn,
  control,
}) => {
  const name = 'מועדון (1)!';
  await signIn('mira');
  await connectBoth(page);
  const guild = await findGuild(control, 'Lantern Works');
  await control.call('discord', 'PATCH', `/_sandbox/discord/guilds/${guild?.id}`, { name });
  await control.lookAnew();
  const linked = page.getByRole('region', { name: 'Linked Accounts' }).getByRole('cell').nth(1);
  const places: [string, Locator][] = [
    ['/', page.getByRole('heading', { level: 1 })],
    ['/notion', page.getByRole('heading', { level: 2 }).first()],
    ['/notion', page.getByRole('heading', { level: 3 }).first()],
    ['/discord', page.getByRole('heading', { level: 2 }).first()],
    ['/accounts', linked],
    ['/settings', page.getByRole('region', { name: 'Identity Linking' })],
  ];
  for (const [path, place] of places) {
    // Notion is read again from time to time.
    await control.giveLongNames(name);
    await open(page, path);
    await expect(place.getByText(name).or(place).filter({ hasText: name }).last(), path).toHaveCSS(
      'direction',
      'rtl',
    );
  }

  await test.step('also categories and groups of statuses, and options of a list stay beside their boxes', async () => {
    await page.route('**/api/app/discord/server', async (route) => {
      const response = await route.fetch();
      const server = await response.json();
      for (const channel of server.channels) channel.category = name;
      await route.fulfill({ response, json: server });
    });
    await page.route('**/api/app/notion/workspace', async (route) => {
      const response = await route.fetch();
      const workspace = await response.json();
      for (const { statusGroups } of workspace.databases)
        for (const group of Object.values(statusGroups as Record<string, { name: string }>))
          group.name = name;
      await route.fulfill({ response, json: workspace });
    });
    await page.route('**/api/app/notion/databases/*/properties', async (route) => {
      const response = await route.fetch();
      const { properties } = await response.json();
      for (const property of properties) property.name = name;
      await route.fulfill({ response, json: { properties } });
    });
    await open(page, '/discord');
    await expect(page.getByRole('heading', { level: 3 }).getByText(name).first()).toHaveCSS(
      'direction',
      'rtl',
    );
    await open(page, '/notion');
    await expect(page.getByRole('term').getByText(name).first()).toHaveCSS('direction', 'rtl');
    await open(page, '/rules');
    await page.getByRole('button', { name: 'New Rule' }).click();
    await page.getByRole('button', { name: 'Displayed Fields' }).click();
    const option = page.getByRole('group', { name: 'Displayed Fields' }).getByText(name).first();
    await expect(option).toHaveCSS('direction', 'rtl');
    await expect(option).toHaveCSS('text-align', 'left');
    for (const url of ['discord/server', 'notion/workspace', 'notion/databases/*/properties'])
      await page.unroute(`**/api/app/${url}`);
  });

  await test.step('and with such a part it is found by typing in a list to choose from', async () => {
    const mixed = 'lobby מועדון';
    await page.route('**/api/app/discord/server', async (route) => {
      const response = await route.fetch();
      const server = await response.json();
      server.channels.findLast(({ botHasAccess }: { botHasAccess: boolean }) => botHasAccess).name = mixed;
      await route.fulfill({ response, json: server });
    });
    await open(page, '/rules');
    await page.getByRole('button', { name: 'New Rule' }).click();
    await page.getByRole('combobox', { name: 'Channel' }).focus();
    await page.keyboard.type('lob');
    await expect(chosen(page, 'Channel')).toContainText(mixed);
  });
});

test('while it loads, the frame has its entries and each page its shape', async ({ page, signIn }) => {
  await signIn('mira');
  await page.route('**/api/app/me', () => {});
  for (const [path, state] of SCREENS) {
    await page.goto(path);
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    await expect(sidebar.getByRole('link')).toHaveCount(8);
    await expect(sidebar.getByRole('button', { name: 'Logout' })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'Loading your account' })).toBeAttached();
    await inspect(page, `${state} loading`);
  }
});

test.describe('when even the frame of the pages fails', () => {
  test.use({ expectedConsole: /No themes today|The application failed to render/ });

  test('a page of its own says so, and loads again', async ({ page }) => {
    // Only the frame listens to the system's theme, so only the frame fails.
    await page.addInitScript(() => {
      if (sessionStorage.getItem('failed')) return;
      MediaQueryList.prototype.addListener = () => {
        sessionStorage.setItem('failed', 'once');
        throw new Error('No themes today');
      };
    });
    await page.goto('/docs');
    await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible();
    await inspect(page, 'frame failed');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { name: 'Documentation', level: 1 })).toBeVisible();
  });
});
