import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';

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
    await expect(page.getByRole('alert')).toContainText('Your card was declined');
    await page.getByLabel(/4242/).check();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await expect(page).toHaveURL(/checkout=success/);
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
    await expect(page.getByText('Renews', { exact: true })).toBeVisible();
    await expect(page.getByText('left in your trial')).toBeHidden();
  });

  await test.step('cancel at the end of the period', async () => {
    await page.getByRole('button', { name: 'Manage Billing' }).click();
    await expect(page.getByText('PW-0001')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel at period end' }).click();
    await page.getByRole('link', { name: 'Return to Pagewire' }).click();
    await expect(page.getByText('Ends', { exact: true })).toBeVisible();
    await expect(page.getByText('The subscription is cancelled.')).toBeVisible();
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

test.describe('when Stripe does not answer', () => {
  test.use({ expectedConsole: [/502|Failed to start checkout/] });

  test('the checkout says so and can be tried again', async ({ page, signIn, control }) => {
    await signIn('mira');
    await openBilling(page);
    await control.fault({ target: 'stripe', kind: 'fail', status: 503, times: 0 });
    await page.getByRole('button', { name: 'Upgrade Now' }).click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'Failed to create checkout session' }),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Upgrade Now' })).toBeEnabled();
  });
});

test('whoever deletes the account is signed out, and starts anew without a second trial', async ({
  page,
  signIn,
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

  await signIn('mira');
  await expect(page).toHaveURL('/setup');
  await page.goto('/');
  await expect(
    page.getByText('Your trial has ended. Upgrade now to continue using the product.'),
  ).toBeVisible();
  await openBilling(page);
  await expect(
    page.getByText('Your trial has ended. Please upgrade to continue using Pagewire.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upgrade Now' })).toBeVisible();
});
