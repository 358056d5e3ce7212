import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { denyPosting } from './journey';
import { connectBoth } from './shortcuts';

interface Named {
  id: string;
  name: string;
}

/** Ten rules of three databases for four channels, as the API makes them. */
async function addTenRules(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { accessToken } = await (await fetch('/api/auth/session')).json();
    const call = async (path: string, body?: object) => {
      const response = await fetch(path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: body ? JSON.stringify(body) : null,
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    };
    const server: { channels: Named[] } = await call('/api/app/discord/server');
    const workspace: { databases: Named[] } = await call('/api/app/notion/workspace');
    const idOf = (all: Named[], name: string) => all.find((each) => each.name === name)?.id;
    for (const [index, channel] of ['tasks', 'bugs', 'build-log', 'tasks', 'bugs'].entries()) {
      for (const database of ['Sprint board', 'Bug reports']) {
        const rule = {
          databaseId: idOf(workspace.databases, database),
          channelId: idOf(server.channels, channel),
        };
        const watched = database === 'Sprint board' ? 'Status' : 'State';
        const updated = { eventType: 'page_updated', watchedProperties: [watched], statusTo: [] };
        await call(
          '/api/app/rules',
          index % 2 ? { ...rule, ...updated } : { ...rule, eventType: 'page_created' },
        );
      }
    }
  });
}

test('ten rules fit on a screen, are searched, filtered and sorted, and tell one trouble once', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  await addTenRules(page);
  await page.reload();
  const list = page.getByRole('list', { name: 'Rules', exact: true });
  const rows = list.getByRole('listitem');
  await expect(rows).toHaveCount(10);

  await test.step('no eleventh is offered', async () => {
    const newRule = page.getByRole('button', { name: 'New Rule' });
    await expect(newRule).toBeDisabled();
    await newRule.locator('..').hover();
    await expect(page.getByRole('tooltip')).toHaveText(
      'All 10 rules of your plan are in use. Delete one to make another.',
    );
  });

  await test.step('on a laptop and on a phone', async () => {
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 900 },
    ]) {
      await page.setViewportSize(size);
      const { height = Number.POSITIVE_INFINITY } = (await list.boundingBox()) ?? {};
      expect(height).toBeLessThanOrEqual(900);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await inspect(page, 'ten rules');
  });

  await test.step('a search stays in the address', async () => {
    await page.getByRole('searchbox', { name: 'Search rules' }).fill('state changes');
    await expect(rows).toHaveCount(2);
    await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: '#build-log' });
    await expect(rows).toHaveCount(0);
    // Both before the list has been drawn anew.
    await page.getByRole('button', { name: 'Show all rules' }).evaluate((showAll: HTMLElement) => {
      showAll.click();
      const sort = document.querySelector<HTMLSelectElement>('select[aria-label="Sort by"]');
      if (!sort) throw new Error('There is nothing to sort by.');
      sort.value = 'state';
      sort.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await expect(rows).toHaveCount(10);
    await expect(page).toHaveURL(/\?sort=state$/);
    await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: '#build-log' });
    await expect(rows).toHaveCount(2);
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption({ label: 'Database' });
    await page.reload();
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toHaveAccessibleName('Bug reports to #build-log');
    await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: 'All channels' });
    await expect(rows).toHaveCount(10);
  });

  await test.step('a channel that refuses is one banner, and its rules show no live wire', async () => {
    await denyPosting(control, true);
    const trouble = page.getByRole('list', { name: 'What needs attention' });
    await expect(trouble.getByRole('listitem')).toHaveCount(1);
    await expect(trouble).toContainText('This stops 4 rules.');
    await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'In trouble' });
    await expect(rows).toHaveCount(4);
    await inspect(page, 'rules one trouble');
    await denyPosting(control, false);
    await trouble.getByRole('button', { name: 'Check again' }).click();
    await expect(trouble).toBeHidden();
  });
});
