import { expect, type Page } from '@playwright/test';

/** From the setup's first step to the dashboard: the bot in Lantern Works, and every offered database shared. */
export async function connectBoth(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add Bot to Discord Server' }).click();
  await page.getByLabel('Add to server').selectOption('Lantern Works');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await expect(page.getByText('Connected to 1 server')).toBeVisible();
  await expect(page.getByText('Lantern Works')).toBeVisible();

  await page.getByRole('button', { name: 'Connect Notion Workspace' }).click();
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect(page.getByText('Setup Complete!')).toBeVisible();
  await expect(page).toHaveURL('/?setup=completed');
}

export async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
}

export async function tick(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('button', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
  await page.keyboard.press('Escape');
}

/** A rule for the Sprint board that watches Status and posts to #tasks. */
export async function createRule(page: Page): Promise<void> {
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Event Type', 'Page Updated');
  await tick(page, 'Watched Properties', 'Status');
  await choose(page, 'Channel', 'tasks');
  await page.getByRole('button', { name: 'Create Rule' }).click();
  await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toBeVisible();
}
