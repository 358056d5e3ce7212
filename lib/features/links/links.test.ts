import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { env } from '@/lib/env';
import { startConnectedProduct } from '@/lib/testing/product';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';

const MIRA_NOTION = '5b1f0c3a-1111-4d0e-9a01-000000000101';
const JONAS_NOTION = '5b1f0c3a-1111-4d0e-9a01-000000000102';
const JONAS = { id: '208917000000000102', username: 'jonas_b', global_name: 'Jonas' };
const MIRA = { id: '208917000000000101' };
const INES = { id: '208917000000000201', username: 'ines' };
let story: Awaited<ReturnType<typeof startConnectedProduct>>;

beforeAll(async () => {
  story = await startConnectedProduct();
});
afterAll(() => story.product.stop());
beforeEach(async () => {
  await db().linkRequest.deleteMany();
  await db().accountLink.deleteMany({ where: { discordUserId: { not: '208917000000000101' } } });
  await story.product.call('mira', 'POST', '/api/app/notion/link-installer');
});

type Call = Parameters<typeof story.product.call>;
const call = (method: string, path: string, body?: unknown, key: Call[0] = 'mira') =>
  story.product.call(key, method, `/api/app/${path}`, body);
const links = async () => (await call('GET', 'account-links')).body;
const linkOf = async (discordUserId: string) =>
  (await links()).linkedAccounts.find(
    (each: { discord_user_id: string }) => each.discord_user_id === discordUserId,
  );

/** Runs /notion link-account. Returns what the person is told. */
async function ask(
  user: { id: string; username: string; global_name?: string; avatar?: string },
  nick?: string,
  id: string = randomUUID(),
): Promise<string> {
  const data = { name: 'notion', options: [{ name: 'link-account', type: 1 }] };
  const interaction = { id, type: 2, guild_id: story.guild.id, member: { user, nick }, data };
  const response = await postToDiscordDoor(story.product, JSON.stringify(interaction));
  return (await response.json()).data.content;
}

async function request(user = JONAS): Promise<string> {
  await ask(user);
  return (await links()).pendingRequests.at(-1).id;
}
const approve = (id: string, notionUserId = JONAS_NOTION) =>
  call('POST', `account-links/approve/${id}`, { notionUserId });

describe('asking to be linked', () => {
  test('shows the request to the administrator with the names of the person', async () => {
    expect(await ask(JONAS)).toMatch(/^Your request is waiting/);
    expect((await links()).pendingRequests).toMatchObject([
      { discord_username: 'jonas_b', discord_display_name: 'Jonas', created_at: expect.any(String) },
    ]);
  });

  test('under the name of somebody in Notion suggests nobody', async () => {
    await ask({ ...INES, username: 'mira_c' }, 'Mira Castellan');
    const [{ id, created_at: _, discord_avatar_url: __, ...names }] = (await links()).pendingRequests;
    expect(names).toEqual({ discord_username: 'mira_c', discord_display_name: 'Mira Castellan' });
    expect(id).toEqual(expect.any(String));
  });

  test('again keeps one request, with the newest names', async () => {
    await ask(JONAS);
    await ask(JONAS, 'Jonas from combat');
    expect((await links()).pendingRequests).toMatchObject([{ discord_display_name: 'Jonas from combat' }]);
  });

  test('many times at once keeps one request, and every call is answered', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(INES)));
    expect(answers.every((answer) => answer.startsWith('Your request is waiting'))).toBe(true);
    expect((await links()).pendingRequests).toHaveLength(1);
  });

  test('without a display name shows none', async () => {
    await ask(INES);
    expect((await links()).pendingRequests).toMatchObject([{ discord_display_name: null }]);
  });

  test('when already linked shows to whom, and makes no request', async () => {
    expect(await ask({ id: '208917000000000101', username: 'mira' })).toBe(
      'You are already linked to Mira Castellan in Notion.',
    );
    expect((await links()).pendingRequests).toEqual([]);
  });
});

describe('faces', () => {
  const AVATAR = 'a1b2c3';

  test('of whoever asks and of whoever is linked are shown beside the ids', async () => {
    await ask({ ...JONAS, avatar: AVATAR });
    const [request] = (await links()).pendingRequests;
    const { DISCORD_CDN_URL } = env();
    const picture = `${DISCORD_CDN_URL}/avatars/${JONAS.id}/${AVATAR}.png?size=128`;
    expect(request).toMatchObject({ discord_avatar_url: picture });
    await db().notionUser.updateMany({
      where: { id: JONAS_NOTION },
      data: { avatarUrl: 'https://a.example/j' },
    });
    await approve(request.id);
    expect(await linkOf(JONAS.id)).toMatchObject({
      discord_username: 'jonas_b',
      discord_display_name: 'Jonas',
      discord_avatar_url: picture,
      notion_avatar_url: 'https://a.example/j',
    });
  });

  test('of the account holder are those of the sign-in', async () => {
    await db().account.updateMany({
      where: { discordUserId: MIRA.id },
      data: { picture: 'https://a.example/m' },
    });
    const holder = await db().account.findFirstOrThrow({ where: { discordUserId: MIRA.id } });
    expect(await linkOf(MIRA.id)).toMatchObject({
      discord_username: holder.discordUsername,
      discord_avatar_url: 'https://a.example/m',
    });
  });

  test('that were not kept when somebody was linked are when they ask again', async () => {
    await approve(await request());
    await db().accountLink.updateMany({
      where: { discordUserId: JONAS.id },
      data: { discordUsername: null, discordDisplayName: null, discordAvatar: null },
    });
    expect(await linkOf(JONAS.id)).toMatchObject({ discord_username: null, discord_avatar_url: null });
    await ask({ ...JONAS, avatar: AVATAR });
    expect(await linkOf(JONAS.id)).toMatchObject({ discord_username: 'jonas_b' });
  });
});

describe('a decision', () => {
  test('that approves creates the link and deletes the request', async () => {
    expect(await approve(await request())).toMatchObject({ status: 200 });
    expect(await linkOf(JONAS.id)).toMatchObject({ notion_display_name: 'Jonas Brandt' });
    expect((await links()).pendingRequests).toEqual([]);
  });

  test('that rejects ends the request, and the person may ask again', async () => {
    const id = await request();
    expect(await call('DELETE', `account-links/request/${id}`)).toMatchObject({ status: 200 });
    expect(await linkOf(JONAS.id)).toBeUndefined();
    expect(await call('DELETE', `account-links/request/${id}`)).toMatchObject({ status: 404 });
    expect(await ask(JONAS)).toMatch(/^Your earlier request was declined, and a new one is waiting/);
    expect((await links()).pendingRequests).toHaveLength(1);
    expect((await links()).pendingRequests[0].id).not.toBe(id);
    expect(await approve(id)).toMatchObject({ status: 404 });
    expect(await ask(JONAS)).toMatch(/^Your request is waiting/);
  });

  test('stands when Discord repeats the command that requested the link', async () => {
    await ask(JONAS, undefined, 'came twice');
    await call('DELETE', `account-links/request/${(await links()).pendingRequests[0].id}`);
    expect(await ask(JONAS, undefined, 'came twice')).toMatch(/^Your request is waiting/);
    expect((await links()).pendingRequests).toEqual([]);
  });

  test('for a Notion user of another workspace is refused', async () => {
    const answer = await approve(await request(), '5b1f0c3a-2222-4d0e-9a01-000000000103');
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'notionUserId: This Notion user is not in the connected workspace.' },
    });
  });

  test('for a Notion user who is linked to somebody else is refused, and the request stays', async () => {
    const answer = await approve(await request(), MIRA_NOTION);
    expect(answer).toMatchObject({
      status: 409,
      body: { error: 'This Discord user or this Notion user is already linked.', code: 'conflict' },
    });
    expect((await links()).pendingRequests).toHaveLength(1);
  });

  test('made ten times at once links once', async () => {
    const id = await request();
    const answers = await Promise.all(Array.from({ length: 10 }, () => approve(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
    expect(await db().accountLink.count({ where: { discordUserId: JONAS.id } })).toBe(1);
  });

  test('made both ways at once ends in exactly one of them', async () => {
    const id = await request();
    const [approved, rejected] = await Promise.all([
      approve(id),
      call('DELETE', `account-links/request/${id}`),
    ]);
    expect([approved.status, rejected.status].sort()).toEqual([200, 404]);
    expect(Boolean(await linkOf(JONAS.id))).toBe(approved.status === 200);
  });

  test('that gives one Notion user to two people at once gives it to one', async () => {
    const ids = [await request(JONAS), await request(INES as typeof JONAS)];
    const answers = await Promise.all(ids.map((id) => approve(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('a link', () => {
  test('is removed once', async () => {
    await approve(await request());
    const { id } = await linkOf(JONAS.id);
    expect(await call('DELETE', `account-links/link/${id}`)).toMatchObject({ status: 200 });
    expect(await call('DELETE', `account-links/link/${id}`)).toMatchObject({ status: 404 });
    expect(await linkOf(JONAS.id)).toBeUndefined();
  });

  test('is removed once, however many do so at once', async () => {
    await approve(await request());
    const { id } = await linkOf(JONAS.id);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('DELETE', `account-links/link/${id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  test('of the workspace installer cannot be removed by the administrator', async () => {
    const { id } = await linkOf('208917000000000101');
    expect(await call('DELETE', `account-links/link/${id}`)).toMatchObject({
      status: 403,
      body: { error: 'Workspace installer cannot be unlinked', code: 'forbidden' },
    });
    expect(await linkOf('208917000000000101')).toBeDefined();
  });

  test('of the account holder is removed and made again in the settings', async () => {
    const isLinked = async () => (await call('GET', 'me')).body.user.isLinked;
    expect(await call('DELETE', 'notion/link')).toMatchObject({ status: 200 });
    expect(await isLinked()).toBe(false);
    expect(await call('DELETE', 'notion/link')).toMatchObject({ status: 404 });
    const made = () =>
      db().auditEntry.count({ where: { action: 'link.created', target: '208917000000000101' } });
    const before = await made();
    expect(await call('POST', 'notion/link-installer')).toMatchObject({ status: 200 });
    expect(await call('POST', 'notion/link-installer')).toMatchObject({ status: 200 });
    expect(await isLinked()).toBe(true);
    expect(await made()).toBe(before + 1);
  });

  test('of the account holder, made in the settings, ends their request', async () => {
    await call('DELETE', 'notion/link');
    await ask({ id: '208917000000000101', username: 'somebody' });
    expect((await links()).pendingRequests).toHaveLength(1);
    await call('POST', 'notion/link-installer');
    expect((await links()).pendingRequests).toEqual([]);
  });

  test('of the account holder, made again, keeps its name while Notion lists nobody', async () => {
    const user = await db().notionUser.findFirstOrThrow({ where: { id: MIRA_NOTION } });
    await db().notionUser.deleteMany({ where: { id: MIRA_NOTION } });
    const before = await linkOf(MIRA.id);
    expect(await call('POST', 'notion/link-installer')).toMatchObject({ status: 200 });
    await db().notionUser.create({ data: user });
    expect(before).toMatchObject({ notion_display_name: 'Mira Castellan' });
    expect(await linkOf(MIRA.id)).toEqual(before);
  });

  test('of the installer is refused while their Notion user belongs to somebody else', async () => {
    await call('DELETE', 'notion/link');
    await approve(await request(), MIRA_NOTION);
    expect(await call('POST', 'notion/link-installer')).toMatchObject({ status: 409 });
    expect(await linkOf(JONAS.id)).toMatchObject({ notion_display_name: 'Mira Castellan' });
  });
});

test('only the installer may link without a request', async () => {
  await db().notionWorkspace.updateMany({ data: { installerDiscordUserId: JONAS.id } });
  const answer = await call('POST', 'notion/link-installer');
  await db().notionWorkspace.updateMany({ data: { installerDiscordUserId: '208917000000000101' } });
  expect(answer).toMatchObject({
    status: 403,
    body: { error: 'Run `/notion link-account` in Discord to request linking.' },
  });
});

test('linking without a workspace says what to do first', async () => {
  expect(await call('POST', 'notion/link-installer', undefined, 'vera')).toMatchObject({
    status: 409,
    body: { error: 'Please connect a Notion workspace first.' },
  });
});
