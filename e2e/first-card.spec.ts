import { expect, test } from './fixtures';
import { connectOnPages, createRuleOnPage } from './journey';

test('an edit in Notion becomes a card in Discord', async ({
  page,
  signInOnPages,
  openDiscord,
  openNotion,
}) => {
  await signInOnPages('mira');
  await expect(page).toHaveURL('/setup');
  await connectOnPages(page);
  await createRuleOnPage(page);

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
  await expect(page.getByText(/Posting · delivered/)).toBeVisible();
});
