import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { alertOn, findGuild, guildId, holdCalls, loseAnswers } from './journey';
import { Network } from './network';
import { connectBoth, connectServer, createRule } from './shortcuts';

test('the Discord page shows the server, its channels and where the bot lacks access', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await page.goto('/discord');
  await expect(page.getByRole('heading', { name: 'No Discord Server Connected' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect Discord Server' })).toBeEnabled();
  await connectBoth(page);
  await createRule(page);

  await page.goto('/discord');
  const server = page.getByRole('region', { name: 'Connected server' });
  await expect(server.getByRole('heading', { name: 'Lantern Works' })).toBeVisible();
  await expect(server.getByText('Connected', { exact: true })).toBeVisible();
  await expect(server.getByText('Guild ID', { exact: true })).toBeVisible();
  await expect(server.getByText('Connected Since', { exact: true })).toBeVisible();
  await expect(page.getByRole('note').filter({ hasText: 'Permission Check' })).toContainText(
    'The bot needs Send Messages and Embed Links',
  );
  await expect(page.getByRole('note').filter({ hasText: 'Who can use the commands' })).toContainText(
    'All members of the server can search the shared Notion pages by title, create tasks and change the status',
  );
  const channels = page.getByRole('region', { name: 'Available Channels' });
  const tasks = channels.getByRole('listitem').filter({ hasText: /^tasks/ });
  await expect(tasks.getByText('Used in 1 rule', { exact: true })).toBeVisible();
  await expect(tasks.getByText('Accessible', { exact: true })).toBeVisible();
  await expect(channels.getByText('Used in 0 rules', { exact: true }).first()).toBeVisible();
  await expect(channels.getByText('No Access', { exact: true }).first()).toBeVisible();
});

test('setup and the Discord page say what the commands open, and warn where anybody can join', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await page.goto('/setup');
  await expect(page.getByText(/^All members of that server will be able to search/)).toBeVisible();
  await inspect(page, 'setup commands');
  const openness = { features: ['COMMUNITY', 'DISCOVERABLE'], vanityUrlCode: 'lantern' };
  const path = `/_sandbox/discord/guilds/${await guildId(control, 'Lantern Works')}/openness`;
  await control.call('discord', 'PUT', path, openness);
  await page.getByRole('button', { name: 'Add Bot to Discord Server' }).click();
  await page.getByLabel('Add to server').selectOption('Lantern Works');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.waitForURL('/setup?discord=connected');
  await page.goto('/discord');
  const warning = page.getByRole('note').filter({ hasText: 'Anybody can join this server' });
  await expect(warning).toContainText(
    'Discord lists it in Server Discovery. It has an invite link of its own. All members',
  );
  await inspect(page, 'discord public');
  await page.goto('/setup');
  await expect(warning).toBeVisible();
  await inspect(page, 'setup public');
  await warning.getByRole('link', { name: 'How to limit that' }).click();
  await expect(page.getByRole('heading', { name: 'Who may use them' })).toBeInViewport();
  await inspect(page, 'docs who');
});

test('the Notion page shows the workspace and its databases', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/notion');
  await expect(page.getByRole('heading', { name: 'No Notion Workspace Connected' })).toBeVisible();
  await page.getByRole('button', { name: 'Connect Notion Workspace' }).click();
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect(page).toHaveURL('/notion?setup=completed');

  const workspace = page.getByRole('region', { name: 'Connected workspace' });
  await expect(workspace.getByText('Connected', { exact: true })).toBeVisible();
  await expect(workspace.getByText('Total Databases', { exact: true })).toBeVisible();
  await expect(workspace.getByText('Task Databases', { exact: true })).toBeVisible();
  await expect(page.getByRole('note')).toHaveText(
    'To add more databases, share them with Pagewire in Notion. Task databases (those with a Status property) support quick actions and assignment.',
  );
  const databases = page.getByRole('region', { name: 'Shared Databases' });
  const board = databases.getByRole('listitem').filter({ hasText: 'Sprint board' });
  await expect(board.getByText('TASK DB', { exact: true })).toBeVisible();
  await expect(board.getByText('Used in 0 rules', { exact: true })).toBeVisible();
  await expect(board.getByRole('group', { name: 'Status options of Sprint board' })).toContainText('Done');
  await expect(databases.getByText('PAGE DB', { exact: true }).first()).toBeVisible();
  const opened = page.waitForEvent('popup');
  await board.getByRole('link', { name: 'Open Sprint board' }).click();
  await expect((await opened).getByRole('heading', { name: /Sprint board/ })).toBeVisible();
});

test('on a phone, the id of a connection goes on in the next line only after a hyphen', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/discord', '/notion']) {
    await page.goto(path);
    const id = page.getByRole('region', { name: /^Connected/ }).getByText(/^[\da-f]{8}-/);
    await expect(id).toBeVisible();
    const lines = await id.evaluate((element) => {
      const [text] = element.childNodes;
      const found: string[] = [];
      let top: number | undefined;
      for (const [index, letter] of [...(element.textContent ?? '')].entries()) {
        const range = document.createRange();
        range.setStart(text as Node, index);
        range.setEnd(text as Node, index + 1);
        const { y } = range.getBoundingClientRect();
        if (y === top) found.push(`${found.pop()}${letter}`);
        else found.push(letter);
        top = y;
      }
      return found;
    });
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/-$/);
  }
});

test('a look again shows what Discord and Notion have now, and what is gone', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/discord');
  const server = page.getByRole('region', { name: 'Connected server' });
  const picture = server.locator('img');
  await expect(picture).toHaveJSProperty('complete', true);
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const channels = page.getByRole('region', { name: 'Available Channels' });
  await expect(channels.getByText('Looked just now')).toBeVisible();

  const guild = await findGuild(control, 'Lantern Works');
  const id = guild?.channels.find(({ name }) => name === 'tasks')?.id;
  await control.call('discord', 'PATCH', `/_sandbox/discord/channels/${id}`, { name: 'to-do' });
  await channels.getByRole('button', { name: 'Refresh' }).click();
  await expect(channels.getByText('to-do', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Rules', exact: true }).click();
  await expect(page.getByRole('listitem', { name: 'Sprint board to #to-do' })).toBeVisible();

  await control.call('discord', 'DELETE', `/_sandbox/discord/channels/${id}`);
  await page.goto('/discord');
  await channels.getByRole('button', { name: 'Refresh' }).click();
  const gone = channels.getByRole('region', { name: 'Hidden or deleted' });
  await expect(gone.getByRole('listitem')).toContainText(['to-do']);
  await expect(gone).toContainText('No Access');

  await page.goto('/notion');
  await expect(page.getByRole('region', { name: 'Connected workspace' })).toContainText('🏮');
  const databases = page.getByRole('region', { name: 'Shared Databases' });
  await databases.getByRole('button', { name: 'Refresh' }).click();
  await expect(databases.getByText('Looked just now')).toBeVisible();
});

test('a button that leads to another site works again on a page that the browser restores', async ({
  page,
  signIn,
  control,
}) => {
  const isElsewhere = (url: URL) => url.origin !== control.product.appUrl;
  // An empty answer leaves the page where it is, as in the browser's cache.
  await page.route(isElsewhere, (route) =>
    route.request().isNavigationRequest() ? route.fulfill({ status: 204 }) : route.continue(),
  );
  const leaveAndReturn = async (path: string, name: string) => {
    await page.goto(path);
    const left = page.waitForRequest(
      (request) => request.isNavigationRequest() && isElsewhere(new URL(request.url())),
    );
    await page.getByRole('button', { name }).click();
    await left;
    await expect(page.getByRole('button', { name: /^Opening/ })).toBeDisabled();
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await expect(page.getByRole('button', { name })).toBeEnabled();
  };
  await leaveAndReturn('/', 'Login with Discord');
  await signIn('mira');
  await leaveAndReturn('/settings/billing', 'Upgrade Now');
  await leaveAndReturn('/setup', 'Add Bot to Discord Server');
  await leaveAndReturn('/discord', 'Connect Discord Server');
  await leaveAndReturn('/notion', 'Connect Notion Workspace');
  await connectServer(page);
  await leaveAndReturn('/setup', 'Connect Notion Workspace');
});

test.describe('a picture that cannot be shown', () => {
  test.use({ expectedConsole: /404/ });

  test('leaves the first letters of the name', async ({ page, signIn }) => {
    await signIn('mira');
    await connectBoth(page);
    await page.route('**/cdn/icons/**', (route) => route.fulfill({ status: 404 }));
    await page.goto('/discord');
    const server = page.getByRole('region', { name: 'Connected server' });
    await expect(server.getByText('LA', { exact: true })).toBeVisible();
    await expect(server.locator('img')).toHaveCount(0);
  });
});

test.describe('when something fails', () => {
  test.use({
    expectedConsole: /409|500|ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to (disconnect|start|get)/,
  });

  test('a failed start of a connection says so where its button is', async ({ page, signIn, control }) => {
    await signIn('mira');
    const alert = alertOn(page);
    await page.goto('/discord');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const network = await Network.of(page);
    await network.cut();
    await page.getByRole('button', { name: 'Connect Discord Server' }).click();
    await expect(alert).toHaveText('Failed to start Discord connection');
    await network.restore();

    await page.goto('/notion');
    await control.breakColumn('oauth_state', 'return_to');
    await page.getByRole('button', { name: 'Connect Notion Workspace' }).click();
    await expect(alert).toHaveText('Failed to start Notion connection');
  });

  test('a failed disconnect says so in its dialog, and nothing is lost', async ({
    page,
    signIn,
    control,
  }) => {
    await signIn('mira');
    await connectBoth(page);
    await createRule(page);
    await control.breakColumn('audit_entry', 'action');
    const dialog = page.getByRole('alertdialog');

    await page.goto('/discord');
    await page.getByRole('button', { name: 'Disconnect Server' }).click();
    await expect(dialog).toContainText('All rules for this server will be deleted.');
    await dialog.getByRole('button', { name: 'Disconnect Server' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Failed to disconnect server');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('heading', { name: 'Lantern Works' })).toBeVisible();

    await page.goto('/notion');
    await page.getByRole('button', { name: 'Disconnect Workspace' }).click();
    await expect(dialog).toContainText(
      'All rules for this workspace will be deleted. The links of people under Accounts are deleted too.',
    );
    await dialog.getByRole('button', { name: 'Disconnect Workspace' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Failed to disconnect workspace');
    await control.restoreColumns();
    await dialog.getByRole('button', { name: 'Disconnect Workspace' }).click();
    await expect(page.getByRole('heading', { name: 'No Notion Workspace Connected' })).toBeVisible();
    await page.goto('/rules');
    await expect(page.getByRole('note').filter({ hasText: 'Setup Required' })).toContainText(
      'Connect a Notion workspace to create notification rules.',
    );
  });

  test('a server that another tab has connected since is not disconnected', async ({ page, signIn }) => {
    await signIn('mira');
    await connectServer(page);
    const [button, dialog] = [{ name: 'Disconnect Server' }, page.getByRole('alertdialog')];
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
      await tab.goto('/discord');
      await tab.getByRole('button', button).click();
    }
    await holdCalls(page, '**/api/app/discord/server');
    await other.getByRole('alertdialog').getByRole('button', button).click();
    await expect(other.getByRole('heading', { name: 'No Discord Server Connected' })).toBeVisible();
    await connectServer(other);
    await dialog.getByRole('button', button).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Failed to disconnect server. That server was already disconnected. The one connected now stays.',
    );
  });
});

test.describe('when the answer to a disconnect is lost', () => {
  test.use({ expectedConsole: /ERR_CONNECTION_RESET/ });

  test('it is not called failed', async ({ page, signIn }) => {
    await signIn('mira');
    await connectBoth(page);
    await loseAnswers(page, '**/api/app/{discord/server,notion/workspace}*');
    for (const [path, button, gone] of [
      ['/notion', 'Disconnect Workspace', 'No Notion Workspace Connected'],
      ['/discord', 'Disconnect Server', 'No Discord Server Connected'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: button }).click();
      await expect(page.getByRole('heading', { name: gone })).toBeVisible();
    }
  });
});
