import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Chatter, controlsOf } from '@/lib/testing/chat';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { readNotionAnew } from '@/lib/testing/read-notion-anew';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';
import { NotionWorld } from '@/sandbox/notion/notion-world';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let mira: Chatter;
let jonas: Chatter;

interface Row {
  id: string;
  title: string;
  body: string[];
  properties: Record<string, unknown>;
}

beforeAll(async () => {
  story = await startConnectedProduct();
  await story.product.work();
  mira = new Chatter(story.product, 'mira', story.channel('tasks'));
  jonas = new Chatter(story.product, 'jonas', story.channel('tasks'));
  await eventually(async () => !(await mira.run('help')).error);
});
afterAll(() => story.product.stop());

async function rows(title: string): Promise<Row[]> {
  const all: Row[] = await story.product.control('notion', 'GET', `/rows?database=${story.board.id}`);
  return all.filter((row) => row.title === title);
}

/** Fills in the form as a person and returns the answer. */
async function create(person: Chatter, values: Record<string, string>) {
  const { interactionId } = await person.run('task');
  const filled = Object.entries(values).map(([name, value]) => [name, [value]]);
  const answer = await person.submit(interactionId, Object.fromEntries(filled));
  expect(answer.error).toBeUndefined();
  return person.answer();
}

const fault = (changes: object) =>
  story.product.sandbox.context.faults.add({
    target: 'notion',
    kind: 'fail',
    times: 1,
    status: 500,
    delayMs: 100,
    ...changes,
  });

/** Shares a second task database with the connection and tells the product about it. */
async function shareBugReports() {
  const bugs = (await story.product.databases()).get('Bug reports');
  await story.product.control('notion', 'POST', '/authorizations/share', {
    person: 'mira',
    database: bugs?.id,
  });
  await readNotionAnew();
  await story.product.call('mira', 'GET', '/api/app/notion/workspace');
  return bugs;
}

/** Edits the columns of the board in Notion and tells the product about it. */
async function editSchema(edit: object) {
  await story.product.control('notion', 'POST', '/databases/schema', { database: story.board.id, edit });
  await readNotionAnew();
  await story.product.call('mira', 'GET', '/api/app/notion/workspace');
}

/** Shares copies of the board, which the product knows. Returns their ids by name. */
async function shareCopies(...names: string[]) {
  const world = new NotionWorld(story.product.sandbox.context);
  const board = world.database(story.board.id);
  const stored = await db().notionDatabase.findFirstOrThrow({ where: { id: story.board.dataSourceId } });
  if (!board) throw new Error('The board is missing.');
  const { statusPropertyId: _, properties, formerNames, ...row } = stored;
  const ids = new Map<string, string>();
  for (const name of names) {
    const copy = { ...structuredClone(board), id: randomUUID(), dataSourceId: randomUUID(), name };
    world.state.databases.push(copy);
    for (const { shared } of world.state.authorizations) shared[copy.id] = world.now();
    const json = { properties: properties ?? [], formerNames: formerNames ?? {} };
    await db().notionDatabase.create({ data: { ...row, ...json, id: copy.dataSourceId, name } });
    ids.set(name, copy.dataSourceId);
  }
  return ids;
}

/** Makes the stored schema of the board older than Notion's: it has a date that Notion no longer knows. */
async function outdateDueDate() {
  const where = { id: story.board.dataSourceId };
  const { properties } = await db().notionDatabase.findFirstOrThrow({ where });
  const old = (properties as { type: string }[]).map((each) =>
    each.type === 'date' ? { ...each, id: 'gone' } : each,
  );
  await db().notionDatabase.updateMany({ where, data: { properties: old } });
}

describe('the form for a new task', () => {
  test('creates a task, which counts as the first', async () => {
    const opened = await mira.run('task');
    const { modal } = await mira.lastInteraction();
    expect(modal.components.map(({ label }: { label: string }) => label)).toEqual([
      'Title',
      'Status',
      'Assignee',
      'Due date',
      'Description',
    ]);
    const options = modal.components[1]?.component.options;
    const inReview = options?.find(({ label }) => label === 'In review');
    expect(inReview?.description).toBe('In progress');
    await mira.submit(opened.interactionId, {
      title: ['Lantern flicker @everyone'],
      status: [inReview?.value ?? ''],
      assignee: [mira.userId],
      due: ['2026-12-01'],
      description: ['Only at dusk.'],
    });
    const answer = await mira.answer();
    expect(answer.content).toMatch(
      /^Created \[Lantern flicker @\u200beveryone\]\(http.*\) in Sprint board\.$/,
    );
    expect(answer).toMatchObject({ ephemeralFor: mira.userId, pings: { everyone: false } });
    expect(controlsOf(answer).map(({ label }) => label)).toEqual([
      'Assign to me',
      'Change status',
      'Open in Notion',
    ]);
    const [row] = await rows('Lantern flicker @everyone');
    expect(row?.body).toEqual(['Only at dusk.']);
    expect(row?.properties).toMatchObject({
      Status: 'In review',
      Assignee: ['Mira Castellan'],
      'Due date': { start: '2026-12-01' },
    });
    const me = await story.product.call('mira', 'GET', '/api/app/me');
    expect(me.body.checklist.firstTaskCreated).toBe(true);
  });

  test.each([
    ['of 200 characters', `${'Torch '.repeat(33)}ok`],
    ['with emoji', '🔥🧑‍🚀 golem 👩‍👩‍👧 again'],
    ['from right to left', 'תיקון פנס — إصلاح الفانوس'],
    ['full of markup', '**[x](http://evil.example)** `<@1>` ||no||'],
  ])('takes a title %s', async (_, title) => {
    const answer = await create(jonas, { title });
    expect(answer.content).toMatch(/^Created .+\]\(http/);
    expect(answer.content).not.toMatch(/[^\\]\]\(http:..evil/);
    expect(await rows(title.trim())).toHaveLength(1);
  });

  test('says who is not linked instead of silently assigning nobody', async () => {
    const answer = await create(mira, { title: 'For Jonas', assignee: jonas.userId });
    expect(answer.content).toContain(`<@${jonas.userId}> is not linked to Notion`);
    expect(answer.pings.users).toEqual([]);
    expect((await rows('For Jonas'))[0]?.properties['Assignee']).toBeNull();
  });

  test('explains an invalid date, and opens again with what was written', async () => {
    const answer = await create(jonas, { title: 'Due when?', due: 'next @here' });
    expect(answer.content).toBe(
      'Due date: "next @\u200bhere" is not a date like 2026-11-30. Nothing was created.',
    );
    await jonas.press(answer, 'Fill in again');
    const { modal } = await jonas.lastInteraction();
    expect(modal.components[0]?.component.value).toBe('Due when?');
    expect(modal.components[3]?.component.value).toBe('next @here');
    expect(await rows('Due when?')).toEqual([]);

    await mira.act('component', { messageId: answer.id, customId: controlsOf(answer)[0]?.custom_id });
    expect(await rows('Due when?')).toEqual([]);
  });

  test('gives back what was written when the plan has ended meanwhile', async () => {
    const { interactionId } = await mira.run('task');
    await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() - 1000) } });
    await mira.submit(interactionId, { title: ['Written once'], description: ['A long story'] });
    const answer = await mira.answer();
    await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() + 86_400_000) } });
    expect(answer.content).toMatch(/^The Pagewire plan of this server has ended/);
    expect(answer.embeds).toEqual([expect.objectContaining({ description: 'Written once\n\nA long story' })]);
  });

  test('gives back what was written when it cannot be stored', async () => {
    const { interactionId } = await mira.run('task');
    await db().$executeRaw`alter table chat_interaction rename to chat_interaction_away`;
    await mira
      .submit(interactionId, { title: ['Written once'], description: ['A long story'] })
      .finally(() => db().$executeRaw`alter table chat_interaction_away rename to chat_interaction`);
    const answer = await mira.answer();
    expect(answer.content).toMatch(/^Something went wrong\. Reference: \d+$/);
    expect(answer.embeds).toEqual([expect.objectContaining({ description: 'Written once\n\nA long story' })]);
  });

  test('asks for the database when there are several, and suggests them by name', async () => {
    const bugs = await shareBugReports();
    expect((await jonas.suggest('task', 'database', 'BUG')).choices).toEqual([
      { name: 'Bug reports', value: bugs?.dataSourceId },
    ]);
    await jonas.run('task');
    const question = await jonas.answer();
    expect(question.content).toBe('In which database?');
    await jonas.choose(question, 'Bug reports');
    const { id, modal } = await jonas.lastInteraction();
    expect(modal.title).toBe('New task: Bug reports');
    expect(modal.components.map(({ label }: { label: string }) => label).slice(1, 3)).toEqual([
      'State',
      'Owner',
    ]);
    await jonas.submit(id, { title: ['Embers fall upwards'] });
    expect((await jonas.answer()).content).toContain('in Bug reports.');
    await jonas.run('task', { database: 'sprint BOARD' });
    expect((await jonas.lastInteraction()).modal.title).toBe('New task: Sprint board');
    const where = { id: bugs?.dataSourceId ?? '' };
    await db().notionDatabase.updateMany({ where, data: { name: 'SPRINT BOARD' } });
    for (const database of ['Sprint board', 'SPRINT BOARD']) {
      await jonas.run('task', { database });
      expect((await jonas.lastInteraction()).modal.title).toBe(`New task: ${database}`);
    }
    // Discord sends the accented letter as one character; Notion has two.
    await db().notionDatabase.updateMany({ where, data: { name: 'Re\u0301visions' } });
    expect((await jonas.suggest('task', 'database', 'R\u00c9V')).choices).toHaveLength(1);
    await jonas.run('task', { database: 'r\u00e9visions' });
    expect((await jonas.lastInteraction()).modal.title).toBe('New task: Re\u0301visions');
    await db().notionDatabase.updateMany({ where, data: { name: 'Sprint board' } });
    const { choices } = await jonas.suggest('task', 'database', 'sprint');
    const same = await db().notionDatabase.findMany({ where: { name: 'Sprint board' } });
    const labels = same.map(({ url }) => `Sprint board (address ends in ${url?.slice(-4)})`);
    expect(labels).toHaveLength(2);
    expect(choices?.map(({ name }) => name).toSorted()).toEqual(labels.toSorted());
    // A typed name does not say which of them is meant.
    await jonas.run('task', { database: 'sprint board' });
    const which = await jonas.answer();
    expect(which.content).toBe('In which database?');
    const offered = controlsOf(which).flatMap(({ options = [] }) => options);
    expect(offered.map(({ value }) => value).toSorted()).toEqual(same.map(({ id }) => id).toSorted());
    expect(offered.map(({ description }) => description)).toEqual([
      expect.stringMatching(/^address ends in /),
      expect.stringMatching(/^address ends in /),
    ]);
    await story.product.control('notion', 'POST', '/authorizations/unshare', { database: bugs?.id });
    await db().notionDatabase.deleteMany({ where });
  });
});

test('a message becomes a task that keeps the link to it', async () => {
  const content = 'The golem sinks into the floor\nHappens on every second run.';
  await jonas.act('say', { content });
  const message = await eventually(async () => (await jonas.everything()).at(-1));
  await mira.act('message-command', { name: 'Create Notion task', targetId: message.id });
  const { id, modal } = await mira.lastInteraction();
  expect(modal.components[0]?.component.value).toBe('The golem sinks into the floor');
  await mira.submit(id, { title: ['The golem sinks into the floor'], description: [content] });
  await mira.answer();
  const [row] = await rows('The golem sinks into the floor');
  expect(row?.body).toEqual([
    content,
    `${story.product.sandbox.context.urls.discord}/channels/${story.guild.id}/${mira.channelId}/${message.id}`,
  ]);
});

test.each([
  [
    'a forwarded message',
    async () => {
      await jonas.act('say', { content: 'The torch goes out\nIn rain only.' });
      const message = await eventually(async () => (await jonas.everything()).at(-1));
      return { forwards: message?.id };
    },
    ['The torch goes out', 'The torch goes out\nIn rain only.'],
  ],
  [
    'a message of which only an embed says something',
    async () => ({
      embed: { title: 'Build 12 failed', description: 'Linking broke.' },
    }),
    ['Build 12 failed', 'Build 12 failed\nLinking broke.'],
  ],
])('the form of a task is filled in from %s', async (_, toSay, expected) => {
  const saying = await toSay();
  const before = (await jonas.everything()).length;
  await jonas.act('say', saying);
  const message = await eventually(async () => (await jonas.everything())[before]);
  await mira.act('message-command', { name: 'Create Notion task', targetId: message?.id });
  const { modal } = await mira.lastInteraction();
  const filled = modal.components.map(({ component }: { component: { value?: string } }) => component.value);
  expect(filled).toEqual(expect.arrayContaining(expected));
});

describe('a task whose creation fails at first', () => {
  test.each([
    ['Notion is down for a moment', { status: 500 }],
    ['the connection breaks after Notion has created it', { kind: 'hangup' }],
    ['a page of a proxy comes in place of the answer', { kind: 'garble' }],
    ['the answer has an unknown shape', { kind: 'reshape' }],
    ['Notion says that it may have been created', { kind: 'hangup', status: 503 }],
    ['Notion refuses because of its rate limit', { status: 429 }],
  ])('exists once although %s', async (what, changes) => {
    fault({ match: '^POST /v1/pages$', ...changes });
    const answer = await create(mira, { title: `Once: ${what}` });
    expect(answer.content).toMatch(/^Created \[Once: /);
    expect(await rows(`Once: ${what}`)).toHaveLength(1);
  });

  test.each([
    ['list it', { kind: 'hangup' }, '^POST /v1/data_sources/.*/query$'],
    ['show it, having named it', { kind: 'hangup', status: 503 }, '^GET /v1/pages/'],
  ])('is not said to be missing when Notion refuses to %s', async (what, lost, match) => {
    fault({ match: '^POST /v1/pages$', ...lost });
    fault({ match, status: 403, times: 0 });
    const answer = await create(mira, { title: `Perhaps: ${what}` });
    story.product.sandbox.context.faults.clear();
    expect(answer.content).toMatch(/^Notion did not confirm the task\./);
    expect(await rows(`Perhaps: ${what}`)).toHaveLength(1);
  });

  test('exists once although its interaction arrived twice', async () => {
    const { interactionId } = await mira.run('task');
    fault({ target: 'interaction', kind: 'duplicate', match: 'task:' });
    await mira.submit(interactionId, { title: ['Twice sent'] });
    expect((await mira.answer()).content).toMatch(/^Created/);
    await eventually(async () => {
      const [jobs] = await db().$queryRaw<
        { n: number }[]
      >`select count(*)::int as n from graphile_worker.jobs`;
      return jobs?.n === 0;
    });
    expect(await rows('Twice sent')).toHaveLength(1);
  });

  test('is acknowledged before Notion answers', async () => {
    const { faults } = story.product.sandbox.context;
    fault({ kind: 'slow', delayMs: 15_000, match: '^POST /v1/pages$' });
    const { interactionId } = await mira.run('task');
    expect((await mira.submit(interactionId, { title: ['Slow as lava'] })).error).toBeUndefined();
    expect(faults.waitingNow).toBe(faults.list().at(-1)?.hits);
    await eventually(async () => faults.waitingNow === 1);
    faults.release();
    expect((await mira.answer()).content).toMatch(/^Created/);
  });
});

describe('a task that cannot be created', () => {
  test('keeps what was written, to be sent again once its database is shared', async () => {
    const { interactionId } = await mira.run('task');
    await story.product.control('notion', 'POST', '/authorizations/unshare', { database: story.board.id });
    await mira.submit(interactionId, { title: ['Written once'], description: ['A long story'] });
    const answer = await mira.answer();
    expect(answer.content).toMatch(/^That database is not shared with Pagewire.* Reference: \d+$/);
    await mira.run('task');
    expect((await mira.answer()).content).toMatch(/^No task database is shared/);

    await story.product.control('notion', 'POST', '/authorizations/share', {
      person: 'mira',
      database: story.board.id,
    });
    await readNotionAnew();
    await story.product.call('mira', 'GET', '/api/app/notion/workspace');
    const stolen = { type: 3, id: '77001', token: 'x', guild_id: story.guild.id, channel_id: mira.channelId };
    const member = { user: { id: jonas.userId, username: 'jonas_b' } };
    const custom_id = controlsOf(answer)[0]?.custom_id;
    const body = JSON.stringify({ ...stolen, member, data: { custom_id } });
    const refused = await (await postToDiscordDoor(story.product, body)).json();
    expect(refused.data.content).toMatch(/^What you wrote is no longer available/);

    await mira.press(answer, 'Fill in again');
    const { id, modal } = await mira.lastInteraction();
    expect(modal.components[0]?.component.value).toBe('Written once');
    expect(modal.components.at(-1)?.component.value).toBe('A long story');
    await mira.submit(id, { title: ['Written once'] });
    expect((await mira.answer()).content).toMatch(/^Created/);
    expect(await rows('Written once')).toHaveLength(1);
  });

  test('because Notion no longer knows its assignee says so', async () => {
    const [link] = await db().accountLink.findMany({ where: { discordUserId: mira.userId } });
    const where = { id: link?.id ?? '' };
    await db().accountLink.update({ where, data: { notionUserId: randomUUID() } });
    const { content } = await create(mira, { title: 'For nobody', assignee: mira.userId });
    await db().accountLink.update({ where, data: { notionUserId: link?.notionUserId ?? '' } });
    expect(content).toMatch(/^Notion no longer knows somebody who would then be assigned\./);
    expect(await rows('For nobody')).toEqual([]);
  });

  test('because its form is outdated finds the new statuses in the next one', async () => {
    await editSchema({ action: 'add option', property: 'Status', name: 'Parked', group: 'To-do' });
    const { interactionId } = await mira.run('task');
    const { modal } = await mira.lastInteraction();
    const parked = modal.components[1]?.component.options?.find(({ label }) => label === 'Parked');
    expect(parked).toBeDefined();
    const removal = { action: 'delete option', property: 'Status', option: 'Parked' };
    await story.product.control('notion', 'POST', '/databases/schema', {
      database: story.board.id,
      edit: removal,
    });
    await mira.submit(interactionId, { title: ['Parked'], status: [parked?.value ?? ''] });
    const answer = await mira.answer();
    expect(answer.content).toMatch(/^The database changed in Notion/);
    await mira.press(answer, 'Fill in again');
    const again = await mira.lastInteraction();
    expect(again.modal.components[1]?.component.options?.map(({ label }) => label)).not.toContain('Parked');
    expect(await rows('Parked')).toEqual([]);
  });

  test.each([
    { property: 'Due date', type: 'date', field: 'due', value: '2026-12-24' },
    { property: 'Due date', type: 'date', field: 'due', value: 'some day' },
    { property: 'Assignee', type: 'people', field: 'assignee', value: '208917000000000101' },
  ])('because its form has a property that is gone says so: $property $value', async (given) => {
    const { property, type, field, value } = given;
    const { interactionId } = await mira.run('task');
    await editSchema({ action: 'delete property', property });
    await mira.submit(interactionId, { title: ['No room'], [field]: [value] });
    const answer = await mira.answer();
    expect(answer.content).toMatch(/^The database changed in Notion/);
    expect(await rows('No room')).toEqual([]);

    await mira.press(answer, 'Fill in again');
    const { id } = await mira.lastInteraction();
    await mira.submit(id, { title: [`Without ${property}`] });
    expect((await mira.answer()).content).toMatch(/^Created/);
    await editSchema({ action: 'add property', name: property, type });
  });
});

describe('finding', () => {
  test('without a text asks for one', async () => {
    await jonas.run('find', { title: ' \u00a0 ' });
    expect((await jonas.answer()).content).toBe('Type a part of the title to find pages by.');
  });

  test('lists pages by their title, with a menu to open one', async () => {
    await jonas.run('find', { title: 'golem' });
    const answer = await jonas.answer();
    expect(answer.content).toBe('Pages with "golem" in the title');
    expect(answer.embeds[0]?.description).toMatch(/^\[.*golem.*\]\(http.*\) · Sprint board/m);
    await jonas.choose(answer, 'Boss fight: ember golem');
    const page = await jonas.answer();
    expect(page.content).toContain('Boss fight: ember golem');
    expect(controlsOf(page).map(({ label }) => label)).toContain('Change status');
  });

  test('reads the pages of which a search returns only the ids', async () => {
    await story.product.control('notion', 'PATCH', '/settings', { partialSearch: true });
    await jonas.run('find', { title: 'golem' });
    const answer = await jonas.answer();
    await story.product.control('notion', 'PATCH', '/settings', { partialSearch: false });
    expect(answer.embeds[0]?.description).toMatch(/^\[.*golem.*\]\(http.*\) · Sprint board/m);
  });

  test('shows a title of several lines in one, and one from right to left between marks', async () => {
    for (const title of ['Vaults\n\n# of the deep', 'Vaults פנס']) {
      const properties = { Name: title, Status: 'Backlog' };
      await story.product.control('notion', 'POST', '/rows', { database: story.board.id, properties });
    }
    await jonas.run('find', { title: 'Vaults' });
    const answer = await jonas.answer();
    expect(answer.embeds[0]?.description?.split('\n').sort()).toEqual([
      expect.stringMatching(/^\[Vaults # of the deep\]\(http\S+\) · Sprint board · Backlog$/),
      expect.stringMatching(/^\[\u2068Vaults פנס\u2069\]\(http\S+\) · Sprint board · Backlog$/),
    ]);
    const labels = controlsOf(answer).flatMap(({ options = [] }) => options.map(({ label }) => label));
    expect(labels.sort()).toEqual(['Vaults # of the deep', 'Vaults פנס']);
    await jonas.choose(answer, 'Vaults פנס');
    const page = await jonas.answer();
    expect(page.content).toMatch(/^\[\u2068Vaults פנס\u2069\]\(http\S+\) · Sprint board · Backlog$/);
  });

  test('says that nothing was found, in a text that mentions nobody', async () => {
    await jonas.run('find', { title: '@everyone <@1>' });
    const answer = await jonas.answer();
    expect(answer.content).toMatch(/^No page .* "@\u200beveryone \\<@1\\>" in its title/);
    expect(answer.pings).toEqual({ users: [], roles: [], everyone: false });
  });
});

describe('one’s own tasks', () => {
  const control = (properties: object) =>
    story.product.control('notion', 'POST', '/rows', { database: story.board.id, properties });

  test('need a link', async () => {
    await jonas.run('my-tasks');
    expect((await jonas.answer()).content).toMatch(/^You are not linked to a Notion user yet/);
  });

  test('of one database are listed although another is no longer shared', async () => {
    const bugs = await shareBugReports();
    expect((await mira.suggest('task', 'database', '')).choices).toHaveLength(2);
    await story.product.control('notion', 'POST', '/authorizations/unshare', { database: bugs?.id });
    await mira.run('my-tasks');
    expect((await mira.answer()).content).toMatch(/open task/);
    expect((await mira.suggest('task', 'database', '')).choices).toHaveLength(1);
  });

  test('are listed although a property was deleted in Notion since its database was read', async () => {
    await control({ Name: 'Mine', Status: 'Backlog', Assignee: ['mira'] });
    await outdateDueDate();
    await mira.run('my-tasks');
    expect((await mira.answer()).content).toMatch(/^Your (\d+ )?open tasks?$/);
  });

  test('are never said to be none while Notion refuses to list a database, which is named', async () => {
    fault({ match: 'POST /v1/data_sources/.*/query', status: 400, times: 2 });
    await mira.run('my-tasks');
    expect((await mira.answer()).content).toMatch(
      /^Notion did not list the tasks of Sprint board, so yours may be missing here\..* Reference: \d+$/,
    );

    const bugs = await shareBugReports();
    const refused = `POST /v1/data_sources/${bugs?.dataSourceId}/query`;
    fault({ match: refused, status: 400, times: 2 });
    await mira.run('my-tasks');
    expect((await mira.answer()).content).toMatch(
      /^Your .*open tasks?\nNotion did not list the tasks of Bug reports, so yours may be missing here\./,
    );
    await story.product.control('notion', 'POST', '/authorizations/unshare', { database: bugs?.id });
  });

  test('are the open ones, soonest due first and undated last, on several screens', async () => {
    for (let day = 12; day > 0; day -= 1) {
      const due = `2027-01-${String(day).padStart(2, '0')}`;
      await control({ Name: `Chore ${day}`, Status: 'Backlog', Assignee: ['mira'], 'Due date': due });
    }
    await control({ Name: 'Someday', Status: 'Backlog', Assignee: ['mira'] });
    await control({ Name: 'Chore done', Status: 'Done', Assignee: ['mira'], 'Due date': '2027-01-01' });
    await mira.run('my-tasks');
    const first = await mira.answer();
    expect(first.content).toMatch(/^Your \d+ open tasks \(1 of 2\)$/);
    expect(first.embeds[0]?.description).not.toContain('Chore done');
    const order = [...(first.embeds[0]?.description ?? '').matchAll(/Chore (\d+)/g)].map(([, day]) =>
      Number(day),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
    await mira.press(first, 'Next');
    const second = await mira.answer(({ content }) => content.includes('(2 of 2)'));
    expect(second.id).toBe(first.id);
    expect(second.embeds[0]?.description).toContain('Chore 12');
    const lines = [first, second].flatMap(({ embeds }) => embeds[0]?.description?.split('\n') ?? []);
    const isUndated = lines.map((line) => !line.includes(' · due '));
    expect(isUndated.indexOf(true)).toBe(isUndated.lastIndexOf(false) + 1);
    expect(lines.at(-1)).toContain('Someday');
  });

  test('are listed once each although one is moved to another database meanwhile', async () => {
    const annex = (await shareCopies('Annex')).get('Annex') ?? '';
    const moved = { Name: 'Moving house', Status: 'Backlog', Assignee: ['mira'], 'Due date': '2026-01-01' };
    const { id } = await control(moved);
    const { answers, end } = await HeldAnswers.begin();
    const queryOf = (database: string) => `^POST /v1/data_sources/${database}/query`;
    fault({ kind: 'slow', delayMs: 9000, match: queryOf(annex) });
    answers.hold(new RegExp(queryOf(story.board.dataSourceId)));
    await mira.run('my-tasks');
    await eventually(async () => answers.isHolding);
    const row = new NotionWorld(story.product.sandbox.context).state.rows[id];
    if (row) row.dataSourceId = annex;
    answers.release();
    story.product.sandbox.context.faults.release();
    const { content, embeds } = await mira.answer();
    end();
    await story.product.control('notion', 'POST', '/authorizations/unshare', { database: annex });
    await db().notionDatabase.deleteMany({ where: { id: annex } });
    expect(content).not.toContain('Annex');
    expect(embeds[0]?.description?.match(/Moving house/g)).toHaveLength(1);
    expect(embeds[0]?.description).toMatch(/Moving house.* · Annex · /);
  });

  test('are listed although a database has more statuses for finished work than Notion takes in a list', async () => {
    for (let nth = 1; nth <= 105; nth += 1) {
      const edit = { action: 'add option', property: 'Status', name: `Closed ${nth}`, group: 'Complete' };
      await story.product.control('notion', 'POST', '/databases/schema', { database: story.board.id, edit });
    }
    await readNotionAnew();
    await story.product.call('mira', 'GET', '/api/app/notion/workspace');
    await control({ Name: 'Still open', Status: 'Backlog', Assignee: ['mira'], 'Due date': '2026-01-01' });
    await control({
      Name: 'Long closed',
      Status: 'Closed 105',
      Assignee: ['mira'],
      'Due date': '2026-01-01',
    });
    await mira.run('my-tasks');
    const { content, embeds } = await mira.answer();
    expect(content).toMatch(/^Your .*open tasks?/);
    expect(embeds[0]?.description).toContain('Still open');
    expect(embeds[0]?.description).not.toContain('Long closed');
  });

  test('are the first hundred of a database that has more, and the answer says so', async () => {
    await Promise.all(
      Array.from({ length: 101 }, (_, index) =>
        story.product.control('notion', 'POST', '/rows', {
          database: story.board.id,
          properties: { Name: `Errand ${index}`, Status: 'Backlog', Assignee: ['mira'] },
        }),
      ),
    );
    await mira.run('my-tasks');
    const answer = await mira.answer();
    expect(answer.content).toBe('The first 100 of your open tasks (1 of 10)');
    expect(answer.embeds[0]?.description?.split('\n')).toHaveLength(10);
  });
});

describe('the tasks of a person in more databases than there is time for', () => {
  const NAMES = Array.from({ length: 20 }, (_, nth) => `Zone ${String(nth + 1).padStart(2, '0')}`);

  test('are those of the databases edited last, and the answer says which are missing', async () => {
    await shareCopies(...NAMES);
    const task = { Name: 'Feed the lions', Status: 'Backlog', Assignee: ['mira'] };
    await story.product.control('notion', 'POST', '/rows', { database: 'Zone 20', properties: task });
    const limit = (settings: object) =>
      story.product.control('notion', 'PATCH', '/settings', { rateLimit: settings });
    await limit({ enabled: true, limit: 10, windowMs: 60_000 });
    await mira.run('my-tasks');
    const { content, embeds } = await mira.answer();
    await limit({ enabled: false, limit: 180, windowMs: 60_000 });
    expect(content).toMatch(/^(Your|The first) .*open tasks?/);
    expect(content).toMatch(
      /\nThere was no time to look in Zone \d+, .* more, where tasks of yours may be too\./,
    );
    expect(content).toMatch(/\nNotion did not list the tasks of Zone \d+, .* Reference: \d+$/);
    expect(content).not.toContain('Zone 20');
    expect(embeds).toHaveLength(1);
  });

  test('are listed although Notion refuses to say which were edited last', async () => {
    fault({ kind: 'fail', status: 500, match: '^POST /v1/search$', times: 0 });
    await mira.run('my-tasks');
    expect((await mira.answer()).content).toMatch(/^(Your|The first) .*open tasks?/);
  });
});

describe('a plan or a connection that ended or is paused', () => {
  test('answers with a sentence', async () => {
    await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() - 1000) } });
    await mira.run('task');
    expect((await mira.answer()).content).toMatch(/^The Pagewire plan of this server has ended/);
    await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() + 86_400_000) } });
    await db().account.updateMany({ data: { status: 'paused' } });
    await mira.run('task');
    expect((await mira.answer()).content).toMatch(/^The Pagewire plan of this server is paused/);
    await db().account.updateMany({ data: { status: 'trial' } });
    await db().notionWorkspace.updateMany({ data: { problem: 'gone' } });
    await mira.run('find', { title: 'x' });
    expect((await mira.answer()).content).toMatch(/^Notion no longer gives Pagewire access/);
    await db().notionWorkspace.updateMany({ data: { problem: null } });
  });
});
