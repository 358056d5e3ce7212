import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { CardStory } from '@/lib/testing/card-story';
import { type Chatter, controlsOf, type ShownMessage } from '@/lib/testing/chat';
import { eventually } from '@/lib/testing/product';
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

describe('a button of an outdated card answers with a sentence', () => {
  const press = async (posted: ShownMessage) => {
    await mira.press(posted, 'Assign to me');
    return (await mira.answer()).content;
  };

  test('when its page is in the trash', async () => {
    const posted = await story.card('Thrown away');
    await story.product.control('notion', 'POST', '/rows/trash', { page: 'Thrown away' });
    expect(await press(posted)).toMatch(/^That page is in the trash.* Reference: \d+$/);
  });

  test('when its database is no longer shared', async () => {
    const posted = await story.card('Hidden away');
    const { id } = story.connected.board;
    await story.product.control('notion', 'POST', '/authorizations/unshare', {
      database: id,
      person: 'mira',
    });
    expect(await press(posted)).toMatch(/^That page is in the trash, or is no longer shared/);
    await story.product.control('notion', 'POST', '/authorizations/share', { database: id, person: 'mira' });
  });

  test('when its status was deleted meanwhile', async () => {
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

  test('when Notion no longer knows the person', async () => {
    const posted = await story.card('For a former colleague');
    const [link] = await db().accountLink.findMany({ where: { discordUserId: mira.userId } });
    const where = { id: link?.id ?? '' };
    await db().accountLink.update({ where, data: { notionUserId: randomUUID() } });
    expect(await press(posted)).toMatch(/^Notion no longer knows somebody who would then be assigned\./);
    await db().accountLink.update({ where, data: { notionUserId: link?.notionUserId ?? '' } });
  });

  test('when Notion no longer knows somebody who is assigned already', async () => {
    const posted = await story.card('Of a former colleague', { Assignee: ['jonas'] });
    const jonas = await db().notionUser.findFirstOrThrow({ where: { name: { startsWith: 'Jonas' } } });
    const { faults } = story.product.sandbox.context;
    const gone = { target: 'notion', kind: 'fail', times: 0, status: 404, delayMs: 0 } as const;
    faults.add({ ...gone, match: '^PATCH /v1/pages/' });
    faults.add({ ...gone, match: `^GET /v1/users/${jonas.id}` });
    expect(await press(posted)).toMatch(/^Notion no longer knows somebody who would then be assigned\./);
  });

  test('when Notion no longer gives us access', async () => {
    const posted = await story.card('No way in');
    await db().notionWorkspace.updateMany({ data: { problem: 'gone' } });
    expect(await press(posted)).toMatch(/^Notion no longer gives Pagewire access/);
    await db().notionWorkspace.updateMany({ data: { problem: null } });
  });

  test('when the plan has ended', async () => {
    const posted = await story.card('Too late');
    await db().account.updateMany({ data: { trialEndsAt: new Date(0) } });
    expect(await press(posted)).toMatch(/^The Pagewire plan of this server has ended/);
    await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() + 86_400_000) } });
  });

  test('when the card itself was deleted, the task is changed nevertheless', async () => {
    const posted = await story.card('Card gone');
    await db().message.updateMany({
      where: { discordMessageId: posted.id },
      data: { discordMessageId: '1' },
    });
    expect((await story.setStatus(mira, posted, 'Done')).content).toContain('is now Done');
  });
});

describe('everything is acknowledged before Notion answers, and nobody is left looking at "thinking"', () => {
  const THINKING = 1 << 7;

  /**
   * Makes all actions that call Notion at the same time. Notion answers none of their calls until all are acknowledged,
   * and then with the fault. Returns the answers that the person sees afterwards.
   */
  async function doEverything(title: string, fault: { kind: 'fail' | 'slow'; delayMs: number }) {
    const posted = await story.card(title);
    await mira.press(posted, 'Change status');
    const menu = await mira.answer();
    const { interactionId } = await mira.run('task');
    const before = new Set((await mira.everything()).map(({ id }) => id));
    const { faults } = story.product.sandbox.context;
    const every = { target: 'notion', match: ' /v1/', times: 0, status: 503 } as const;
    faults.add({ ...every, kind: 'slow', delayMs: 15_000 });
    const acts = await Promise.all([
      mira.press(posted, 'Assign to me'),
      mira.choose(menu, 'Done'),
      mira.submit(interactionId, { title: [`${title} anew`] }),
      mira.run('find', { title }),
      mira.run('my-tasks'),
    ]);
    expect(acts.map(({ error }) => error)).toEqual(Array(5).fill(undefined));
    expect(faults.waitingNow).toBe(faults.list()[0]?.hits);
    faults.clear();
    faults.add({ ...every, ...fault });
    faults.release();
    return eventually(async () => {
      const all = await mira.everything();
      const answers = all.filter(({ id }) => id === menu.id || !before.has(id));
      const isOver = answers.every(({ flags, content }) => !(flags & THINKING) && content !== menu.content);
      return isOver && answers.map(({ content }) => content).sort();
    });
  }

  test('while Notion is down', async () => {
    const silent = /^Notion does not answer\. Try again in a minute\. Reference: \d+$/;
    const [unconfirmed, ...others] = await doEverything('In the dark', { kind: 'fail', delayMs: 0 });
    expect(unconfirmed).toMatch(/^Notion did not confirm the task\. .* Reference: \d+$/);
    expect(others).toEqual(Array(4).fill(expect.stringMatching(silent)));
  });

  test('while Notion has blocked the connection', async () => {
    const blocked = {
      kind: 'fail',
      status: 429,
      retryAfterSeconds: 1,
      limitReason: 'public_api_request_blocked',
      delayMs: 0,
    } as const;
    const sentence =
      'Notion takes no calls of this connection at the moment. Nothing was changed. Try again in a few hours.';
    expect(await doEverything('Blocked', blocked)).toEqual(Array(5).fill(expect.stringContaining(sentence)));
  });

  test('while Notion takes four seconds for every call', async () => {
    const wanted = [
      /^Created /,
      /^No open task |^Your /,
      /^Pages with /,
      /is now Done\.$/,
      /is now assigned to you\.$/,
    ];
    const answers = await doEverything('Slow', { kind: 'slow', delayMs: 4000 });
    expect(wanted.filter((each) => !answers.some((answer) => each.test(answer)))).toEqual([]);
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
  expect((await press(`new-task:${own}:${draft}`)).data.content).toMatch(
    /^What you wrote is no longer available/,
  );
  // The custom id pairs the page with a database of the caller's own; Notion itself does not show the page to this
  // account.
  const answer = await press(`assign:${page}:${own}`);
  expect(answer).toEqual({ type: 5, data: { flags: 64 } });
  await story.idle();
  expect((await story.row('Not theirs'))?.['Assignee']).toEqual(['Jonas Brandt']);
});

test('malformed ids in a custom id get a sentence', async () => {
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
    expect(answer.data.content).toMatch(/^This button no longer works/);
  }
});

test('a card answers with a sentence when its database has lost the property for people', async () => {
  const posted = await story.card('Nobody at all');
  const edit = { action: 'delete property', property: 'Assignee' };
  await story.product.control('notion', 'POST', '/databases/schema', {
    database: story.connected.board.id,
    edit,
  });
  await mira.press(posted, 'Assign to me');
  expect((await mira.answer()).content).toMatch(
    /^(The database changed in Notion|This database has no property for people)/,
  );
});

test('a card answers with a sentence after its workspace was disconnected, and after its server was', async () => {
  const posted = await story.card('Left behind');
  const press = async () => {
    const member = { user: { id: mira.userId, username: 'mira' } };
    const where = { guild_id: story.connected.guild.id, channel_id: mira.channelId };
    const { custom_id } = controlsOf(posted)[0] ?? {};
    const body = { id: '7700001', type: 3, token: 'x', ...where, member, data: { custom_id } };
    return (await postToDiscordDoor(story.product, JSON.stringify(body))).json();
  };
  for (const what of ['notion/workspace', 'discord/server']) {
    expect((await story.product.call('mira', 'DELETE', `/api/app/${what}`)).status).toBe(200);
    expect((await press()).data.content).toMatch(/^This server is not connected to a Notion workspace/);
  }
});
