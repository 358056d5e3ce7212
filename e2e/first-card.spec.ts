import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
}

test('an edit in Notion becomes a card in Discord', async ({ page, signIn, openDiscord, openNotion }) => {
  await signIn('mira');
  await expect(page).toHaveURL('/setup');

  await test.step('install the bot', async () => {
    await page.getByRole('button', { name: 'Add Bot to Discord Server' }).click();
    await page.getByLabel('Add to server').selectOption('Lantern Works');
    await page.getByRole('button', { name: 'Authorize' }).click();
    await expect(page.getByText('Connected to 1 server')).toBeVisible();
    await expect(page.getByText('Lantern Works')).toBeVisible();
  });

  await test.step('connect the workspace', async () => {
    await page.getByRole('button', { name: 'Connect Notion Workspace' }).click();
    await page.getByRole('button', { name: 'Allow access' }).click();
    await expect(page.getByText('Setup Complete!')).toBeVisible();
    await expect(page).toHaveURL('/?setup=completed');
  });

  await test.step('create a rule', async () => {
    await page.getByRole('link', { name: 'Rules' }).first().click();
    await page.getByRole('button', { name: 'Create First Rule' }).click();
    await choose(page, 'Database', 'Sprint board');
    await choose(page, 'Event Type', 'Page Updated');
    await page.getByRole('button', { name: 'Watched Properties' }).click();
    await page.getByRole('option', { name: 'Status' }).click();
    await page.keyboard.press('Escape');
    await choose(page, 'Channel', 'tasks');
    await page.getByRole('button', { name: 'Create Rule' }).click();
    await expect(page.getByText('#tasks')).toBeVisible();
  });

  const discord = await openDiscord('mira');
  await discord.getByRole('link', { name: /tasks/ }).click();

  const notion = await openNotion('jonas');
  await notion.getByRole('link', { name: /Sprint board/ }).click();
  await notion.getByLabel('Status of Boss fight: ember golem').selectOption('Done');

  const cards = discord.getByRole('article').filter({ hasText: 'Boss fight: ember golem' });
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('Status: In progress → Done');
  await expect(cards).toContainText('Updated by Jonas Brandt');
  await expect(cards).toContainText('Pagewire · Sprint board → #tasks');

  await notion.getByLabel('Status of Boss fight: ember golem').selectOption('In progress');
  await expect(cards).toHaveCount(2);
  await expect(cards.last()).toContainText('Status: Done → In progress');

  await page.reload();
  await expect(page.getByText(/Delivered/)).toBeVisible();
});
