import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Chatter, controlsOf } from '@/lib/testing/chat';
import { eventually, startConnectedProduct } from '@/lib/testing/product';

const JONAS_NOTION = '5b1f0c3a-1111-4d0e-9a01-000000000102';
let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let mira: Chatter;
let jonas: Chatter;
let vera: Chatter;

beforeAll(async () => {
  story = await startConnectedProduct();
  const { product, channel } = story;
  await product.work();
  mira = new Chatter(product, 'mira', channel('tasks'));
  jonas = new Chatter(product, 'jonas', channel('tasks'));
  await eventually(async () => !(await mira.run('help')).error);
  await product.installBot('vera', '1102000000000000001');
  await product.connectNotion('vera', [(await product.databases()).get('Night market')?.id ?? '']);
  vera = new Chatter(product, 'vera', '1102000000000000201');
  for (const name of ['tasks', 'general']) await addRule(channel(name));
});
afterAll(() => story.product.stop());
beforeEach(() => story.product.sandbox.context.faults.clear());

async function addRule(channelId: string) {
  const { product, board, property } = story;
  const answer = await product.call('mira', 'POST', '/api/app/rules', {
    databaseId: board.dataSourceId,
    eventType: 'page_updated',
    channelId,
    watchedProperties: [property('Status'), property('Assignee'), property('Estimate')],
    displayedFields: [property('Priority')],
    statusTo: [],
  });
  expect(answer.status).toBe(201);
}

const cards = (channel: string, title: string) =>
  story.product
    .messages(story.channel(channel))
    .then((messages) => messages.filter(({ embeds }) => embeds[0]?.title === title));

const idle = () =>
  eventually(async () => {
    const events: { state: string }[] = await story.product.control('notion', 'GET', '/events');
    const [row] = await db().$queryRaw<{ n: number }[]>`
      select (select count(*) from graphile_worker.jobs)::int
        + (select count(*) from page_turn where due_at <= now() or leased_until > now())::int as n`;
    return row?.n === 0 && events.every(({ state }) => !['waiting', 'sending'].includes(state));
  });

/** A new row, changed once in Notion: gives its card in #tasks. */
async function card(title: string, properties: Record<string, unknown> = {}) {
  const { product, board, channel } = story;
  const Status = 'Backlog';
  const made = { database: board.id, properties: { Name: title, Status, ...properties } };
  const { id } = await product.control('notion', 'POST', '/rows', made);
  // An edit within the same moment would be part of the creation.
  await eventually(async () => {
    const events: { payload: { entity: { id: string } } }[] = await product.control(
      'notion',
      'GET',
      '/events',
    );
    return events.some(({ payload }) => payload.entity.id === id);
  });
  await idle();
  await product.control('notion', 'PATCH', '/rows', { page: title, properties: { Estimate: 3 } });
  const [posted] = await eventually(async () => {
    const found = await cards('tasks', title);
    return found.length > 0 && found;
  });
  await eventually(async () => (await cards('general', title)).length > 0);
  expect(posted.channelId).toBe(channel('tasks'));
  await idle();
  return posted;
}

async function row(title: string) {
  const all: { title: string; properties: Record<string, unknown> }[] = await story.product.control(
    'notion',
    'GET',
    `/rows?database=${story.board.id}`,
  );
  return all.find((each) => each.title === title)?.properties;
}

async function setStatus(person: Chatter, of: unknown, status: string) {
  await person.press(of, 'Change status');
  const menu = await person.answer();
  const answer = await person.choose(menu, status);
  expect(answer.error).toBeUndefined();
  return person.answer(({ content }) => content !== menu.content);
}

test('Assign to me adds the linked person, keeps the others, and changes the card in place', async () => {
  const posted = await card('Take this', { Assignee: ['jonas'] });
  await mira.press(posted, 'Assign to me');
  const answer = await mira.answer();
  expect(answer.content).toMatch(/^\[Take this\]\(http.*\) is now assigned to you\.$/);
  expect(answer.ephemeralFor).toBe(mira.userId);
  expect((await row('Take this'))?.['Assignee']).toEqual(['Jonas Brandt', 'Mira Castellan']);
  const [changed] = await cards('tasks', 'Take this');
  expect(changed).toMatchObject({ id: posted.id, edits: 1 });
  expect(changed.embeds[0].description).toContain(`Assignee: Jonas Brandt, <@${mira.userId}>`);
  expect(changed.embeds[0].description).toContain(`Updated by <@${mira.userId}>`);
  expect(controlsOf(changed).map(({ label }) => label)).toEqual([
    'Assign to me',
    'Change status',
    'Open in Notion',
  ]);
  await mira.press(posted, 'Assign to me');
  expect((await mira.answer()).content).toContain('is already assigned to you');
});

test('a change from one channel is told in the others as the person’s, and not in that one', async () => {
  const posted = await card('No echo');
  expect((await setStatus(mira, posted, 'In review')).content).toMatch(/is now In review\.$/);
  const told = await eventually(async () => {
    const found = await cards('general', 'No echo');
    return found.length === 2 && found[1];
  });
  expect(told.embeds[0].description).toMatch(
    new RegExp(`^Status: Backlog → In review\nUpdated by <@${mira.userId}>`),
  );
  await idle();
  expect(await cards('tasks', 'No echo')).toHaveLength(1);

  await story.product.control('notion', 'PATCH', '/rows', {
    page: 'No echo',
    as: 'jonas',
    properties: { Status: 'Done' },
  });
  await eventually(async () => (await cards('tasks', 'No echo')).length === 2);
});

test('somebody without a link is named by their Discord name, and can change the status', async () => {
  const posted = await card('By a stranger to Notion');
  await setStatus(jonas, posted, 'Playtesting');
  const told = await eventually(async () => (await cards('general', 'By a stranger to Notion'))[1]);
  expect(told.embeds[0].description).toContain(`Updated by <@${jonas.userId}>`);
  expect(told.pings.users).toEqual([]);
  await jonas.press(posted, 'Assign to me');
  expect((await jonas.answer()).content).toMatch(/^You are not linked to a Notion user yet/);
});

test.each([
  ['at once', null],
  ['only after its event has come', { kind: 'hangup' }],
])(
  'a task that is created in one channel is told in the others as the person’s, its id known %s',
  async (when, how) => {
    const { product, board, channel } = story;
    const title = `Created ${when}`;
    const rules = ['tasks', 'general'].map((name) =>
      product.call('mira', 'POST', '/api/app/rules', {
        databaseId: board.dataSourceId,
        eventType: 'page_created',
        channelId: channel(name),
        atOnce: true,
        watchedProperties: [],
        displayedFields: [],
        statusTo: [],
      }),
    );
    const made = await Promise.all(rules);
    const fault = { target: 'notion', times: 1, status: 500, delayMs: 0, match: '^POST /v1/pages$' } as const;
    if (how) product.sandbox.context.faults.add({ ...fault, kind: 'hangup' });
    const { interactionId } = await mira.run('task');
    await mira.submit(interactionId, { title: [title] });
    await mira.answer();
    const [told] = await eventually(async () => {
      const found = await cards('general', title);
      return found.length > 0 && found;
    });
    expect(told.embeds[0].description).toMatch(new RegExp(`^Created by <@${mira.userId}>`));
    await idle();
    expect(await cards('tasks', title)).toEqual([]);
    for (const { body } of made) await product.call('mira', 'DELETE', `/api/app/rules/${body.id}`);
  },
);

test('two people at once end in one state, which the card shows', async () => {
  const posted = await card('Both at once');
  await db().accountLink.create({
    data: {
      accountId: (await db().discordServer.findFirstOrThrow({ where: { guildId: story.guild.id } }))
        .accountId,
      discordUserId: jonas.userId,
      notionUserId: JONAS_NOTION,
      notionDisplayName: 'Jonas Brandt',
    },
  });
  await Promise.all([mira.press(posted, 'Assign to me'), jonas.press(posted, 'Assign to me')]);
  await Promise.all([mira.answer(), jonas.answer()]);
  const assignees = (await row('Both at once'))?.['Assignee'] as string[];
  expect([...assignees].sort()).toEqual(['Jonas Brandt', 'Mira Castellan']);
  const [shown] = await cards('tasks', 'Both at once');
  for (const { userId } of [mira, jonas]) expect(shown.embeds[0].description).toContain(`<@${userId}>`);
});

test('more statuses than a menu holds are paged, in their groups', async () => {
  const posted = await card('Many statuses');
  const { product, board } = story;
  for (let n = 1; n <= 19; n += 1) {
    const edit = { action: 'add option', property: 'Status', name: `Stage ${n}`, group: 'In progress' };
    await product.control('notion', 'POST', '/databases/schema', { database: board.id, edit });
  }
  await db().notionWorkspace.updateMany({ data: { catalogCheckedAt: new Date(0) } });
  await product.call('mira', 'GET', '/api/app/notion/workspace');
  await mira.press(posted, 'Change status');
  const first = await mira.answer();
  expect(first.content).toBe('Which status? (1 of 2)');
  const groups = controlsOf(first)[0]?.options?.map(({ description }) => description) ?? [];
  expect(groups).toHaveLength(25);
  expect([...new Set(groups)].slice(0, 2)).toEqual(['To-do', 'In progress']);
  await mira.press(first, 'Next');
  const second = await mira.answer(({ content }) => content.includes('(2 of 2)'));
  await mira.choose(second, 'Cut');
  expect((await mira.answer(({ content }) => content.includes('now'))).content).toContain('is now Cut');
  expect((await row('Many statuses'))?.['Status']).toBe('Cut');
});

describe('a card that is out of date answers with a sentence', () => {
  const press = async (posted: unknown) => {
    await mira.press(posted, 'Assign to me');
    return (await mira.answer()).content;
  };

  test('when its page is in the trash', async () => {
    const posted = await card('Thrown away');
    await story.product.control('notion', 'POST', '/rows/trash', { page: 'Thrown away' });
    expect(await press(posted)).toMatch(/^That page is in the trash.* Reference: \d+$/);
  });

  test('when its database is not shared any more', async () => {
    const posted = await card('Hidden away');
    const { id } = story.board;
    await story.product.control('notion', 'POST', '/authorizations/unshare', {
      database: id,
      person: 'mira',
    });
    expect(await press(posted)).toMatch(/^That page is in the trash, or is not shared/);
    await story.product.control('notion', 'POST', '/authorizations/share', { database: id, person: 'mira' });
  });

  test('when its status was taken away meanwhile', async () => {
    const posted = await card('Lost status');
    await mira.press(posted, 'Change status');
    const menu = await mira.answer();
    const edit = { action: 'delete option', property: 'Status', option: 'Cut' };
    await story.product.control('notion', 'POST', '/databases/schema', { database: story.board.id, edit });
    await mira.press(menu, 'Next');
    const last = await mira.answer(({ content }) => content.includes('(2 of 2)'));
    await mira.choose(last, 'Cut');
    const answer = await mira.answer(({ content }) => content !== last.content);
    expect(answer.content).toMatch(/^The database changed in Notion/);
  });

  test('when the plan has ended', async () => {
    const posted = await card('Too late');
    await db().account.updateMany({ data: { trialEndsAt: new Date(0) } });
    expect(await press(posted)).toMatch(/^The Pagewire plan of this server has ended/);
    await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() + 86_400_000) } });
  });

  test('when the card itself was deleted, the task is changed all the same', async () => {
    const posted = await card('Card gone');
    await db().delivery.updateMany({ where: { messageId: posted.id }, data: { messageId: '1' } });
    expect((await setStatus(mira, posted, 'Done')).content).toContain('is now Done');
  });
});

test('another account cannot name the page, the database or the draft of this one', async () => {
  const { product, board } = story;
  const rows: { id: string; title: string }[] = await product.control(
    'notion',
    'GET',
    `/rows?database=${board.id}`,
  );
  const page = rows.find(({ title }) => title === 'Take this')?.id.replaceAll('-', '') ?? '';
  const database = board.dataSourceId.replaceAll('-', '');
  await vera.run('task', { database: board.dataSourceId });
  expect((await vera.answer()).content).toMatch(/^That database is not shared/);
  expect((await vera.suggest('task', 'database', '')).choices).toHaveLength(1);

  const { postToDiscordDoor } = await import('@/lib/testing/signed-calls');
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
    targetId: (await mira.everything())[0].id,
  });
  const { id: draft } = await mira.lastInteraction();
  const own = (await product.databases()).get('Night market')?.dataSourceId.replaceAll('-', '');
  expect((await press(`new-task:${own}:${draft}`)).data.content).toMatch(/^What you wrote is not kept/);
  // The page is named together with a database of one's own: Notion itself does not show it to this account.
  const answer = await press(`assign:${page}:${own}`);
  expect(answer).toEqual({ type: 5, data: { flags: 64 } });
  await idle();
  expect((await row('Take this'))?.['Assignee']).toEqual(['Jonas Brandt', 'Mira Castellan']);
});

test('names in a custom id that are none get a sentence', async () => {
  const posted = await card('Odd ids');
  for (const customId of [
    'assign',
    'assign:x:y',
    'status:1',
    'unknown:1',
    '__proto__',
    'set-status::',
    'my-tasks:-3',
  ]) {
    const { postToDiscordDoor } = await import('@/lib/testing/signed-calls');
    const member = { user: { id: mira.userId, username: 'mira' } };
    const base = { type: 3, token: 'x', guild_id: story.guild.id, channel_id: mira.channelId, member };
    const body = { id: `8${Date.now()}`, ...base, message: { id: posted.id }, data: { custom_id: customId } };
    const answer = await (await postToDiscordDoor(story.product, JSON.stringify(body))).json();
    expect(answer.data.content).toMatch(/^This button is not known any more/);
  }
});
