import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { CardStory } from '@/lib/testing/card-story';
import type { Chatter, ShownMessage } from '@/lib/testing/chat';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';

let story: CardStory;
let mira: Chatter;
let vera: Chatter;

beforeAll(async () => {
  story = await CardStory.start();
  ({ mira, vera } = story);
});
afterAll(() => story.product.stop());
beforeEach(() => story.product.sandbox.context.faults.clear());

describe('a card that is out of date answers with a sentence', () => {
  const press = async (posted: ShownMessage) => {
    await mira.press(posted, 'Assign to me');
    return (await mira.answer()).content;
  };

  test('when its page is in the trash', async () => {
    const posted = await story.card('Thrown away');
    await story.product.control('notion', 'POST', '/rows/trash', { page: 'Thrown away' });
    expect(await press(posted)).toMatch(/^That page is in the trash.* Reference: \d+$/);
  });

  test('when its database is not shared any more', async () => {
    const posted = await story.card('Hidden away');
    const { id } = story.connected.board;
    await story.product.control('notion', 'POST', '/authorizations/unshare', {
      database: id,
      person: 'mira',
    });
    expect(await press(posted)).toMatch(/^That page is in the trash, or is not shared/);
    await story.product.control('notion', 'POST', '/authorizations/share', { database: id, person: 'mira' });
  });

  test('when its status was taken away meanwhile', async () => {
    const posted = await story.card('Lost status');
    await mira.press(posted, 'Change status');
    const menu = await mira.answer();
    const edit = { action: 'delete option', property: 'Status', option: 'Cut' };
    await story.product.control('notion', 'POST', '/databases/schema', {
      database: story.connected.board.id,
      edit,
    });
    await mira.choose(menu, 'Cut');
    const answer = await mira.answer(({ content }) => content !== menu.content);
    expect(answer.content).toMatch(/^The database changed in Notion/);
  });

  test('when the plan has ended', async () => {
    const posted = await story.card('Too late');
    await db().account.updateMany({ data: { trialEndsAt: new Date(0) } });
    expect(await press(posted)).toMatch(/^The Pagewire plan of this server has ended/);
    await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() + 86_400_000) } });
  });

  test('when the card itself was deleted, the task is changed all the same', async () => {
    const posted = await story.card('Card gone');
    await db().delivery.updateMany({ where: { messageId: posted.id }, data: { messageId: '1' } });
    expect((await story.setStatus(mira, posted, 'Done')).content).toContain('is now Done');
  });
});

test('another account cannot name the page, the database or the draft of this one', async () => {
  const { product, board } = story.connected;
  await story.card('Not theirs', { Assignee: ['jonas'] });
  const rows: { id: string; title: string }[] = await product.control(
    'notion',
    'GET',
    `/rows?database=${board.id}`,
  );
  const page = rows.find(({ title }) => title === 'Not theirs')?.id.replaceAll('-', '') ?? '';
  const database = board.dataSourceId.replaceAll('-', '');
  await vera.run('task', { database: board.dataSourceId });
  expect((await vera.answer()).content).toMatch(/^That database is not shared/);
  expect((await vera.suggest('task', 'database', '')).choices).toHaveLength(1);

  const member = { user: { id: vera.userId, username: 'vera.l' } };
  const press = async (custom_id: string, values?: string[]) => {
    const id = String(9_000_000 + Math.floor(Math.random() * 1e6));
    const data = { custom_id, component_type: 2, values };
    const body = { id, type: 3, token: 'x', guild_id: '1102000000000000001', channel_id: '1', member, data };
    return (await postToDiscordDoor(product, JSON.stringify(body))).json();
  };
  for (const customId of [
    `assign:${page}:${database}`,
    `status:${page}:${database}`,
    `new-task:${database}:0`,
  ]) {
    expect((await press(customId)).data.content).toMatch(/^That database is not shared/);
  }
  await mira.act('message-command', {
    name: 'Create Notion task',
    targetId: (await mira.everything())[0]?.id,
  });
  const { id: draft } = await mira.lastInteraction();
  const own = (await product.databases()).get('Night market')?.dataSourceId.replaceAll('-', '');
  expect((await press(`new-task:${own}:${draft}`)).data.content).toMatch(/^What you wrote is not kept/);
  // The page is named together with a database of one's own: Notion itself does not show it to this account.
  const answer = await press(`assign:${page}:${own}`);
  expect(answer).toEqual({ type: 5, data: { flags: 64 } });
  await story.idle();
  expect((await story.row('Not theirs'))?.['Assignee']).toEqual(['Jonas Brandt']);
});

test('names in a custom id that are none get a sentence', async () => {
  const posted = await story.card('Odd ids');
  for (const customId of [
    'assign',
    'assign:x:y',
    'status:1',
    'unknown:1',
    '__proto__',
    'set-status::',
    'my-tasks:-3',
  ]) {
    const member = { user: { id: mira.userId, username: 'mira' } };
    const base = {
      type: 3,
      token: 'x',
      guild_id: story.connected.guild.id,
      channel_id: mira.channelId,
      member,
    };
    const body = { id: `8${Date.now()}`, ...base, message: { id: posted.id }, data: { custom_id: customId } };
    const answer = await (await postToDiscordDoor(story.product, JSON.stringify(body))).json();
    expect(answer.data.content).toMatch(/^This button is not known any more/);
  }
});
