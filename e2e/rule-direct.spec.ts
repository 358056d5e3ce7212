import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { choose, editTask, runCommand } from './journey';
import { connectBoth, createRule } from './shortcuts';

const GOLEM = 'Boss fight: ember golem';
const LETTERS = '/_sandbox/discord/direct-messages/208917000000000101';

test('a rule writes to whoever is assigned, once they have said yes', async ({
  page,
  signIn,
  openDiscord,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  const to = dialog.getByRole('combobox', { name: 'To', exact: true });

  await test.step('one person is chosen, who has not said yes', async () => {
    await to.selectOption({ label: 'One person' });
    await expect(dialog.getByText(/Mira Castellan has not said yes to direct messages/)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Send test' })).toHaveCount(0);
    await inspect(page, 'rule dialog to a person');
  });

  await test.step('a digest to that person is previewed', async () => {
    await dialog.getByRole('button', { name: 'More', exact: true }).press('Enter');
    const writes = dialog.getByRole('combobox', { name: 'Writes', exact: true });
    await writes.selectOption('A digest each day');
    await expect(dialog.getByText(/Whoever chose one message each morning/)).toBeVisible();
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await expect(preview).toContainText('News of 3 pages that concern you');
    await writes.scrollIntoViewIfNeeded();
    await inspect(page, 'rule dialog digest to a person');
    await preview.getByRole('button', { name: 'Preview' }).press('Enter');
    await expect(preview).toContainText(/News of (a page that concerns|\d+ pages that concern) you/);
    await expect(preview).not.toContainText('News of 3 pages');
    await inspect(page, 'rule dialog digest of real pages to a person');
    await writes.selectOption('Each message at once');
    await expect(dialog.getByRole('combobox', { name: 'Size' })).toHaveAccessibleDescription(
      /It has no fields\.$/,
    );
  });

  await test.step('a person who is not linked any more is not replaced by another', async () => {
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog).toBeHidden();
    const people = '**/api/app/account-links';
    await page.route(people, async (route) => {
      const links = await (await route.fetch({ maxRetries: 2 })).json();
      const another = { ...links.linkedAccounts[0], discord_user_id: '1', notion_display_name: 'Another' };
      return route.fulfill({ json: { ...links, linkedAccounts: [another] } });
    });
    await page.reload();
    await page.getByRole('button', { name: /^Edit rule/ }).click();
    await expect(dialog.getByText('The person is not linked any more. Choose somebody else.')).toBeVisible();
    const person = dialog.getByRole('combobox', { name: 'Person' });
    await expect(person).toHaveValue('');
    await expect(person).toHaveAttribute('aria-invalid', 'true');
    await person.selectOption({ label: 'Another · @mira, has not said yes' });
    await expect(person).not.toHaveAttribute('aria-invalid');
    await inspect(page, 'rule dialog to another person');
    await page.unroute(people);
    await page.reload();
    await page.getByRole('button', { name: /^Edit rule/ }).click();
  });

  await test.step('whoever is in a property is chosen', async () => {
    await to.selectOption({ label: 'Whoever is in a property' });
    await choose(page, 'Property', 'Assignee');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Cannot write to whoever is in Assignee')).toBeVisible();
    await inspect(page, 'rules to people');
    const before = page.viewportSize();
    const place = page.getByRole('listitem').getByTitle('whoever is in Assignee');
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 740 });
      const rest = await place.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
        scrollWidth - clientWidth,
        scrollHeight - clientHeight,
      ]);
      // Less than a line of letters.
      expect(Math.max(...rest), `${width} pixels wide`).toBeLessThan(8);
    }
    if (before) await page.setViewportSize(before);
  });

  await test.step('Mira says yes, and is told what Jonas does', async () => {
    const discord = await openDiscord('mira');
    await discord.getByRole('link', { name: /tasks/ }).click();
    await runCommand(discord, '/notion notify');
    await discord.getByRole('button', { name: 'Write to me' }).click();
    await expect(discord.getByText('Pagewire writes to you about pages that concern you.')).toBeVisible();
    await page.goto('/accounts');
    await expect(page.getByText('Gets direct messages', { exact: true })).toBeVisible();
    await editTask(control, GOLEM, { Assignee: ['mira'] });
    await editTask(control, GOLEM, { Status: 'Done' });
    const told = async () => JSON.stringify(await control.call('discord', 'GET', LETTERS));
    await expect.poll(told).toContain(`Jonas Brandt changed Status of ${GOLEM} to Done`);
  });
});
