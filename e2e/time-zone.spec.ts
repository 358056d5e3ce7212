import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { editTask } from './journey';
import { connectBoth, createRule } from './shortcuts';

/** The billing page's data, as the API answered it. */
async function openBilling(page: Page) {
  const answer = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/app/billing');
  await page.goto('/settings/billing');
  return (await answer).json();
}

// Two zones whose dates never agree: the first is a day and an hour ahead.
for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
  test.describe(`in ${timeZone}`, () => {
    test.use({ timezoneId: timeZone });
    const day = (at: string) =>
      new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date(at));

    test('the dates of the plan are days of the reader', async ({ page, signIn }) => {
      await signIn('mira');
      const trial = await openBilling(page);
      const plan = page.getByRole('region', { name: 'Current plan' });
      await expect(plan).toContainText(`Trial ends${day(trial.subscription.trialEndsAt)}`);
      await expect(
        page.getByText(`${day(trial.usage.periodStart)} to ${day(trial.usage.periodEnd)}`),
      ).toBeVisible();

      await page.getByRole('button', { name: 'Upgrade Now' }).click();
      await page.getByRole('button', { name: 'Subscribe' }).click();
      await expect(plan).toContainText('Renews');
      const paid = await openBilling(page);
      await expect(plan).toContainText(`Renews${day(paid.subscription.renewsAt)}`);
    });
  });
}

for (const locale of ['de-DE', 'en-US']) {
  test.describe(`for a reader in ${locale}`, () => {
    test.use({ locale });

    test('dates and times are written as is usual there', async ({ page, signIn, control, timezoneId }) => {
      await signIn('mira');
      await connectBoth(page);
      await createRule(page, { watchedProperties: ['Status', 'Due date'] });
      // Far away, so that it is never the date that the task has already.
      await editTask(control, 'Boss fight: ember golem', { Status: 'Done', 'Due date': '2031-12-05' });
      await page.goto('/rules');
      const rule = page.getByRole('listitem', { name: 'Sprint board to #tasks' });
      await expect(rule).toContainText('delivered just now');

      await rule.getByRole('button', { name: /^Recent deliveries/ }).click();
      const at = page.getByRole('dialog').getByRole('listitem').getByRole('time');
      const moment = new Date((await at.getAttribute('datetime')) ?? '');
      const written = (options: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat(locale, { ...options, timeZone: timezoneId }).format(moment);
      await expect(at).toHaveText(written({ timeStyle: 'short' }));
      await expect(at).toHaveAttribute('title', written({ dateStyle: 'medium', timeStyle: 'short' }));
      const due = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
      const changed = page.getByText(`→ ${due.format(new Date('2031-12-05'))}`);
      await expect(changed).toBeVisible();

      await page.goto('/discord');
      await expect(page.getByText(written({ dateStyle: 'long' }))).toBeVisible();

      await page.goto('/');
      const today = written({ month: 'short', day: 'numeric' });
      await expect(page.getByText(`${today}: 1 notification`)).toBeVisible();
    });
  });
}
