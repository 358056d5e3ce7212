import { beforeEach, describe, expect, test } from 'vitest';
import { BOT, CHANNELS, JONAS, LANTERN_WORKS, MIRA, testSandbox } from './test-sandbox';

let sandbox: ReturnType<typeof testSandbox>;

beforeEach(async () => {
  sandbox = testSandbox();
  await sandbox.install();
});

const card = (embed: object) => ({ embeds: [{ title: 'A task', ...embed }] });
const button = (customId: string) => ({ type: 2, style: 1, label: 'Go', custom_id: customId });
const long = (length: number) => 'x'.repeat(length);

describe('the headers of a call', () => {
  test.each([
    ['no token', { authorization: undefined }, 401, 0],
    ['a wrong token', { authorization: 'Bot other' }, 401, 0],
    ['no Bot prefix', { authorization: 'bot-token' }, 401, 0],
    ['no user agent', { 'user-agent': undefined }, 403, 40333],
    ['a browser as user agent', { 'user-agent': 'Mozilla/5.0' }, 403, 40333],
    ['a form instead of JSON', { 'content-type': 'application/x-www-form-urlencoded' }, 400, 50035],
  ])('%s is refused', async (_name, headers, status, code) => {
    const path = `/channels/${CHANNELS.general}/messages`;
    const answer = await sandbox.api('POST', path, { body: { content: 'hi' }, headers });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test.each(['/api/users/@me', '/api/v9/users/@me'])('%s is refused for its version', async (path) => {
    const response = await sandbox.app.request(path);
    expect([response.status, await response.json()]).toMatchObject([400, { code: 50041 }]);
  });
});

describe('a message body', () => {
  test.each([
    ['content of 2,001 characters', { content: long(2001) }, 'content', 'BASE_TYPE_MAX_LENGTH'],
    ['a title of 257', card({ title: long(257) }), 'embeds.0.title', 'BASE_TYPE_MAX_LENGTH'],
    [
      'a description of 4,097',
      card({ description: long(4097) }),
      'embeds.0.description',
      'BASE_TYPE_MAX_LENGTH',
    ],
    [
      'a field without value',
      card({ fields: [{ name: 'a', value: ' ' }] }),
      'embeds.0.fields.0.value',
      'BASE_TYPE_REQUIRED',
    ],
    [
      '26 fields',
      card({ fields: Array(26).fill({ name: 'a', value: 'b' }) }),
      'embeds.0.fields',
      'BASE_TYPE_MAX_LENGTH',
    ],
    [
      '6,001 characters in all',
      { embeds: [{ description: long(4000) }, { description: long(2001) }] },
      'embeds',
      'MAX_EMBED_SIZE_EXCEEDED',
    ],
    ['a colour that is too large', card({ color: 0x1000000 }), 'embeds.0.color', 'NUMBER_TYPE_MAX'],
    [
      'a url of another scheme',
      card({ url: 'javascript:alert(1)' }),
      'embeds.0.url',
      'URL_TYPE_INVALID_SCHEME',
    ],
    ['an invalid timestamp', card({ timestamp: 'soon' }), 'embeds.0.timestamp', 'DATE_TIME_TYPE_PARSE'],
    ['a nonce of 26', { content: 'a', nonce: long(26) }, 'nonce', 'BASE_TYPE_MAX_LENGTH'],
    [
      'users parsed and listed',
      { content: 'a', allowed_mentions: { parse: ['users'], users: [MIRA] } },
      'allowed_mentions',
      'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
    ],
    [
      'the same custom id twice',
      { content: 'a', components: [{ type: 1, components: [button('a'), button('a')] }] },
      'components.0.components.1.custom_id',
      'COMPONENT_CUSTOM_ID_DUPLICATED',
    ],
    [
      'six buttons in a row',
      { content: 'a', components: [{ type: 1, components: ['a', 'b', 'c', 'd', 'e', 'f'].map(button) }] },
      'components.0.components',
      'BASE_TYPE_MAX_LENGTH',
    ],
    [
      'embeds beside V2 components',
      { ...card({}), flags: 1 << 15 },
      'embeds',
      'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    ],
  ])('with %s is refused at that field', async (_name, body, path, code) => {
    const answer = await sandbox.send(CHANNELS.general, body);
    const at = path.split('.').reduce((errors, key) => errors?.[key], answer.body.errors);
    expect([answer.status, answer.body.code, at?._errors[0].code]).toEqual([400, 50035, code]);
  });

  test.each([[{}], [{ content: '  ' }], [{ embeds: [{}] }], [{ components: [] }]])(
    '%j is an empty message',
    async (body) => {
      expect((await sandbox.send(CHANNELS.general, body)).body.code).toBe(50006);
    },
  );

  test('at the limits is accepted', async () => {
    const body = {
      content: long(2000),
      ...card({ title: long(256), fields: Array(25).fill({ name: 'a', value: 'b' }) }),
    };
    expect((await sandbox.send(CHANNELS.general, body)).status).toBe(200);
  });
});

describe('a nonce', () => {
  test('enforced twice returns the first message; after some minutes it is forgotten', async () => {
    const body = { content: 'once', nonce: 'n-1', enforce_nonce: true };
    const first = await sandbox.send(CHANNELS.tasks, body);
    const second = await sandbox.send(CHANNELS.tasks, { ...body, content: 'again' });
    expect(second.body).toMatchObject({ id: first.body.id, content: 'once' });
    sandbox.advance(10 * 60_000);
    expect((await sandbox.send(CHANNELS.tasks, body)).body.id).not.toBe(first.body.id);
  });

  test('is returned to its author only, in the response', async () => {
    const { body } = await sandbox.send(CHANNELS.tasks, { content: 'a', nonce: 'n-1' });
    expect(body.nonce).toBe('n-1');
    const path = `/channels/${CHANNELS.tasks}/messages`;
    expect((await sandbox.api('GET', `${path}/${body.id}`)).body).not.toHaveProperty('nonce');
    expect((await sandbox.api('GET', path)).body[0]).not.toHaveProperty('nonce');
  });

  test('enforced again after its message was deleted makes no message', async () => {
    const body = { content: 'once', nonce: 'n-1', enforce_nonce: true };
    const first = await sandbox.send(CHANNELS.tasks, body);
    await sandbox.api('DELETE', `/channels/${CHANNELS.tasks}/messages/${first.body.id}`);
    const second = await sandbox.send(CHANNELS.tasks, body);
    expect([second.status, second.body.code]).toEqual([404, 10008]);
  });

  test('that is not enforced changes nothing', async () => {
    const first = await sandbox.send(CHANNELS.tasks, { content: 'a', nonce: 'n-1' });
    expect((await sandbox.send(CHANNELS.tasks, { content: 'a', nonce: 'n-1' })).body.id).not.toBe(
      first.body.id,
    );
  });
});

test('a person’s message arrives without its content, unless it mentions the bot or is a direct message', async () => {
  const say = (channelId: string, content: string) =>
    sandbox.page('say', { person: 'mira', channelId, content });
  const read = async (channel: string) => {
    const { body } = await sandbox.api('GET', `/channels/${channel}/messages?limit=1`);
    const { body: same } = await sandbox.api('GET', `/channels/${channel}/messages/${body[0].id}`);
    expect(same).toEqual(body[0]);
    return body[0].content;
  };
  await say(CHANNELS.general, 'Between us');
  expect(await read(CHANNELS.general)).toBe('');
  await say(CHANNELS.general, `<@${BOT}> look`);
  expect(await read(CHANNELS.general)).toBe(`<@${BOT}> look`);
  const { body: direct } = await sandbox.api('POST', '/users/@me/channels', { body: { recipient_id: MIRA } });
  await say(direct.id, 'Hello');
  expect(await read(direct.id)).toBe('Hello');
});

describe('rate limits', () => {
  test('the sixth message within five seconds is refused, another channel is not', async () => {
    for (let sent = 0; sent < 5; sent += 1) await sandbox.send(CHANNELS.tasks, { content: 'a' });
    const { status, headers, body } = await sandbox.send(CHANNELS.tasks, { content: 'a' });
    expect(status).toBe(429);
    expect(body).toMatchObject({ message: 'You are being rate limited.', global: false });
    expect(body.retry_after).toBeGreaterThan(0);
    expect(headers.get('x-ratelimit-limit')).toBe('5');
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect(headers.get('x-ratelimit-scope')).toBe('user');
    expect(Number(headers.get('retry-after'))).toBe(Math.ceil(body.retry_after));
    const { body: books } = await sandbox.control('GET', '/calls');
    expect(books).toMatchObject({ rateLimited: 1, calls: { 'POST /channels/:id/messages': 6 } });
    expect((await sandbox.send(CHANNELS.general, { content: 'a' })).status).toBe(200);
  });

  test('the fourth edit of a channel’s old messages within six seconds is refused, and no header shows it', async () => {
    const { body } = await sandbox.send(CHANNELS.tasks, { content: 'a' });
    const edit = () =>
      sandbox.api('PATCH', `/channels/${CHANNELS.tasks}/messages/${body.id}`, { body: { content: 'b' } });
    expect((await edit()).status).toBe(200);
    await sandbox.control('POST', `/channels/${CHANNELS.tasks}/age`, { minutes: 61 });
    for (let sent = 0; sent < 3; sent += 1) expect((await edit()).status).toBe(200);
    const refused = await edit();
    expect([refused.status, refused.body.code, refused.body.global]).toEqual([429, 30046, false]);
    expect(refused.body.retry_after).toBeGreaterThan(0);
    expect(refused.headers.get('x-ratelimit-remaining')).toBeNull();
    expect((await sandbox.send(CHANNELS.tasks, { content: 'c' })).status).toBe(200);
  });

  test('a reset forgets them, and a switch turns them off', async () => {
    for (let sent = 0; sent < 6; sent += 1) await sandbox.send(CHANNELS.tasks, { content: 'a' });
    sandbox.context.store.reset();
    await sandbox.install();
    await sandbox.control('PUT', '/limits', { limits: 'off' });
    for (let sent = 0; sent < 7; sent += 1) {
      expect((await sandbox.send(CHANNELS.tasks, { content: 'a' })).status).toBe(200);
    }
  });

  test('the fifty-first call of a second is refused globally', async () => {
    const paths = ['/users/@me', '/users/@me/guilds', `/guilds/${LANTERN_WORKS}`];
    const calls = Array.from({ length: 60 }, (_, index) => sandbox.api('GET', paths[index % 3] ?? ''));
    const refused = (await Promise.all(calls)).find(({ status }) => status === 429);
    expect(refused?.headers.get('x-ratelimit-global')).toBe('true');
    expect(refused?.body.global).toBe(true);
  });
});

describe('mentions', () => {
  const pingsOf = async (body: object) => {
    await sandbox.send(CHANNELS.tasks, body);
    const { body: seen } = await sandbox.control('GET', `/channels/${CHANNELS.tasks}/messages`);
    return seen.messages.at(-1).pings;
  };
  const nobody = { users: [], roles: [], everyone: false };

  test('notify only those that allowed_mentions permits', async () => {
    const content = `<@${MIRA}> and <@${JONAS}> and @everyone`;
    expect(await pingsOf({ content, allowed_mentions: { parse: [], users: [MIRA] } })).toEqual({
      ...nobody,
      users: [MIRA],
    });
    expect(await pingsOf({ content, allowed_mentions: { parse: [] } })).toEqual(nobody);
    expect(await pingsOf({ content })).toEqual({ ...nobody, users: [MIRA, JONAS] });
  });

  test('in embeds and in code notify nobody', async () => {
    expect(await pingsOf(card({ description: `<@${MIRA}>` }))).toEqual(nobody);
    expect(await pingsOf({ content: `\`<@${MIRA}>\`` })).toEqual(nobody);
  });
});

describe('faults', () => {
  test('fail answers with Discord’s body and does nothing; it is used up', async () => {
    const fault = {
      target: 'discord',
      kind: 'fail',
      match: 'POST .*/messages',
      times: 1,
      status: 503,
      delayMs: 0,
    } as const;
    sandbox.context.faults.add(fault);
    const answer = await sandbox.send(CHANNELS.tasks, { content: 'a' });
    expect([answer.status, answer.body.code]).toEqual([503, 0]);
    expect((await sandbox.send(CHANNELS.tasks, { content: 'b' })).status).toBe(200);
    const { body } = await sandbox.control('GET', `/channels/${CHANNELS.tasks}/messages`);
    expect(body.messages).toHaveLength(1);
  });
});
