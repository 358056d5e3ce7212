import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { rowOf, taskButtons } from '@/lib/features/cards/buttons';
import { undoChange } from '@/lib/features/reminders/undo-change';
import type { DeferredAnswer } from '@/lib/features/tasks/interactions';
import { sendMessage } from '@/lib/integrations/discord/discord-messages';
import { UNNAMED_PERSON } from '@/lib/integrations/notion/notion-catalog';
import { CardStory } from '@/lib/testing/card-story';
import { Chatter, controlsOf, type ShownMessage } from '@/lib/testing/chat';
import { eventually } from '@/lib/testing/product';
import { readNotionAnew } from '@/lib/testing/read-notion-anew';
import { runUpkeep } from '@/lib/worker/upkeep';
import { CAPABILITIES } from '../../sandbox/notion/notion-state';

const JONAS = '208917000000000102';
let story: CardStory;
let mira: Chatter;
let jonas: Chatter;

beforeAll(async () => {
  story = await CardStory.start();
  ({ mira, jonas } = story);
});
afterAll(() => story.product.stop());
beforeEach(async () => {
  story.product.sandbox.context.faults.clear();
  await db().callCount.deleteMany();
});

interface Ruled {
  id: string;
  channelName: string;
  actions: string[];
}
const rules = async (): Promise<Ruled[]> => (await story.product.call('mira', 'GET', '/api/app/rules')).body;

/** Gives the rules of both channels other buttons. */
async function offer(...actions: string[]): Promise<void> {
  for (const rule of await rules()) {
    const answer = await story.product.call('mira', 'PUT', `/api/app/rules/${rule.id}`, { ...rule, actions });
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  }
}

const labelsOf = (message: { components: ShownMessage['components'] }) =>
  controlsOf(message).map(({ label }) => label);

/** Presses a button that opens a form, and sends the form. */
async function fill(by: Chatter, card: ShownMessage, label: string, entered: string[]) {
  expect((await by.press(card, label)).error).toBeUndefined();
  const { modal } = await by.lastInteraction();
  return { modal, answer: await send(by, entered) };
}

/** Sends the open form with an entry in its only field. */
async function send(by: Chatter, entered: string[]) {
  const { id, modal } = await by.lastInteraction();
  const field = modal.components[0]?.component.custom_id ?? '';
  expect((await by.submit(id, { [field]: entered })).error).toBeUndefined();
  return by.answer();
}

/** Changes a column of the board in Notion and tells the product about it. */
async function editColumn(edit: object) {
  const { product, board } = story.connected;
  await product.control('notion', 'POST', '/databases/schema', { database: board.id, edit });
  await readNotionAnew();
  await product.call('mira', 'GET', '/api/app/notion/workspace');
}

/** The value of an option in the only field of the open form. */
async function optionOf(by: Chatter, name: string): Promise<string> {
  const { modal } = await by.lastInteraction();
  const options = modal.components[0]?.component.options ?? [];
  return options.find(({ label }) => label === name)?.value ?? '';
}

test('a card has the chosen buttons, and without a choice those of a task', async () => {
  await offer('done', 'set:Priority', 'comment', 'due');
  const card = await story.card('Chosen buttons');
  expect(labelsOf(card)).toEqual([
    'Mark as done',
    'Set Priority',
    'Comment',
    'Change due date',
    'Open in Notion',
  ]);
  await offer();
  expect(labelsOf(await story.card('No buttons'))).toEqual(['Open in Notion']);
  await offer('assign_me', 'status');
  expect(labelsOf(await story.card('Usual buttons'))).toEqual([
    'Assign to me',
    'Change status',
    'Open in Notion',
  ]);
});

test('Mark as done sets the first status for finished work, shows it on the card, and can be undone', async () => {
  await offer('done');
  const card = await story.card('Finish this');
  await jonas.press(card, 'Mark as done');
  const answer = await jonas.answer();
  expect(answer.content).toMatch(/^Status of \[Finish this\]\(http.*\) is now Done\.$/);
  expect((await story.row('Finish this'))?.['Status']).toBe('Done');
  const [shown] = await story.cards('tasks', 'Finish this');
  expect(shown).toMatchObject({ id: card.id, edits: 1 });
  expect(shown.embeds[0].description).toContain('Status: Done');
  expect(labelsOf(shown)).toEqual(['Mark as done', 'Open in Notion']);
  await jonas.press(answer, 'Undo');
  await eventually(async () => (await story.row('Finish this'))?.['Status'] === 'Backlog');
  await eventually(async () => {
    const [undone] = await story.cards('tasks', 'Finish this');
    return !undone.embeds[0].description.includes('Status: Done');
  });
});

test('an undo that was cut off before its card was brought up to date shows it when it is repeated', async () => {
  await offer('done');
  const card = await story.card('Undone in two steps');
  await jonas.press(card, 'Mark as done');
  const [undo] = controlsOf(await jonas.answer());
  const undoId = undo?.custom_id?.split(':')[1] ?? '';
  await story.idle();
  const edits = () => db().message.count({ where: { kind: 'edit' } });
  const before = await edits();
  const asked: DeferredAnswer = {
    id: '77004',
    token: 'x',
    guildId: story.connected.guild.id,
    channelId: jonas.channelId,
    userId: JONAS,
    isDirect: false,
    receivedAt: new Date(),
    work: { kind: 'undo', undoId, pageId: '', databaseId: '' },
  };
  await db().$executeRaw`alter table card add constraint nothing_is_shown check (false) not valid`;
  await expect(undoChange(asked, undoId)).rejects.toThrow();
  await db().$executeRaw`alter table card drop constraint nothing_is_shown`;
  expect((await story.row('Undone in two steps'))?.['Status']).toBe('Backlog');
  expect(await edits()).toBe(before);
  await undoChange(asked, undoId);
  expect(await edits()).toBe(before + 1);
  await eventually(async () => {
    const [undone] = await story.cards('tasks', 'Undone in two steps');
    return !undone.embeds[0].description.includes('Status: Done');
  });
});

test('a card about a comment keeps all of it when the status is changed', async () => {
  const { product, connected } = story;
  const rule = await product.call('mira', 'POST', '/api/app/rules', {
    databaseId: connected.board.dataSourceId,
    eventType: 'comment_created',
    channelId: connected.channel('tasks'),
  });
  expect(rule.status).toBe(201);
  const row = { database: connected.board.id, properties: { Name: 'Discussed', Status: 'Backlog' } };
  await product.control('notion', 'POST', '/rows', row);
  await story.idle();
  const text = `First of all: ${'much to say '.repeat(40)}.\nShall we ship on Friday?`;
  const comment = { page: 'Discussed', database: 'Sprint board', as: 'jonas', text };
  await product.control('notion', 'POST', '/comments', comment);
  const card = await eventually(async () => (await story.cards('tasks', 'Discussed'))[0]);
  const quoted = text.split('\n').map((line) => `> ${line}`);
  expect(card.embeds[0].description.split('\n').slice(0, 2)).toEqual(quoted);
  await story.setStatus(mira, card, 'In progress');
  const [shown] = await story.cards('tasks', 'Discussed');
  expect(shown).toMatchObject({ id: card.id, edits: 1 });
  const lines = shown.embeds[0].description.split('\n');
  expect(lines.slice(0, 3)).toEqual([...quoted, 'Status: In progress']);
  await product.call('mira', 'DELETE', `/api/app/rules/${rule.body.id}`);
});

test('Assign adds the chosen person, who must be linked', async () => {
  await offer('assign');
  const card = await story.card('Someone do this', { Assignee: ['mira'] });
  const { modal, answer } = await fill(mira, card, 'Assign', [JONAS]);
  expect(modal).toMatchObject({ title: 'Assign', components: [{ label: 'Assignee' }] });
  expect(answer.content).toMatch(new RegExp(`^<@${JONAS}>: not linked to Notion, so nothing was changed\\.`));
  const done = await fill(mira, card, 'Assign', [mira.userId]);
  expect(done.answer.content).toMatch(/is already assigned to <@208917000000000101>\.$/);
});

describe('Set', () => {
  test('a select is set by its menu, shows on the card and is no news in its channel', async () => {
    await offer('set:Priority');
    const card = await story.card('Hurry up');
    await mira.press(card, 'Set Priority');
    const high = await optionOf(mira, 'High');
    const { answer } = await fill(mira, card, 'Set Priority', [high]);
    expect(answer.content).toMatch(/^Priority of \[Hurry up\]\(http.*\) is now High\.$/);
    expect((await story.row('Hurry up'))?.['Priority']).toBe('High');
    const emptied = await fill(mira, card, 'Set Priority', []);
    expect(emptied.answer.content).toMatch(/is now empty\.$/);
    const [shown, ...others] = await story.cards('tasks', 'Hurry up');
    expect([shown.id, others]).toEqual([card.id, []]);
  });

  test.each([
    ['Season', 'select'],
    ['Seasons', 'multi_select'],
    ['Growth', 'status'],
  ])(
    'an option of %s, a %s, that was deleted while the form was open is told in words',
    async (name, type) => {
      await editColumn({ action: 'add property', name, type });
      for (const option of ['Spring', 'Autumn']) {
        await editColumn({ action: 'add option', property: name, name: option });
      }
      await offer(`set:${name}`);
      const card = await story.card(`Planted with ${name}`);
      await mira.press(card, `Set ${name}`);
      const spring = await optionOf(mira, 'Spring');
      await editColumn({ action: 'delete option', property: name, option: 'Spring' });
      const answer = await send(mira, [spring]);
      expect(answer.content).toBe(
        `${name}: what you chose was deleted in Notion meanwhile. Nothing was changed.`,
      );
      await offer();
      await editColumn({ action: 'delete property', property: name });
    },
  );

  test.each([
    ['Mood', 'select', 'rich_text'],
    ['Helpers', 'people', 'rich_text'],
    ['Parts', 'number', 'checkbox'],
  ])('what was entered into %s, a %s, is not written when it has become a %s', async (name, type, later) => {
    await editColumn({ action: 'add property', name, type });
    if (type === 'select') await editColumn({ action: 'add option', property: name, name: 'Five' });
    await offer(`set:${name}`);
    const title = `With ${name}`;
    const card = await story.card(title);
    await mira.press(card, `Set ${name}`);
    const entered = { select: await optionOf(mira, 'Five'), people: mira.userId, number: '5' }[type] ?? '';
    await editColumn({ action: 'convert property', property: name, type: later });
    const kept = (await story.row(title))?.[name];
    expect((await send(mira, [entered])).content).toMatch(/^The database changed in Notion since this/);
    await story.idle();
    expect((await story.row(title))?.[name]).toEqual(kept);
    await offer();
    await editColumn({ action: 'delete property', property: name });
  });

  test.each([
    ['Estimate', ['twelve'], /^Estimate: "twelve" is not a number like 12\.5\. Nothing was changed\.$/, 3],
    ['Estimate', ['1,000'], /^Estimate: "1,000" is not a number like 12\.5\. Nothing was changed\.$/, 3],
    ['Estimate', ['12.5'], /^Estimate of \[.*\]\(http.*\) is now 12\.5\.$/, 12.5],
    ['Name', [' '], /^A page needs a title\. Nothing was changed\.$/, 'as before'],
  ])('%s to %j', async (name, entered, said, value) => {
    await offer(`set:${name}`);
    const title = `Set ${name} to ${JSON.stringify(entered[0])}`;
    const card = await story.card(title);
    const { answer } = await fill(mira, card, `Set ${name}`, entered);
    expect(answer.content).toMatch(said);
    expect((await story.row(title))?.[name]).toBe(value === 'as before' ? title : value);
  });

  test('a text from right to left does not turn the sentence that names it', async () => {
    await offer('set:Name');
    const card = await story.card('Renamed');
    const { answer } = await fill(mira, card, 'Set Name', ['פנס']);
    expect(answer.content).toMatch(/^Name of \[\u2068פנס\u2069\]\(http\S+\) is now \u2068פנס\u2069\.$/);
  });

  test('what the card does not show otherwise, is on the card afterwards', async () => {
    await offer('due');
    const card = await story.card('Shown afterwards');
    await fill(mira, card, 'Change due date', ['2026-12-24']);
    const [shown] = await story.cards('tasks', 'Shown afterwards');
    expect(shown.embeds[0].description).toMatch(/^Due date: .*Dec 24, 2026.*$/m);
  });

  test('what one button put on the card, stays there when another is pressed', async () => {
    await offer('due', 'done');
    const card = await story.card('Pressed twice');
    await fill(mira, card, 'Change due date', ['2026-12-24']);
    expect((await mira.press(card, 'Mark as done')).error).toBeUndefined();
    await mira.answer();
    const [shown] = await story.cards('tasks', 'Pressed twice');
    expect(shown.embeds[0].description).toMatch(/^Status: Done$/m);
    expect(shown.embeds[0].description).toMatch(/^Due date: .*Dec 24, 2026.*$/m);
  });

  test('a date by its day, and empty again', async () => {
    await offer('due');
    const card = await story.card('Someday');
    expect((await fill(mira, card, 'Change due date', ['next week'])).answer.content).toBe(
      'Due date: "next week" is not a date like 2026-11-30. Nothing was changed.',
    );
    expect((await fill(mira, card, 'Change due date', ['2026-12-24'])).answer.content).toMatch(
      /^Due date of \[Someday\]\(http.*\) is now .*Dec 24, 2026.*\.$/,
    );
    expect((await fill(mira, card, 'Change due date', [])).answer.content).toMatch(/is now empty\.$/);
  });

  test.each([
    [
      'a time in a zone and its end',
      { start: '2026-12-20T09:30:00', end: '2026-12-21T17:00:00', time_zone: 'Europe/Berlin' },
      { start: '2026-12-24T09:30:00', end: '2026-12-25T17:00:00', time_zone: 'Europe/Berlin' },
    ],
    [
      'the last day',
      { start: '2026-12-20', end: '2026-12-22' },
      { start: '2026-12-24', end: '2026-12-26', time_zone: null },
    ],
    ['no time', { start: '2026-12-20' }, { start: '2026-12-24', end: null, time_zone: null }],
  ])('a date by its day keeps %s', async (what, before, after) => {
    await offer('due');
    const title = `It keeps ${what}`;
    const card = await story.card(title, { 'Due date': before });
    await fill(mira, card, 'Change due date', ['2026-12-24']);
    expect((await story.row(title))?.['Due date']).toEqual(after);
  });

  test.each(['Name', 'Notes'])('a text in %s that Notion does not take is given back', async (name) => {
    await offer(`set:${name}`);
    const card = await story.card(`Refused ${name}`);
    const refused = { target: 'notion', kind: 'fail', status: 400, times: 1, delayMs: 0 } as const;
    story.product.sandbox.context.faults.add({ ...refused, match: '^PATCH /v1/pages/' });
    const { answer } = await fill(mira, card, `Set ${name}`, ['Do not lose this']);
    expect(answer.content).toMatch(/^Notion did not accept this value\. Nothing was changed\./);
    expect(answer.embeds).toEqual([expect.objectContaining({ description: 'Do not lose this' })]);
  });

  test('people by their links: all of those who were chosen, and nobody else', async () => {
    await offer('set:Assignee');
    const card = await story.card('Hand it over', { Assignee: ['jonas'] });
    const { answer } = await fill(mira, card, 'Set Assignee', [mira.userId]);
    expect(answer.content).toMatch(/is now <@208917000000000101>\.$/);
    expect((await story.row('Hand it over'))?.['Assignee']).toEqual(['Mira Castellan']);
  });
});

describe('Comment', () => {
  const commentsOn = async (title: string): Promise<{ text: string; author: string }[]> =>
    (await story.product.control('notion', 'GET', `/comments?page=${encodeURIComponent(title)}`)).map(
      (each: { text: { text: string }[]; customName: string }) => ({
        text: each.text.map(({ text }) => text).join(''),
        author: each.customName,
      }),
    );

  test('writes under the name of the person', async () => {
    await offer('comment');
    const card = await story.card('Discuss me');
    const { answer, modal } = await fill(mira, card, 'Comment', ['Looks *good* to me ']);
    expect(modal.title).toBe('Comment');
    expect(answer.content).toMatch(/^Your comment is on \[Discuss me\]\(http.*\)\.$/);
    await fill(jonas, card, 'Comment', ['And to me']);
    expect(await commentsOn('Discuss me')).toEqual([
      { text: 'Looks *good* to me', author: 'Mira Castellan' },
      { text: 'And to me', author: 'Jonas Brandt' },
    ]);
  });

  test('writes under the name in Discord of whoever has none in Notion', async () => {
    const linked = { discordUserId: mira.userId };
    const [link] = await db().accountLink.findMany({ where: linked });
    await db().accountLink.updateMany({ where: linked, data: { notionDisplayName: UNNAMED_PERSON } });
    await offer('comment');
    await fill(mira, await story.card('Anonymous'), 'Comment', ['Who am I?']);
    expect(await commentsOn('Anonymous')).toEqual([{ text: 'Who am I?', author: 'Mira Castellan' }]);
    await db().accountLink.updateMany({
      where: linked,
      data: { notionDisplayName: link?.notionDisplayName },
    });
  });

  test('is told in other channels as the person’s, and not in the one where it was written', async () => {
    await offer('comment');
    const made = await Promise.all(
      ['tasks', 'general'].map((name) =>
        story.product.call('mira', 'POST', '/api/app/rules', {
          databaseId: story.connected.board.dataSourceId,
          eventType: 'comment_created',
          channelId: story.connected.channel(name),
        }),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    const card = await story.card('Heard elsewhere');
    await fill(mira, card, 'Comment', ['Only once']);
    const told = await eventually(async () =>
      (await story.cards('general', 'Heard elsewhere')).find(({ content }) => content.includes('Only once')),
    );
    expect(told.content).toBe('Mira Castellan commented on Heard elsewhere: Only once');
    await story.idle();
    const here = await story.cards('tasks', 'Heard elsewhere');
    expect(here.map(({ id }) => id)).toEqual([card.id]);
    for (const { body } of made) await story.product.call('mira', 'DELETE', `/api/app/rules/${body.id}`);
  });

  test.each([
    ['is lost', 'hangup'],
    ['is a page of a proxy', 'garble'],
    ['has an unknown shape', 'reshape'],
  ] as const)('is written once when the answer of Notion %s', async (how, kind) => {
    await offer('comment');
    const title = `Say it once: ${how}`;
    const card = await story.card(title);
    story.product.sandbox.context.faults.add({
      target: 'notion',
      kind,
      match: 'POST /v1/comments',
      times: 1,
      status: 500,
      delayMs: 0,
    });
    await mira.press(card, 'Comment');
    const { id } = await mira.lastInteraction();
    await mira.submit(id, { entered: ['Once'] });
    const answer = await mira.answer();
    expect(answer.content).toContain(`Your comment is on [${title}]`);
    expect(await commentsOn(title)).toEqual([{ text: 'Once', author: 'Mira Castellan' }]);
  });

  test('is never called undone while it may be there, however long Notion is silent', async () => {
    await offer('comment');
    const card = await story.card('Perhaps said');
    const { faults } = story.product.sandbox.context;
    const fault = { target: 'notion', times: 0, status: 500, delayMs: 0 } as const;
    await mira.press(card, 'Comment');
    const { id } = await mira.lastInteraction();
    faults.add({ ...fault, kind: 'hangup', match: 'POST /v1/comments', times: 1 });
    faults.add({ ...fault, kind: 'fail', match: 'GET /v1/comments' });
    expect((await mira.submit(id, { entered: ['Perhaps once'] })).error).toBeUndefined();
    await eventually(async () => faults.list().find(({ match }) => match === 'GET /v1/comments')?.hits);
    faults.add({ ...fault, kind: 'fail', match: 'GET /v1/pages' });
    // Twenty seconds later, when other work is given up.
    const told = await mira.answer(({ content }) => content.startsWith('Notion has not confirmed this yet'));
    expect(told.content).not.toContain('Try again');
    faults.clear();
    const answer = await mira.answer(({ content }) => content.startsWith('Your comment is on'));
    expect(answer.content).toMatch(/^Your comment is on \[Perhaps said\]/);
    expect(await commentsOn('Perhaps said')).toHaveLength(1);
  });

  test('is given back when Notion refuses it', async () => {
    await offer('comment');
    const card = await story.card('Not allowed');
    const allow = (capabilities: readonly string[]) =>
      story.product.control('notion', 'PATCH', '/settings', { capabilities });
    await allow(CAPABILITIES.filter((each) => each !== 'insert_comments'));
    const { answer } = await fill(mira, card, 'Comment', ['Do not lose this']);
    await allow(CAPABILITIES);
    expect(answer.content).toMatch(/^Notion does not let Pagewire write comments\./);
    expect(answer.embeds).toEqual([expect.objectContaining({ description: 'Do not lose this' })]);
    expect(await commentsOn('Not allowed')).toEqual([]);
  });

  test.each([
    ['English', 'Looks good to me'],
    ['Japanese', '図の番号が一つずれています。'],
  ])('in %s is given back when its button has gone meanwhile', async (language, text) => {
    await offer('comment');
    const card = await story.card(`Too late in ${language}`);
    await mira.press(card, 'Comment');
    const { id } = await mira.lastInteraction();
    await offer('done');
    await mira.submit(id, { entered: [text] });
    const answer = await mira.answer();
    expect(answer.content).toMatch(GONE);
    expect(answer.embeds).toEqual([expect.objectContaining({ description: text })]);
  });
});

const GONE = /^This button no longer works: the rule of its card was changed or deleted\./;
// What is known of a page in another database than the rule's is only that.
const ELSEWHERE = /^This button no longer works: its page was moved to another database, or the rule of/;

describe('a button does nothing', () => {
  test('once the rule no longer has it, for another account, and for somebody without a link', async () => {
    await offer('done', 'assign_me');
    const card = await story.card('No longer offered');
    const pressed = async (by: Chatter, label: string) => {
      await by.press(card, label);
      return (await by.answer()).content;
    };
    expect(await pressed(jonas, 'Assign to me')).toMatch(/^You are not linked to a Notion user yet\./);
    await offer('comment');
    expect(await pressed(mira, 'Mark as done')).toMatch(GONE);
    expect((await story.row('No longer offered'))?.['Status']).toBe('Backlog');
  });

  test('once the rule watches another database, except those that name the task’s own', async () => {
    await offer('done', 'assign', 'comment', 'assign_me');
    const card = await story.card('Watched no more');
    const former = await rules();
    const bugs = (await story.product.databases()).get('Bug reports');
    const share = { person: 'mira', database: bugs?.id };
    await story.product.control('notion', 'POST', '/authorizations/share', share);
    await readNotionAnew();
    await story.product.call('mira', 'GET', '/api/app/notion/workspace');
    const databaseId = bugs?.dataSourceId;
    const source = { kind: 'database', databaseId };
    const elsewhere = { source, databaseId, watchedProperties: ['State'], displayedFields: [] };
    for (const rule of former) {
      const answer = await story.product.call('mira', 'PUT', `/api/app/rules/${rule.id}`, {
        ...rule,
        ...elsewhere,
      });
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    }
    await mira.press(card, 'Mark as done');
    expect((await mira.answer()).content).toMatch(ELSEWHERE);
    expect((await fill(mira, card, 'Assign', [mira.userId])).answer.content).toMatch(ELSEWHERE);
    expect((await fill(mira, card, 'Comment', ['Still here?'])).answer.content).toMatch(ELSEWHERE);
    await mira.press(card, 'Assign to me');
    expect((await mira.answer()).content).toMatch(/ is now assigned to you\.$/);
    expect((await story.row('Watched no more'))?.['Status']).toBe('Backlog');

    // As if the page had been moved since: its button names another database.
    const { pageId } = await db().pageWrite.findFirstOrThrow({ orderBy: { at: 'desc' } });
    const { assign_me } = taskButtons({ pageId: pageId ?? '', databaseId: databaseId ?? '' });
    const { id: accountId } = await db().account.findFirstOrThrow({ where: { discordUserId: mira.userId } });
    const moved = { content: 'Moved', components: [rowOf([assign_me])], nonce: 'moved' };
    const { messageId } = await sendMessage(mira.channelId, moved, { accountId });
    const shown: ShownMessage[] = await story.product.messages(mira.channelId);
    await mira.press(shown.find(({ id }) => id === messageId) as ShownMessage, 'Assign to me');
    expect((await mira.answer()).content).toMatch(/^The page was moved to another database since this/);

    for (const rule of former) await story.product.call('mira', 'PUT', `/api/app/rules/${rule.id}`, rule);
  });
});

test('below a test of a draft, the buttons that need a saved rule are switched off', async () => {
  const channelId = story.connected.channel('tasks');
  const tested = async (draft: object) => {
    const { status } = await story.product.call('mira', 'POST', '/api/app/rules/test', {
      databaseId: story.connected.board.dataSourceId,
      channelId,
      ...draft,
    });
    expect(status).toBe(200);
    const shown: ShownMessage[] = await story.product.messages(channelId);
    const test = shown.findLast(({ content }) => content.startsWith('Test of the rule'));
    return controlsOf(test as ShownMessage).map(({ label, disabled }) => [label, disabled ?? false]);
  };
  const actions = ['status', 'comment', 'set:Priority'];
  expect(await tested({ eventType: 'page_updated', watchedProperties: ['Status'], actions })).toEqual([
    ['Change status', false],
    ['Comment', true],
    ['Set Priority', true],
    ['Open in Notion', false],
  ]);
  await story.card('One more than fits on a screen');
  const schedule = { every: 'day', at: '09:00', skipEmpty: false };
  const [menu, more] = await tested({ eventType: 'summary', schedule });
  expect([menu, more]).toEqual([
    [undefined, false],
    [expect.stringMatching(/^Show \d+ more$/), true],
  ]);
});

describe('in a direct message', () => {
  const direct = () => story.product.control('discord', 'GET', `/direct-messages/${mira.userId}`);

  test('the chosen buttons stand below the card and work for the linked person alone', async () => {
    const made = await story.product.call('mira', 'POST', '/api/app/rules', {
      databaseId: story.connected.board.dataSourceId,
      eventType: 'page_updated',
      watchedProperties: ['Estimate'],
      destination: { kind: 'person', discordUserId: mira.userId },
      actions: ['status', 'assign_me', 'done', 'comment'],
    });
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    await db().accountLink.updateMany({ data: { notify: 'on' } });
    await story.card('In private');
    const news = { page: 'In private', as: 'jonas', properties: { Estimate: 5 } };
    await story.product.control('notion', 'PATCH', '/rows', news);
    const card: ShownMessage = await eventually(async () =>
      (await direct()).messages.find(({ content }: ShownMessage) => content.includes('In private')),
    );
    expect(labelsOf(card)).toEqual([
      'Change status',
      'Assign to me',
      'Mark as done',
      'Comment',
      'Open in Notion',
      'Stop these messages',
    ]);
    const there = new Chatter(story.product, 'mira', (await direct()).channelId);
    await there.press(card, 'Assign to me');
    expect((await there.answer()).content).toMatch(/^\[In private\]\(http.*\) is now assigned to you\.$/);
    await there.press(card, 'Change status');
    const review = await optionOf(there, 'In review');
    const { answer } = await fill(there, card, 'Change status', [review]);
    expect(answer.content).toMatch(/^Status of \[In private\]\(http.*\) is now In review\.$/);
    const commented = await fill(there, card, 'Comment', ['From my inbox']);
    expect(commented.answer.content).toMatch(/^Your comment is on /);
    expect(await story.row('In private')).toMatchObject({
      Status: 'In review',
      Assignee: ['Mira Castellan'],
    });

    const member = `/guilds/${story.connected.guild.id}/members/${mira.userId}`;
    await story.product.control('discord', 'DELETE', member);
    await there.press(card, 'Mark as done');
    expect((await there.answer()).content).toMatch(
      /^You are no longer in the server that this message belongs to\./,
    );
    await story.product.control('discord', 'PUT', member, {});

    const link = await db().accountLink.findFirstOrThrow({ where: { discordUserId: mira.userId } });
    await db().accountLink.delete({ where: { id: link.id } });
    await there.press(card, 'Mark as done');
    expect((await there.answer()).content).toMatch(/^You are not linked to a Notion user yet\./);
    await db().accountLink.create({ data: link });
    await story.product.call('mira', 'DELETE', `/api/app/rules/${made.body.id}`);
    await there.press(card, 'Mark as done');
    expect((await there.answer()).content).toMatch(GONE);
  });

  test('Comment works as long as in a channel when its rule watches no database', async () => {
    const made = await story.product.call('mira', 'POST', '/api/app/rules', {
      source: { kind: 'workspace' },
      eventType: 'comment_created',
      destination: { kind: 'person', discordUserId: mira.userId },
      actions: ['comment'],
    });
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    await db().accountLink.updateMany({ data: { notify: 'on' } });
    await story.card('Old letter');
    const said = { page: 'Old letter', database: 'Sprint board', as: 'jonas', text: 'Anybody?' };
    await story.product.control('notion', 'POST', '/comments', said);
    const card: ShownMessage = await eventually(async () =>
      (await direct()).messages.find(({ content }: ShownMessage) => content.includes('Old letter')),
    );
    await story.idle();
    await db().$executeRaw`update letter set created_at = created_at - interval '32 days'`;
    await runUpkeep();
    expect(await db().letter.count()).toBe(0);
    const there = new Chatter(story.product, 'mira', (await direct()).channelId);
    expect((await fill(there, card, 'Comment', ['Here I am'])).answer.content).toMatch(
      /^Your comment is on /,
    );
    await db().message.updateMany({ where: { kind: 'letter' }, data: { pageId: 'of another page' } });
    await there.press(card, 'Comment');
    expect((await there.answer()).content).toMatch(GONE);
    await story.product.call('mira', 'DELETE', `/api/app/rules/${made.body.id}`);
  });
});
