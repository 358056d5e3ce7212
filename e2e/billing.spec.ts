import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { alertOn, holdCalls } from './journey';
import { Network } from './network';
import { connectBoth } from './shortcuts';

async function openBilling(page: Page): Promise<void> {
  await page.goto('/settings/billing');
  await expect(page.getByRole('heading', { name: 'Billing', level: 1 })).toBeVisible();
}

async function upgrade(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Upgrade Now' }).click();
  await expect(page.getByText('Sandbox: a stand-in for Stripe')).toBeVisible();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
}

test('a trial becomes a subscription at the checkout, which the portal cancels and resumes', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await openBilling(page);
  await expect(page.getByText('14 days left in your trial')).toBeVisible();

  await test.step('going back from the checkout changes nothing', async () => {
    await page.getByRole('button', { name: 'Upgrade Now' }).click();
    await page.getByRole('button', { name: 'Cancel and go back' }).click();
    await expect(page.getByText('14 days left in your trial')).toBeVisible();
  });

  await test.step('a declined card can be replaced', async () => {
    await page.getByRole('button', { name: 'Upgrade Now' }).click();
    await page.getByLabel(/0002/).check();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await expect(alertOn(page)).toContainText('Your card was declined');
    await page.getByLabel(/4242/).check();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'Starter is now active' });
    await expect(notice).toContainText(/It is paid until [A-Z][a-z]+ \d+, \d{4}, and renews then\./);
    await expect(notice).toContainText(
      /The count began anew on [A-Z][a-z]+ \d+, \d{4}, because a paid month/,
    );
    await inspect(page, 'billing after payment');
    await expect(page).toHaveURL('/settings/billing');
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
    await expect(page.getByText('Renews', { exact: true })).toBeVisible();
    await expect(page.getByText('left in your trial')).toBeHidden();
    await page.reload();
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
    await expect(notice).toHaveCount(0);
  });

  await test.step('cancel at the end of the period', async () => {
    await page.getByRole('button', { name: 'Manage Billing' }).click();
    await expect(page.getByText('PW-0001')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel at period end' }).click();
    await page.getByRole('link', { name: 'Return to Pagewire' }).click();
    await expect(page.getByText('Ends', { exact: true })).toBeVisible();
    await expect(page.getByText('The subscription is canceled.')).toBeVisible();
  });

  await test.step('resume, then cancel at once', async () => {
    await page.getByRole('button', { name: 'Manage Billing' }).click();
    await page.getByRole('button', { name: 'Keep subscription' }).click();
    await page.getByRole('link', { name: 'Return to Pagewire' }).click();
    await expect(page.getByText('Renews', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Manage Billing' }).click();
    await page.getByRole('button', { name: 'Cancel now' }).click();
    await page.getByRole('link', { name: 'Return to Pagewire' }).click();
    await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Upgrade Now' })).toBeVisible();
  });
});

test('the plan shows after the checkout although no webhook comes', async ({ page, signIn, control }) => {
  await control.fault({ target: 'stripe.webhook', kind: 'drop', times: 0 });
  await signIn('mira');
  await openBilling(page);
  await upgrade(page);
});

test('a payment that does not show yet is waited for, even across a reload', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await openBilling(page);
  await page.getByRole('button', { name: 'Upgrade Now' }).click();
  await control.fault({ target: 'stripe.webhook', kind: 'fail', times: 0 });
  await page.route('**/api/app/billing/refresh', (route) => route.fulfill({ json: {} }));
  await page.getByRole('button', { name: 'Subscribe' }).click();
  const status = page.getByRole('status');
  await expect(status.filter({ hasText: 'Your payment is being confirmed.' })).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL(/checkout=success/);
  await expect(status.filter({ hasText: 'Your payment is being confirmed.' })).toBeVisible();
  await control.clearFaults();
  const events = (await control.call('stripe', 'GET', '/_sandbox/stripe/events')) as {
    payload: { id: string };
  }[];
  for (const { payload } of events)
    await control.call('stripe', 'POST', `/_sandbox/stripe/events/${payload.id}/redeliver`);
  await expect(status.filter({ hasText: 'Starter is now active' })).toBeVisible();
  await expect(page).toHaveURL('/settings/billing');
});

test('the pages of the checkout and the portal fit a small phone', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 780 });
  await signIn('mira');
  await openBilling(page);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await page.getByRole('button', { name: 'Upgrade Now' }).click();
  await expect(page.getByRole('button', { name: 'Subscribe' })).toBeVisible();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('button', { name: 'Manage Billing' }).click();
  await expect(page.getByText('PW-0001')).toBeVisible();
  expect(await overflow()).toBeLessThanOrEqual(0);
});

test.describe('when something fails', () => {
  test.use({
    expectedConsole:
      /50[023]|ERR_INTERNET_DISCONNECTED|ERR_BLOCKED|Failed to fetch|Failed to (start checkout|open billing portal|load billing data)/,
  });

  test('the checkout and the portal say so and can be tried again', async ({ page, signIn, control }) => {
    await signIn('mira');
    await openBilling(page);
    const network = await Network.of(page);
    const alert = alertOn(page);

    const tryBoth = async (button: string, refused: string, failed: string) => {
      await control.fault({ target: 'stripe', kind: 'fail', status: 503, times: 0 });
      await page.getByRole('button', { name: button }).click();
      await expect(alert).toHaveText(`${refused}. Stripe does not answer. Try again in a minute.`);
      await expect(page.getByRole('button', { name: button })).toBeEnabled();
      await control.clearFaults();
      await network.cut();
      await page.getByRole('button', { name: button }).click();
      await expect(alert).toHaveText(failed);
      await expect(page.getByRole('button', { name: button })).toBeEnabled();
      await network.restore();
    };
    await tryBoth('Upgrade Now', 'Failed to create checkout session', 'Failed to start checkout');
    await upgrade(page);
    await tryBoth('Manage Billing', 'Failed to create portal session', 'Failed to open billing portal');
  });

  test('the page says that it could not be loaded', async ({ page, signIn, control }) => {
    await signIn('mira');
    const network = await Network.of(page);
    await page.goto('/settings');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const alert = alertOn(page);

    const release = await holdCalls(page, '**/api/app/billing');
    await page.getByRole('link', { name: 'Billing' }).click();
    await expect(
      page.getByRole('status').filter({ hasText: 'Loading billing information...' }),
    ).toBeVisible();
    release();
    await expect(page.getByRole('region', { name: 'Current plan' })).toBeVisible();

    await page.goto('/settings');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await network.cutOnly('/api/app/billing');
    await page.getByRole('link', { name: 'Billing' }).click();
    await expect(alert).toContainText('Failed to load billing data');
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
    await network.restore();

    await control.failBilling();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(alert).toContainText('Failed to fetch billing data');
    await control.restoreColumns();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Billing', level: 1 })).toBeVisible();
  });
});

test('the plan says what it includes and how much of it is used, and warns above 80 % and at the limit', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await control.setSent(796);
  await openBilling(page);
  const plan = page.getByRole('region', { name: 'Starter' });
  await expect(plan).toContainText('$19/month');
  await expect(plan.getByRole('listitem')).toHaveText([
    '1,000 notifications per month',
    'Up to 10 notification rules',
    '1 Discord server',
    '1 Notion workspace',
    'Unlimited users',
  ]);
  await expect(
    page.getByRole('region', { name: 'Current plan' }).getByText('Trial', { exact: true }),
  ).toBeVisible();
  const usage = page.getByRole('region', { name: 'Usage', exact: true });
  const bar = usage.getByRole('progressbar', { name: 'Notifications used' });
  await expect(usage).toContainText('796 / 1,000');
  await expect(usage.getByText('80% used', { exact: true })).toBeVisible();
  await expect(bar).toHaveAttribute('data-state', 'calm');
  await expect(page.getByText(/notifications of this trial are used/)).toHaveCount(0);

  await control.setSent(810);
  await page.reload();
  await expect(bar).toHaveAttribute('data-state', 'alarming');
  await expect(
    page.getByRole('note').filter({
      hasText:
        '810 of 1,000 notifications of this trial are used. At the limit, posting stops until you subscribe.',
    }),
  ).toBeVisible();

  await control.setSent(1000);
  await page.reload();
  await expect(bar).toHaveAttribute('aria-valuenow', '100');
  await expect(
    page.getByRole('note').filter({
      hasText: 'All 1,000 notifications of this trial are used. Posting resumes with a subscription.',
    }),
  ).toBeVisible();
  await page.goto('/');
  await expect(page.getByText('All are used. Posting resumes with a subscription.')).toBeVisible();

  await control.setStatus('active');
  await page.goto('/');
  await expect(page.getByText(/^All are used\. The count starts anew on /)).toBeVisible();
  await page.goto('/settings/billing');
  await expect(
    page.getByRole('note').filter({
      hasText: 'All 1,000 notifications of this period are used. Posting resumes with the next paid period.',
    }),
  ).toBeVisible();

  await control.setStatus('canceled');
  await page.reload();
  await expect(page.getByRole('note').filter({ hasText: 'Your subscription has ended' })).toBeVisible();
  await expect(page.getByRole('note').filter({ hasText: 'All 1,000' })).toHaveText(
    'All 1,000 notifications of this period are used.',
  );
});

test('a declined renewal, the end of a subscription and an unknown status are shown', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await openBilling(page);
  const current = page.getByRole('region', { name: 'Current plan' });
  await control.setStatus('paused');
  await page.reload();
  await expect(current.getByText('paused', { exact: true })).toBeVisible();
  await control.setStatus('trial');
  await page.reload();

  await page.getByRole('button', { name: 'Upgrade Now' }).click();
  await page.getByLabel(/0341/).check();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(current.getByText('Active', { exact: true })).toBeVisible();
  await control.passDays(31);
  await control.call('stripe', 'GET', '/_sandbox/stripe/subscriptions');
  await expect(current.getByText('Past Due', { exact: true })).toBeVisible();
  await expect(page.getByRole('note').filter({ hasText: 'A payment is overdue' })).toBeVisible();

  await page.getByRole('button', { name: 'Manage Billing' }).click();
  await page.getByRole('button', { name: 'Cancel now' }).click();
  await page.getByRole('link', { name: 'Return to Pagewire' }).click();
  await expect(current.getByText('Canceled', { exact: true })).toBeVisible();
  await expect(page.getByRole('note').filter({ hasText: 'Your subscription has ended' })).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('note').filter({ hasText: 'Your subscription has ended' })).toBeVisible();
});

test('an open first payment is told, with what happens until it has gone through', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await openBilling(page);
  await control.setStatus('incomplete');
  await page.reload();
  const notice = page
    .getByRole('note')
    .filter({ hasText: 'The first payment for your subscription is still' });
  await expect(notice).toContainText(
    /Until it has gone through, your trial goes on, at most until [A-Z][a-z]+ \d+/,
  );
  await inspect(page, 'billing before the first payment');
  await control.endTrial();
  await page.reload();
  await expect(notice).toContainText('Your trial has ended, and posting resumes once the payment has');
  await control.openFirstPaymentAnew();
  await page.reload();
  await expect(notice).toContainText('is still open. Posting resumes once the payment has gone through.');
  await expect(page.getByRole('note').filter({ hasText: 'Your subscription has ended' })).toBeVisible();
});

test('whoever deletes the account is signed out, and starts anew without a second trial', async ({
  page,
  signIn,
  signInOnPages,
  control,
}) => {
  await signIn('mira');
  await control.endTrial();
  await openBilling(page);
  await upgrade(page);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Delete Account' }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(dialog.getByRole('button', { name: 'Delete Account' })).toBeDisabled();
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
  await dialog.getByRole('button', { name: 'Delete Account' }).click();
  await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();

  await signInOnPages('mira');
  await expect(page).toHaveURL('/setup');
  await page.goto('/');
  await expect(
    page.getByText('Your trial has ended. Upgrade now to continue using the product.'),
  ).toBeVisible();
  await openBilling(page);
  await expect(
    page.getByText('Your trial has ended. Please upgrade to continue using Pagewire.'),
  ).toBeVisible();
  await expect(
    page.getByText('It was used in your earlier account. Each person has one trial.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upgrade Now' })).toBeVisible();
});

test('a server that had its trial with somebody else says why this one is shorter, or over', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await control.setSent(640);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Delete Account' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
  await dialog.getByRole('button', { name: 'Delete Account' }).click();
  await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();

  await signIn('jonas');
  await page.goto('/setup');
  await page.getByRole('button', { name: 'Add Bot to Discord Server' }).click();
  await page.getByRole('link', { name: 'Jonas' }).click();
  await page.getByLabel('Add to server').selectOption('Lantern Works');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await expect(page.getByText('Connected to 1 server')).toBeVisible();
  await openBilling(page);
  await expect(page.getByText('14 days left in your trial')).toBeVisible();
  await expect(
    page.getByText(/^The trial of your Discord server began in another account\. Yours ends/),
  ).toBeVisible();
  await expect(page.getByText('640 / 1,000')).toBeVisible();

  await control.endTrial();
  await page.goto('/settings/billing');
  await expect(
    page.getByText('Your Discord server had its trial in another account. Each server has one trial.'),
  ).toBeVisible();
});
