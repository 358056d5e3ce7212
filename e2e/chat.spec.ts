import { expect, test } from './fixtures';
import { openCommand, runCommand } from './journey';
import { connectBoth } from './shortcuts';

test('a task is created, taken and finished without leaving Discord', async ({
  page,
  signIn,
  openDiscord,
  openNotion,
}) => {
  await signIn('mira');
  await connectBoth(page);

  const discord = await openDiscord('mira');
  await discord.getByRole('link', { name: /tasks/ }).click();

  await test.step('create it with a slash command', async () => {
    await openCommand(discord, '/notion task');
    await discord.getByRole('textbox', { name: 'database' }).fill('sprint');
    await discord.getByRole('option', { name: 'Sprint board' }).click();
    await discord.getByRole('button', { name: 'Run' }).click();
    const form = discord.getByRole('dialog');
    await form.getByLabel('Title').fill('Relight the north lantern');
    await form.getByLabel('Status').selectOption({ label: 'Not started (To-do)' });
    await form.getByLabel('Due date').fill('2027-02-01');
    await form.getByLabel('Description').fill('It went out in the storm.');
    await form.getByRole('button', { name: 'Submit' }).click();
    await expect(form).toBeHidden();
    await expect(discord.getByText(/^Created .*Relight the north lantern/)).toBeVisible();
  });

  const answer = discord.getByRole('article').filter({ hasText: 'Relight the north lantern' }).first();

  await test.step('take it and finish it from the answer', async () => {
    await answer.getByRole('button', { name: 'Assign to me' }).click();
    await expect(discord.getByText(/is now assigned to you/)).toBeVisible();
    await answer.getByRole('button', { name: 'Change status' }).click();
    await discord
      .getByRole('combobox', { name: 'Choose a status' })
      .selectOption({ label: 'Done (Complete)' });
    await expect(discord.getByText(/is now Done/)).toBeVisible();
  });

  await test.step('find it in Notion', async () => {
    const notion = await openNotion('jonas');
    await notion.getByRole('link', { name: /Sprint board/ }).click();
    await expect(notion.getByLabel('Status of Relight the north lantern')).toHaveValue(/.+/);
    const status = notion.getByLabel('Status of Relight the north lantern').locator('option:checked');
    await expect(status).toHaveText('Done');
  });

  await test.step('make a task of a message, which keeps the link to it', async () => {
    const box = discord.getByRole('textbox', { name: 'Message #tasks' });
    await box.fill('The south gate creaks');
    await box.press('Enter');
    const message = discord.getByRole('article').filter({ hasText: 'The south gate creaks' }).first();
    await message.getByRole('button', { name: 'Apps' }).click();
    await discord.getByRole('menuitem', { name: 'Create Notion task' }).click();
    await expect(discord.getByRole('menu')).toHaveCount(0);
    await discord.getByRole('combobox', { name: 'In which database?' }).selectOption('Sprint board');
    const form = discord.getByRole('dialog');
    await expect(form.getByLabel('Title')).toHaveValue('The south gate creaks');
    await form.getByRole('button', { name: 'Submit' }).click();
    await expect(discord.getByText(/^Created .*The south gate creaks/)).toBeVisible();

    const notion = await openNotion('jonas');
    await notion.getByRole('link', { name: /Sprint board/ }).click();
    await notion.getByRole('link', { name: 'The south gate creaks' }).click();
    const id = await message.getAttribute('data-message-id');
    await expect(notion.getByLabel('Page content')).toHaveValue(new RegExp(`/channels/.*/${id}$`));
  });

  await test.step('see the step on the checklist', async () => {
    await page.goto('/');
    await expect(page.getByText('4/5 completed')).toBeVisible();
    const step = page.getByRole('listitem').filter({ hasText: 'First task created via Discord' });
    await expect(step).toContainText('(done)');
  });

  await test.step('the answers are only for whoever asked', async () => {
    const other = await openDiscord('jonas');
    await other.getByRole('link', { name: /tasks/ }).click();
    await expect(other.getByText('Relight the north lantern')).toHaveCount(0);
    await runCommand(other, '/notion my-tasks');
    await expect(other.getByText(/You are not linked to a Notion user yet/)).toBeVisible();
    await runCommand(other, '/notion link-account');
    await expect(other.getByText(/Your request is waiting/)).toBeVisible();
    await discord
      .getByRole('navigation', { name: 'Channels' })
      .getByRole('link', { name: /general/ })
      .click();
    await expect(discord.getByRole('heading', { name: 'general', level: 1 })).toBeVisible();
    await expect(discord.getByRole('button', { name: 'Mira' })).toHaveAttribute('aria-pressed', 'true');
    await other.reload();
    await expect(other.getByRole('button', { name: 'Jonas' })).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('approve the other person', async () => {
    await page.goto('/accounts');
    const choice = page.getByLabel('Notion user for @jonas_b');
    await choice.selectOption({ label: 'Jonas Brandt (jonas@lanternworks.example)' });
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText('No pending link requests')).toBeVisible();
  });
});
