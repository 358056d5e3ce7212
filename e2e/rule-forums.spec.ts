import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { choose, editTask, findGuild } from './journey';
import { connectBoth, createRule } from './shortcuts';

const PAGE = 'Boss fight: ember golem';

test('a rule makes a post for each page of a forum, with the tag and the replies that were chosen', async ({
  page,
  signIn,
  control,
  openDiscord,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await editTask(control, PAGE, { Status: 'Backlog' });
  await page.goto('/rules');
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  const preview = dialog.getByRole('region', { name: 'Preview' });

  await test.step('the form says what a forum does, and offers what gives the tag', async () => {
    await page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' }).press('Enter');
    await expect(dialog.getByRole('combobox', { name: 'Tag of a post' })).toBeHidden();
    await choose(page, 'Channel', 'ideas');
    await expect(dialog).toContainText('Each page has one post');
    const tag = dialog.getByRole('combobox', { name: 'Tag of a post' });
    await expect(tag).toHaveAccessibleDescription(/Backlog, In progress, In review, Done\./);
    await tag.selectOption({ label: 'Status' });
    await dialog.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await choose(page, 'Replies', 'One line for each');
    await inspect(page, 'rule dialog with a forum');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await expect(preview).toContainText('The page and its values are real');
    await dialog.getByRole('button', { name: 'Save Changes' }).press('Enter');
    await expect(page.getByText('one post for each page, with lines')).toBeVisible();
  });

  const discord = await openDiscord('jonas');
  await discord.getByRole('link', { name: /ideas/ }).click();

  await test.step('the post has the tag, and is closed when the page is done', async () => {
    await editTask(control, PAGE, { Status: 'In review' });
    const post = discord.getByRole('article', { name: PAGE });
    await expect(post).toContainText('In review');
    await expect(post).toContainText('1 message');
    await editTask(control, PAGE, { Status: 'Done' });
    await expect(post).toContainText('2 messages · closed');
    await post.getByRole('link', { name: PAGE }).click();
    await expect(discord.getByText('Post in #ideas · Done · closed')).toBeVisible();
    await expect(discord.getByText(`Jonas Brandt changed Status of ${PAGE} to Done`).first()).toBeVisible();
  });
});

test('a forum that requires tags is given a property for them before a rule is saved, and pages of a database', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  const ideas = (await findGuild(control, 'Lantern Works'))?.channels.find(({ name }) => name === 'ideas');
  const tags = [{ name: 'Done', moderated: false }];
  const forum = { tags, requiresTag: true };
  await control.call('discord', 'PUT', `/_sandbox/discord/channels/${ideas?.id}/forum`, forum);
  await control.lookAnew();

  await test.step('a proposed rule cannot have it', async () => {
    await page.goto('/');
    const proposal = page.getByRole('region', { name: 'Your first rule' });
    await choose(page, 'Channel of your first rule', 'ideas');
    await expect(proposal.getByRole('status')).toContainText('Every post needs a tag in this channel.');
    await expect(proposal.getByRole('button', { name: 'Create this rule' })).toBeDisabled();
    await choose(page, 'Channel of your first rule', 'bugs');
    await expect(proposal.getByRole('button', { name: 'Create this rule' })).toBeEnabled();
  });

  await page.goto('/rules');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'New Rule' }).press('Enter');
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Channel', 'ideas');
  const create = page.getByRole('button', { name: 'Create Rule' });
  const tag = dialog.getByRole('combobox', { name: 'Tag of a post' });
  await expect(tag).toBeVisible();
  await create.press('Enter');
  await expect(tag).toBeFocused();
  await expect(tag).toHaveAccessibleDescription(/^Choose a property\. Every post needs a tag here\./);
  await tag.selectOption({ label: 'Status' });
  await expect(tag).not.toHaveAttribute('aria-invalid');

  const channel = dialog.getByRole('combobox', { name: 'Channel' });
  await choose(page, 'Watch', 'Everything shared');
  await expect(channel).toHaveAccessibleDescription(
    '#ideas requires a tag on every post, which only the pages of a database can give.',
  );
  await expect(create).toBeDisabled();
  await choose(page, 'Watch', 'A database');
  await create.press('Enter');
  await expect(page.getByRole('listitem', { name: 'Sprint board to #ideas' })).toBeVisible();
});
