import { beforeEach, describe, expect, test } from 'vitest';
import { ASKED, BOT, CHANNELS, LANTERN_WORKS, testSandbox } from './test-sandbox';

let sandbox: ReturnType<typeof testSandbox>;

beforeEach(() => {
  sandbox = testSandbox();
});

const VIEW = '1024';

describe('before the bot is installed', () => {
  test('it is in no server', async () => {
    expect((await sandbox.api('GET', '/users/@me/guilds')).body).toEqual([]);
    expect((await sandbox.api('GET', `/guilds/${LANTERN_WORKS}`)).body.code).toBe(10004);
    expect((await sandbox.api('GET', `/guilds/${LANTERN_WORKS}/channels`)).body.code).toBe(50001);
    expect((await sandbox.send(CHANNELS.general, { content: 'a' })).body.code).toBe(50001);
  });
});

describe('an installed bot', () => {
  beforeEach(() => sandbox.install());

  test('has a managed role with exactly the granted permissions, even after a second install', async () => {
    await sandbox.install('19456');
    const { body: roles } = await sandbox.api('GET', `/guilds/${LANTERN_WORKS}/roles`);
    const managed = roles.filter((role: { managed: boolean }) => role.managed);
    expect(managed).toMatchObject([{ permissions: '19456', tags: { bot_id: BOT } }]);
    const { body: member } = await sandbox.api('GET', `/guilds/${LANTERN_WORKS}/members/${BOT}`);
    expect(member.roles).toEqual([managed[0].id]);
  });

  test('does not see hidden channels in the list, nor by id', async () => {
    const { body } = await sandbox.api('GET', `/guilds/${LANTERN_WORKS}/channels`);
    const names = body.map((channel: { name: string }) => channel.name);
    expect(names).toContain('tasks');
    expect(names).toContain('Production');
    expect(names).not.toContain('leads');
    expect(names).not.toContain('Leadership');
    const hidden = await sandbox.api('GET', `/channels/${CHANNELS.leads}`);
    expect([hidden.status, hidden.body.code]).toEqual([403, 50001]);
    const unknown = await sandbox.api('GET', '/channels/1101000000000000999');
    expect([unknown.status, unknown.body.code]).toEqual([404, 10003]);
  });

  test.each([
    ['announcements', 403, 50013],
    ['leads', 403, 50001],
    ['ideas', 400, 50008],
  ] as const)('cannot post in %s', async (name, status, code) => {
    const answer = await sandbox.send(CHANNELS[name], { content: 'a' });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('loses its embeds silently where Embed Links is denied', async () => {
    const body = { content: 'a', embeds: [{ title: 'b' }] };
    expect((await sandbox.send(CHANNELS.watercooler, body)).body.embeds).toEqual([]);
    expect((await sandbox.send(CHANNELS.tasks, body)).body.embeds).toHaveLength(1);
  });

  test('replies to what people write, if it may read it', async () => {
    const { body: first } = await sandbox.send(CHANNELS.tasks, { content: 'a' });
    const reply = (message_id: string) =>
      sandbox.send(CHANNELS.tasks, { content: 'b', message_reference: { message_id } });
    expect((await reply(first.id)).body.message_reference.message_id).toBe(first.id);
    const joined = `/channels/${CHANNELS.tasks}/join-message`;
    const { body: own } = await sandbox.control('POST', joined, { person: 'jonas' });
    const refused = await reply(own.id);
    expect([refused.status, refused.body.code]).toEqual([400, 50035]);
    expect(refused.body.errors.message_reference._errors[0].code).toBe(
      'REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE',
    );
    const history = String(1n << 16n);
    await sandbox.control('PUT', `/channels/${CHANNELS.tasks}/overwrite`, { deny: history });
    const blind = await reply(first.id);
    expect([blind.status, blind.body.code]).toEqual([403, 160002]);
    expect((await sandbox.send(CHANNELS.tasks, { content: 'c' })).status).toBe(200);
  });

  test('a member overwrite wins over roles', async () => {
    await sandbox.control('PUT', `/channels/${CHANNELS.leads}/overwrite`, { allow: VIEW });
    expect((await sandbox.api('GET', `/channels/${CHANNELS.leads}`)).status).toBe(200);
    await sandbox.control('PUT', `/channels/${CHANNELS.tasks}/overwrite`, { deny: VIEW });
    expect((await sandbox.send(CHANNELS.tasks, { content: 'a' })).body.code).toBe(50001);
  });

  test('without Send Messages, Embed Links is void too', async () => {
    const { body } = await sandbox.control('PUT', `/channels/${CHANNELS.tasks}/overwrite`, { deny: '2048' });
    expect(BigInt(body.botPermissions) & (1n << 14n)).toBe(0n);
    expect(BigInt(body.botPermissions) & (1n << 10n)).not.toBe(0n);
  });

  test('edits and deletes its own messages, not those of others', async () => {
    const { body: mine } = await sandbox.send(CHANNELS.general, { content: 'a' });
    const path = `/channels/${CHANNELS.general}/messages`;
    const edited = await sandbox.api('PATCH', `${path}/${mine.id}`, { body: { content: 'b' } });
    expect(edited.body).toMatchObject({ content: 'b', edited_timestamp: expect.any(String) });
    const { body: all } = await sandbox.api('GET', `${path}?limit=2`);
    expect(all.map((each: { content: string }) => each.content)[0]).toBe('b');
    expect((await sandbox.api('PATCH', `${path}/${all[1].id}`, { body: { content: 'c' } })).body.code).toBe(
      50005,
    );
    expect((await sandbox.api('DELETE', `${path}/${all[1].id}`)).body.code).toBe(50013);
    expect((await sandbox.api('DELETE', `${path}/${mine.id}`)).status).toBe(204);
    expect((await sandbox.api('PATCH', `${path}/${mine.id}`, { body: { content: 'd' } })).body.code).toBe(
      10008,
    );
  });

  test('can leave, and is then out', async () => {
    expect((await sandbox.api('DELETE', `/users/@me/guilds/${LANTERN_WORKS}`)).status).toBe(204);
    expect((await sandbox.api('GET', '/users/@me/guilds')).body).toEqual([]);
    expect((await sandbox.api('DELETE', `/users/@me/guilds/${LANTERN_WORKS}`)).body.code).toBe(10004);
  });

  test('starts from scratch after a reset', async () => {
    sandbox.context.store.reset();
    expect((await sandbox.api('GET', '/users/@me/guilds')).body).toEqual([]);
    await sandbox.install(ASKED);
    expect((await sandbox.send(CHANNELS.tasks, { content: 'a' })).status).toBe(200);
  });

  test('opens one direct message per person', async () => {
    const open = () =>
      sandbox.api('POST', '/users/@me/channels', { body: { recipient_id: '208917000000000102' } });
    const { body: first } = await open();
    expect((await open()).body.id).toBe(first.id);
    expect((await sandbox.send(first.id, { content: 'Due tomorrow' })).status).toBe(200);
    const stranger = await sandbox.api('POST', '/users/@me/channels', {
      body: { recipient_id: '208917000000000103' },
    });
    expect((await sandbox.send(stranger.body.id, { content: 'a' })).body.code).toBe(50278);
  });
});

test('a thread that a person started can be brought back by the bot, but not changed', async () => {
  await sandbox.install();
  const { body } = await sandbox.control('POST', `/channels/${CHANNELS.tasks}/threads`, { name: 'Plans' });
  const change = (given: object) => sandbox.api('PATCH', `/channels/${body.id}`, { body: given });
  expect((await change({ name: 'Ours' })).body.code).toBe(50013);
  expect((await change({ archived: true })).body.code).toBe(50013);
  await sandbox.control('PATCH', `/threads/${body.id}`, { isArchived: true });
  expect((await change({ archived: false })).body.thread_metadata.archived).toBe(false);
});

describe('a forum', () => {
  beforeEach(() => sandbox.install());

  const forum = `/channels/${CHANNELS.ideas}`;
  const message = { content: 'a' };
  const post = (body: object) => sandbox.api('POST', `${forum}/threads`, { body });

  test.each([
    ['no message', { name: 'a' }, 400, 50035],
    ['an empty message', { name: 'a', message: {} }, 400, 50006],
    ['a name that is too long', { name: 'a'.repeat(101), message }, 400, 50035],
    ['six tags', { name: 'a', message, applied_tags: Array(6).fill('1101000000000000501') }, 400, 50035],
    ['an unknown tag', { name: 'a', message, applied_tags: ['1101000000000000599'] }, 404, 10087],
    ['flags of layouts', { name: 'a', message: { ...message, flags: (1 << 2) | (1 << 6) } }, 400, 50035],
  ])('refuses a post with %s', async (_, body, status, code) => {
    const answer = await post(body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('takes a post, whose first message has its id, and no second one for a nonce', async () => {
    const body = { name: 'a', message: { ...message, nonce: 'n', enforce_nonce: true } };
    const { status, body: made } = await post({ ...body, applied_tags: ['1101000000000000501'] });
    expect([status, made.type, made.message.id]).toEqual([201, 11, made.id]);
    expect(made.applied_tags).toEqual(['1101000000000000501']);
    expect((await post(body)).body.id).not.toBe(made.id);
    await sandbox.api('PATCH', `/channels/${made.id}`, { body: { archived: true } });
    const { body: archived } = await sandbox.api('GET', `${forum}/threads/archived/public`);
    expect(archived.threads.map(({ id }: { id: string }) => id)).toEqual([made.id]);
    const edit = await sandbox.api('PATCH', `/channels/${made.id}/messages/${made.id}`, {
      body: { content: 'b' },
    });
    expect(edit.body.code).toBe(50083);
    const change = (given: object) => sandbox.api('PATCH', `/channels/${made.id}`, { body: given });
    expect((await change({ applied_tags: [] })).body.code).toBe(50083);
    expect((await change({ applied_tags: [], archived: false })).body.thread_metadata.archived).toBe(false);
  });

  test('may require a tag, and keep some for moderators', async () => {
    await sandbox.control('PUT', `${forum}/forum`, {
      tags: [{ name: 'b', moderated: true }],
      requiresTag: true,
    });
    expect((await post({ name: 'a', message })).body.code).toBe(40066);
    const { body } = await sandbox.api('GET', forum);
    expect([body.flags, body.available_tags[0].moderated]).toEqual([1 << 4, true]);
    const moderated = await post({ name: 'a', message, applied_tags: [body.available_tags[0].id] });
    expect(moderated.body.code).toBe(50013);
    await sandbox.control('PUT', `${forum}/forum`, { tags: [{ name: 'b' }], requiresTag: true });
    expect((await post({ name: 'a', message })).body.code).toBe(40067);
    const { available_tags: tags } = (await sandbox.api('GET', forum)).body;
    const { body: made } = await post({ name: 'a', message, applied_tags: [tags[0].id] });
    const change = (given: object) => sandbox.api('PATCH', `/channels/${made.id}`, { body: given });
    expect((await change({ applied_tags: [] })).body.code).toBe(40067);
    expect((await change({ archived: true })).body.applied_tags).toEqual([tags[0].id]);
  });
});
