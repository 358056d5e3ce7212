import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { CardStory } from '@/lib/testing/card-story';
import { type Chatter, controlsOf } from '@/lib/testing/chat';
import { eventually } from '@/lib/testing/product';
import { readNotionAnew } from '@/lib/testing/read-notion-anew';
import { notionEvent, postToNotionDoor } from '@/lib/testing/signed-calls';
import { runUpkeep } from '@/lib/worker/upkeep';

const JONAS_NOTION = '5b1f0c3a-1111-4d0e-9a01-000000000102';
let story: CardStory;
let mira: Chatter;
let jonas: Chatter;

beforeAll(async () => {
  story = await CardStory.start();
  ({ mira, jonas } = story);
});
afterAll(() => story.product.stop());
beforeEach(() => story.product.sandbox.context.faults.clear());

test('Assign to me adds the linked person, keeps the others, and changes the card in place', async () => {
  const posted = await story.card('Take this', { Assignee: ['jonas'] });
  await mira.press(posted, 'Assign to me');
  const answer = await mira.answer();
  expect(answer.content).toMatch(/^\[Take this\]\(http.*\) is now assigned to you\.$/);
  expect(answer.ephemeralFor).toBe(mira.userId);
  expect((await story.row('Take this'))?.['Assignee']).toEqual(['Jonas Brandt', 'Mira Castellan']);
  const [changed] = await story.cards('tasks', 'Take this');
  expect(changed).toMatchObject({ id: posted.id, edits: 1 });
  expect(changed.embeds[0].description).toContain(`Assignee: Jonas Brandt, <@${mira.userId}>`);
  expect(changed.embeds[0].description).toContain(`Updated by <@${mira.userId}>`);
  expect(changed.content).toBe(posted.content);
  expect(controlsOf(changed).map(({ label }) => label)).toEqual([
    'Assign to me',
    'Change status',
    'Open in Notion',
  ]);
  await mira.press(posted, 'Assign to me');
  expect((await mira.answer()).content).toContain('is already assigned to you');
  const again = await redrawn('Take this', 2);
  expect(again.embeds[0].description).toContain(`Updated by <@${mira.userId}>`);
});

/** The card of a page in #tasks once it was edited so often. */
const redrawn = (title: string, edits: number) =>
  eventually(async () => {
    const [shown] = await story.cards('tasks', title);
    return shown.edits === edits && shown;
  });

test('a button that changes nothing leaves on the card who changed the page last', async () => {
  const posted = await story.card('Mine anyway', { Assignee: ['mira'] });
  const change = { page: 'Mine anyway', as: 'jonas', properties: { Priority: 'High' } };
  await story.product.control('notion', 'PATCH', '/rows', change);
  await mira.press(posted, 'Assign to me');
  expect((await mira.answer()).content).toContain('is already assigned to you');
  expect((await redrawn('Mine anyway', 1)).embeds[0].description).toContain('Updated by Jonas Brandt <t:');
});

test('Assign to me keeps a group of people', async () => {
  const group = { id: randomUUID(), name: 'Art team', database: 'Sprint board', role: 'group' };
  await story.product.control('notion', 'POST', '/members', group);
  const posted = await story.card('Paint this', { Assignee: ['Art team'] });
  await mira.press(posted, 'Assign to me');
  expect((await mira.answer()).content).toMatch(/is now assigned to you\.$/);
  expect((await story.row('Paint this'))?.['Assignee']).toEqual(['Art team', 'Mira Castellan']);
});

test('a card keeps what it told, and adds how its page is now', async () => {
  const posted = await story.card('Kept in mind');
  expect(posted.embeds[0]?.description).toMatch(/^Estimate: empty → 3\n/);
  await story.setStatus(mira, posted, 'In review');
  const [changed] = await story.cards('tasks', 'Kept in mind');
  expect(changed.embeds[0].description).toMatch(/^Estimate: empty → 3\nStatus: In review\nUpdated by /);
  await story.idle();
  await story.product.control('notion', 'PATCH', '/rows', {
    page: 'Kept in mind',
    as: 'jonas',
    properties: { Status: 'Done' },
  });
  const told = await eventually(async () => (await story.cards('tasks', 'Kept in mind'))[1]);
  await story.setStatus(mira, told, 'Cut');
  const [, second] = await story.cards('tasks', 'Kept in mind');
  expect(second.embeds[0].description).toMatch(
    /^Status: In review → Done\nStatus: Done → Cut\nEstimate: 3\nUpdated by /,
  );
});

/** Changes a row as a person in Notion. Returns the card that tells it, the `nth` of its page. */
async function changed(page: string, properties: Record<string, unknown>, nth: number) {
  await story.product.control('notion', 'PATCH', '/rows', { page, as: 'jonas', properties });
  const card = await eventually(async () => (await story.cards('tasks', page))[nth]);
  await story.idle();
  return card;
}

test('a card tells that somebody else of the same name is assigned by now', async () => {
  const ids = ['5b1f0c3a-1111-4d0e-9a01-0000000002a1', '5b1f0c3a-1111-4d0e-9a01-0000000002a2'];
  for (const id of ids) {
    const member = { id, name: 'Alex Twin', database: story.connected.board.id };
    await story.product.control('notion', 'POST', '/members', member);
  }
  await story.card('For Alex');
  const told = await changed('For Alex', { Assignee: ids.slice(0, 1) }, 1);
  await changed('For Alex', { Assignee: ids.slice(1) }, 2);
  await story.setStatus(mira, told, 'Cut');
  const [, second] = await story.cards('tasks', 'For Alex');
  expect(second.embeds[0].description).toMatch(
    /^Assignee: empty → Alex Twin\nStatus: Cut\nAssignee: Alex Twin → Alex Twin\n/,
  );
});

test('a card counts all linked pages of a relation that Notion cuts', async () => {
  const rules: { id: string; watchedProperties: string[] }[] = (
    await story.product.call('mira', 'GET', '/api/app/rules')
  ).body;
  for (const { id, ...rule } of rules) {
    const watchedProperties = [...rule.watchedProperties, story.connected.property('Design docs')];
    await story.product.call('mira', 'PUT', `/api/app/rules/${id}`, { ...rule, watchedProperties });
  }
  const ids: string[] = [];
  for (let nth = 0; nth < 30; nth += 1) {
    const row = { database: 'Design docs' };
    ids.push((await story.product.control('notion', 'POST', '/rows', row)).id);
  }
  await story.card('Much linked');
  const told = await changed('Much linked', { 'Design docs': ids }, 1);
  await story.setStatus(mira, told, 'Cut');
  const [first, second] = await story.cards('tasks', 'Much linked');
  expect(second.embeds[0].description).toMatch(
    /^Design docs: empty → 30 linked pages\nStatus: Cut\n(?!Design)/,
  );
  await story.setStatus(mira, first, 'Done');
  const [redrawn] = await story.cards('tasks', 'Much linked');
  expect(redrawn.embeds[0].description).toContain('Design docs: 30 linked pages');
});

test('a card whose rule watches the title does not repeat it as a change', async () => {
  await db().rule.updateMany({ data: { watchedProperties: { push: 'title' } } });
  const posted = await story.card('Never renamed');
  await story.setStatus(mira, posted, 'In review');
  const [changed] = await story.cards('tasks', 'Never renamed');
  expect(changed.embeds[0].description).toMatch(/^Estimate: empty → 3\nStatus: In review\nUpdated by /);
});

test('a card whose event is no longer kept is changed in place too', async () => {
  const posted = await story.card('Older than a month');
  await db().$executeRaw`update notion_event set received_at = received_at - interval '31 days'`;
  await db().$executeRaw`update decision set event_at = event_at - interval '31 days'`;
  await runUpkeep();
  expect([await db().notionEvent.count(), await db().decision.count()]).toEqual([0, 0]);
  await mira.press(posted, 'Assign to me');
  expect((await mira.answer()).content).toMatch(/is now assigned to you\.$/);
  const [changed] = await story.cards('tasks', 'Older than a month');
  expect(changed).toMatchObject({ id: posted.id, edits: 1 });
  expect(changed.embeds[0].description).toContain(`Assignee: <@${mira.userId}>`);
});

test('a change from one channel is announced in the others as the person’s, and not in that one', async () => {
  const posted = await story.card('No echo');
  expect((await story.setStatus(mira, posted, 'In review')).content).toMatch(/is now In review\.$/);
  const told = await eventually(async () => {
    const found = await story.cards('general', 'No echo');
    return found.length === 2 && found[1];
  });
  expect(told.embeds[0].description).toMatch(
    new RegExp(`^Status: Backlog → In review\nUpdated by <@${mira.userId}>`),
  );
  await story.idle();
  expect(await story.cards('tasks', 'No echo')).toHaveLength(1);

  await story.product.control('notion', 'PATCH', '/rows', {
    page: 'No echo',
    as: 'jonas',
    properties: { Status: 'Done' },
  });
  await eventually(async () => (await story.cards('tasks', 'No echo')).length === 2);
});

test('what somebody else made of a change from a channel, before its event came, is told there too', async () => {
  const { product, board, property } = story.connected;
  const posted = await story.card('Overtaken');
  const fault = { target: 'notion.webhook', kind: 'drop', times: 0, status: 500, delayMs: 0 } as const;
  product.sandbox.context.faults.add(fault);
  await story.setStatus(mira, posted, 'In review');
  const change = { page: 'Overtaken', as: 'jonas', properties: { Status: 'Done' } };
  await product.control('notion', 'PATCH', '/rows', change);
  const { botId } = await db().notionWorkspace.findFirstOrThrow({ orderBy: { connectedAt: 'asc' } });
  const { pageId } = await db().pageWrite.findFirstOrThrow({ orderBy: { at: 'desc' } });
  const told = { dataSourceId: board.dataSourceId, bots: [botId], updated: [property('Status')] };
  for (const author of [botId, JONAS_NOTION]) {
    const event = notionEvent({ ...told, pageId: pageId ?? '', authors: [author] });
    expect((await postToNotionDoor(product, JSON.stringify(event))).status).toBe(200);
    await story.idle();
  }
  const [, second, ...others] = await story.cards('tasks', 'Overtaken');
  expect(second?.embeds[0].description).toMatch(/^Status: Backlog → Done\n/);
  expect(others).toEqual([]);
});

test.each(['before', 'while'])(
  'a second action %s the event of the first is worked is the second person’s, and not told in its channel',
  async (moment) => {
    const { product, board, property } = story.connected;
    const { faults } = product.sandbox.context;
    const title = `Assigned and moved ${moment}`;
    const posted = await story.card(title);
    faults.add({ target: 'notion.webhook', kind: 'drop', times: 0, status: 500, delayMs: 0 });
    await mira.press(posted, 'Assign to me');
    await mira.answer();
    const move = () => story.setStatus(jonas, posted, 'In review');
    if (moment === 'before') await move();
    const { botId } = await db().notionWorkspace.findFirstOrThrow({ orderBy: { connectedAt: 'asc' } });
    const { pageId } = await db().pageWrite.findFirstOrThrow({ orderBy: { at: 'desc' } });
    const told = { dataSourceId: board.dataSourceId, bots: [botId], authors: [botId], pageId: pageId ?? '' };
    const tell = async (name: string) => {
      const event = notionEvent({ ...told, updated: [property(name)] });
      expect((await postToNotionDoor(product, JSON.stringify(event))).status).toBe(200);
    };
    if (moment === 'while') {
      const slow = { kind: 'slow', match: 'GET /v1/pages/', times: 1, status: 500, delayMs: 9000 } as const;
      faults.add({ target: 'notion', ...slow });
    }
    await tell('Assignee');
    if (moment === 'while') {
      await eventually(async () => faults.list().some(({ kind, hits }) => kind === 'slow' && hits === 1));
      await move();
      faults.release();
    }
    await story.idle();
    await tell('Status');
    await story.idle();
    expect(await story.cards('tasks', title)).toHaveLength(1);
    const [, second, ...others] = await story.cards('general', title);
    expect(second?.embeds[0].description).toMatch(/^Status: Backlog → In review\n/);
    expect(second?.embeds[0].description).toContain(`Updated by <@${jonas.userId}>`);
    expect(others).toEqual([]);
  },
);

test('somebody without a link is named by their Discord name, and can change the status', async () => {
  const posted = await story.card('By a stranger to Notion');
  await story.setStatus(jonas, posted, 'Playtesting');
  const told = await eventually(async () => (await story.cards('general', 'By a stranger to Notion'))[1]);
  expect(told.embeds[0].description).toContain(`Updated by <@${jonas.userId}>`);
  expect(told.pings.users).toEqual([]);
  await jonas.press(posted, 'Assign to me');
  expect((await jonas.answer()).content).toMatch(/^You are not linked to a Notion user yet/);
});

test.each([
  ['at once', null],
  ['only after its event has arrived', { kind: 'hangup' }],
])(
  'a task that is created in one channel is announced in the others as the person’s, its id known %s',
  async (when, how) => {
    const { product, board, channel } = story.connected;
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
      const found = await story.cards('general', title);
      return found.length > 0 && found;
    });
    expect(told.embeds[0].description).toMatch(new RegExp(`^Created by <@${mira.userId}>`));
    await story.idle();
    expect(await story.cards('tasks', title)).toEqual([]);
    for (const { body } of made) await product.call('mira', 'DELETE', `/api/app/rules/${body.id}`);
  },
);

test('an answer that Discord accepts late says what was done, without undoing what came after', async () => {
  const posted = await story.card('Answered late');
  await mira.press(posted, 'Change status');
  const menu = await mira.answer();
  const { product } = story.connected;
  const fault = {
    target: 'discord',
    kind: 'fail',
    match: '^PATCH .*@original',
    times: 0,
    delayMs: 0,
  } as const;
  product.sandbox.context.faults.add({ ...fault, status: 502 });
  await mira.choose(menu, 'In review');
  await eventually(async () => (await story.row('Answered late'))?.['Status'] === 'In review');
  await eventually(async () => product.sandbox.context.faults.list().some(({ hits }) => hits > 0));
  await product.control('notion', 'PATCH', '/rows', {
    page: 'Answered late',
    as: 'jonas',
    properties: { Status: 'Done' },
  });
  product.sandbox.context.faults.clear();
  const answer = await mira.answer(({ content }) => content !== menu.content);
  expect(answer.content).toMatch(/is now In review\.$/);
  expect((await story.row('Answered late'))?.['Status']).toBe('Done');
  const [shown] = await story.cards('tasks', 'Answered late');
  expect(shown.embeds[0].description).toMatch(
    new RegExp(`^Estimate: empty → 3\nStatus: Done\n[^]*Updated by <@${mira.userId}>`),
  );
});

test('two people at once end in one state, which the card shows', async () => {
  const posted = await story.card('Both at once');
  await db().accountLink.create({
    data: {
      accountId: (await db().discordServer.findFirstOrThrow({ where: { guildId: story.connected.guild.id } }))
        .accountId,
      discordUserId: jonas.userId,
      notionUserId: JONAS_NOTION,
      notionDisplayName: 'Jonas Brandt',
    },
  });
  await Promise.all([mira.press(posted, 'Assign to me'), jonas.press(posted, 'Assign to me')]);
  await Promise.all([mira.answer(), jonas.answer()]);
  const assignees = (await story.row('Both at once'))?.['Assignee'] as string[];
  expect([...assignees].sort()).toEqual(['Jonas Brandt', 'Mira Castellan']);
  const [shown] = await story.cards('tasks', 'Both at once');
  for (const { userId } of [mira, jonas]) expect(shown.embeds[0].description).toContain(`<@${userId}>`);
});

test('more statuses than fit into a menu are paged, in their groups', async () => {
  const posted = await story.card('Many statuses');
  const { product, board } = story.connected;
  for (let n = 1; n <= 19; n += 1) {
    const edit = { action: 'add option', property: 'Status', name: `Stage ${n}`, group: 'In progress' };
    await product.control('notion', 'POST', '/databases/schema', { database: board.id, edit });
  }
  await readNotionAnew();
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
  expect((await story.row('Many statuses'))?.['Status']).toBe('Cut');
});
