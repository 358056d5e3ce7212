import { type KeyObject, verify } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { APPLICATION, CHANNELS, JONAS, LANTERN_WORKS, MIRA, testSandbox } from '../test-sandbox';

type Interaction = Record<string, never> & { id: string; token: string; type: number };
type Answer = (interaction: Interaction) => object | null;

let sandbox: ReturnType<typeof testSandbox>;
let received: Interaction[];
let answer: Answer;
let key: KeyObject;
let stop: () => void;

beforeEach(async () => {
  received = [];
  const application = new Hono().post('*', async (c) => {
    const raw = await c.req.text();
    const signed = Buffer.from(`${c.req.header('x-signature-timestamp')}${raw}`);
    const signature = Buffer.from(c.req.header('x-signature-ed25519') ?? '', 'hex');
    if (!verify(null, signed, key, signature)) return c.text('', 401);
    const interaction = JSON.parse(raw);
    received.push(interaction);
    if (c.req.path.endsWith('/events')) return c.body(null, 204);
    const reply = answer(interaction);
    return reply ? c.json(reply) : c.body(null, 202);
  });
  const port = await new Promise<number>((resolve) => {
    const server = serve({ fetch: application.fetch, port: 0, hostname: '127.0.0.1' }, (info: AddressInfo) =>
      resolve(info.port),
    );
    stop = () => server.close();
  });
  sandbox = testSandbox(`http://127.0.0.1:${port}`);
  key = sandbox.publicKey;
  await sandbox.install();
  const body = [
    {
      name: 'notion',
      description: 'Notion',
      options: [
        { type: 1, name: 'help', description: 'Help' },
        {
          type: 1,
          name: 'find',
          description: 'Find',
          options: [{ type: 3, name: 'title', description: 'Title', required: true, autocomplete: true }],
        },
      ],
    },
    { name: 'Create Notion task', type: 3 },
  ];
  await sandbox.api('PUT', `/applications/${APPLICATION}/commands`, { body });
});

afterEach(() => stop());

const run = (label: string, more: object = {}) =>
  sandbox.page('command', { person: 'jonas', channelId: CHANNELS.tasks, label, ...more });
const webhook = (method: string, path: string, body?: object) =>
  sandbox.api(method, `/webhooks/${APPLICATION}/${received.at(-1)?.token}${path}`, {
    ...(body && { body }),
    headers: { authorization: undefined },
  });
const lastMessage = async () => {
  const { body } = await sandbox.control('GET', `/channels/${CHANNELS.tasks}/messages`);
  return body.messages.at(-1);
};
const ephemeral = { type: 4, data: { content: 'Hello', flags: 64 } };

describe('a slash command', () => {
  test('arrives with the person, the channel and the subcommand, and its reply is shown', async () => {
    answer = () => ephemeral;
    expect((await run('notion find', { values: { title: 'lantern' } })).body).toEqual({});
    expect(received[0]).toMatchObject({
      type: 2,
      application_id: APPLICATION,
      guild_id: LANTERN_WORKS,
      channel: { id: CHANNELS.tasks, name: 'tasks' },
      member: { user: { id: JONAS }, permissions: expect.any(String) },
      app_permissions: expect.any(String),
      locale: 'en-GB',
      context: 0,
      authorizing_integration_owners: { 0: LANTERN_WORKS },
      data: {
        name: 'notion',
        options: [{ name: 'find', type: 1, options: [{ name: 'title', value: 'lantern' }] }],
      },
    });
    expect(received[0]).not.toHaveProperty('user');
    expect(await lastMessage()).toMatchObject({ content: 'Hello', ephemeralFor: JONAS });
    const { body: open } = await sandbox.api('GET', `/channels/${CHANNELS.tasks}/messages`);
    expect(open).toEqual([]);
  });

  test('asks for suggestions', async () => {
    answer = () => ({ type: 8, data: { choices: [{ name: 'Lantern', value: 'p1' }] } });
    const { body } = await run('notion find', { values: { title: 'lan' }, focused: 'title' });
    expect(body).toEqual({ choices: [{ name: 'Lantern', value: 'p1' }] });
    expect(received[0]).toMatchObject({
      type: 4,
      data: { options: [{ options: [{ value: 'lan', focused: true }] }] },
    });
  });

  test('deferred, is answered through the webhook until its token expires', async () => {
    answer = () => ({ type: 5, data: { flags: 64 } });
    await run('notion help');
    expect((await lastMessage()).flags & 128).toBe(128);
    const done = await webhook('PATCH', '/messages/@original', { content: 'Done' });
    expect([done.status, done.body.flags & 128]).toEqual([200, 0]);
    expect((await webhook('POST', '', { content: 'More', flags: 64 })).status).toBe(200);
    expect(await lastMessage()).toMatchObject({ content: 'More', ephemeralFor: JONAS });
    sandbox.advance(16 * 60_000);
    const late = await webhook('PATCH', '/messages/@original', { content: 'Late' });
    expect([late.status, late.body.code]).toEqual([401, 50027]);
  });

  test('answered by callback cannot be answered again', async () => {
    answer = ({ id, token }) => {
      void sandbox.api('POST', `/interactions/${id}/${token}/callback`, { body: ephemeral });
      return null;
    };
    expect((await run('notion help')).body).toEqual({});
    const { id, token } = received[0] ?? { id: '', token: '' };
    const again = await sandbox.api('POST', `/interactions/${id}/${token}/callback`, { body: ephemeral });
    expect(again.body.code).toBe(40060);
  });

  test('without a response within three seconds has failed for good', async () => {
    answer = () => null;
    expect((await run('notion help')).body.error).toBe('The application did not respond');
    const { id, token } = received[0] ?? { id: '', token: '' };
    const late = await sandbox.api('POST', `/interactions/${id}/${token}/callback`, { body: ephemeral });
    expect(late.body.code).toBe(10062);
  }, 8000);

  test.each([
    ['a response of the wrong type', { type: 7, data: { content: 'a' } }],
    ['an empty message', { type: 4, data: {} }],
    [
      'a modal with a text that is longer than its field takes',
      {
        type: 9,
        data: {
          custom_id: 'a',
          title: 'A',
          components: [
            {
              type: 18,
              label: 'A',
              component: { type: 4, custom_id: 'b', style: 1, max_length: 3, value: 'four' },
            },
          ],
        },
      },
    ],
    ['a modal without title', { type: 9, data: { custom_id: 'a', components: [] } }],
  ])('%s counts as no response', async (_name, reply) => {
    answer = () => reply;
    const { body } = await run('notion help');
    expect(body).toMatchObject({ error: 'The application did not respond', problem: expect.any(String) });
  });
});

describe('a modal', () => {
  test('opened from a message is filled in and submitted', async () => {
    const title = { type: 18, label: 'Title', component: { type: 4, custom_id: 'title', style: 1 } };
    const who = { type: 18, label: 'Who', component: { type: 5, custom_id: 'who', required: false } };
    answer = ({ type }) =>
      type === 2
        ? { type: 9, data: { custom_id: 'task', title: 'New task', components: [title, who] } }
        : ephemeral;
    const { body: sent } = await sandbox.send(CHANNELS.tasks, { content: 'Fix it' });
    const use = { person: 'mira', channelId: CHANNELS.tasks, name: 'Create Notion task', targetId: sent.id };
    const { body } = await sandbox.page('message-command', use);
    expect(received[0]).toMatchObject({
      data: { target_id: sent.id, resolved: { messages: { [sent.id]: { id: sent.id } } } },
    });
    expect(body.modal).toContain('New task');
    const submission = { person: 'mira', interactionId: body.interactionId };
    expect((await sandbox.page('modal', { ...submission, values: {} })).status).toBe(400);
    const nobody = { title: ['A'], who: ['208917000000099999'] };
    expect((await sandbox.page('modal', { ...submission, values: nobody })).status).toBe(400);
    await sandbox.page('modal', { ...submission, values: { title: ['A'], who: [JONAS] } });
    expect(received[1]).toMatchObject({
      type: 5,
      data: {
        custom_id: 'task',
        components: [
          { type: 18, component: { type: 4, custom_id: 'title', value: 'A' } },
          { type: 18, component: { type: 5, custom_id: 'who', values: [JONAS] } },
        ],
        resolved: { users: { [JONAS]: { id: JONAS } } },
      },
    });
  });
});

describe('a menu in a modal', () => {
  const user = (id: string) => ({ id, type: 'user' });
  test.each([
    ['is required and may stay empty', { min_values: 0 }],
    ['has more default values than it takes', { default_values: [user(JONAS), user(MIRA)] }],
    ['has default values of another kind', { default_values: [{ id: JONAS, type: 'role' }] }],
  ])('is refused if it %s', async (_, menu) => {
    const component = { type: 5, custom_id: 'who', ...menu };
    const components = [{ type: 18, label: 'Who', component }];
    answer = () => ({ type: 9, data: { custom_id: 'task', title: 'New task', components } });
    expect((await run('notion help')).body).toMatchObject({ problem: expect.stringContaining('50035') });
  });
});

describe('a button', () => {
  const components = [
    { type: 1, components: [{ type: 2, style: 1, label: 'Assign to me', custom_id: 'assign' }] },
  ];
  const press = async () => {
    const { body } = await sandbox.send(CHANNELS.tasks, { content: 'A task', components });
    return sandbox.page('component', {
      person: 'mira',
      channelId: CHANNELS.tasks,
      messageId: body.id,
      customId: 'assign',
    });
  };

  test('sends its message, and the response may edit it in place', async () => {
    answer = () => ({ type: 7, data: { content: 'Mira has it', components: [] } });
    expect((await press()).body).toEqual({});
    expect(received[0]).toMatchObject({
      type: 3,
      message: { content: 'A task' },
      member: { user: { id: MIRA } },
    });
    expect(await lastMessage()).toMatchObject({ content: 'Mira has it', components: [], edits: 1 });
  });

  test('may be left as it is for now, by a response with only a type', async () => {
    answer = () => ({ type: 6 });
    expect((await press()).body).toEqual({});
    expect(await lastMessage()).toMatchObject({ content: 'A task', edits: 0 });
  });

  test('is lost or arrives twice when a fault says so', async () => {
    answer = () => ({ type: 6 });
    const fault = { target: 'interaction', times: 1, status: 500, delayMs: 0 } as const;
    sandbox.context.faults.add({ ...fault, kind: 'drop' });
    expect((await press()).body.error).toBe('The application did not respond');
    expect(received).toHaveLength(0);
    sandbox.context.faults.add({ ...fault, kind: 'duplicate' });
    await press();
    await expect.poll(() => received.length).toBe(2);
    expect(received[0]?.id).toBe(received[1]?.id);
  });
});

describe('a menu', () => {
  const options = ['a', 'b', 'c'].map((value) => ({ label: value, value }));
  const menus = [
    { type: 3, custom_id: 'status', options, max_values: 2 },
    { type: 5, custom_id: 'who' },
  ];
  const choose = async (customId: string, values: string[]) => {
    const components = menus.map((menu) => ({ type: 1, components: [menu] }));
    const { body } = await sandbox.send(CHANNELS.tasks, { content: 'A task', components });
    const use = { person: 'mira', channelId: CHANNELS.tasks, messageId: body.id, customId, values };
    return sandbox.page('component', use);
  };

  test('sends what was chosen, and describes people', async () => {
    answer = () => ({ type: 6 });
    expect((await choose('status', ['a', 'c'])).body).toEqual({});
    expect(received[0]).toMatchObject({ data: { component_type: 3, values: ['a', 'c'] } });
    expect((await choose('who', [JONAS])).body).toEqual({});
    expect(received[1]).toMatchObject({
      data: { component_type: 5, values: [JONAS], resolved: { users: { [JONAS]: { id: JONAS } } } },
    });
  });

  test.each([
    ['nothing', 'status', []],
    ['too much', 'status', ['a', 'b', 'c']],
    ['a value that it lacks', 'status', ['d']],
    ['somebody who does not exist', 'who', ['208917000000099999']],
  ])('lets nobody choose %s', async (_what, customId, values) => {
    answer = () => ({ type: 6 });
    expect((await choose(customId, values)).status).toBe(400);
    expect(received).toHaveLength(0);
  });
});

test('a webhook event is signed and names the person', async () => {
  expect((await sandbox.control('POST', '/deauthorize', { person: 'mira' })).body).toEqual({ status: 204 });
  expect(received[0]).toMatchObject({
    type: 1,
    event: { type: 'APPLICATION_DEAUTHORIZED', data: { user: { id: MIRA } } },
  });
});

test('a connection that is dropped after the work leaves the message behind', async () => {
  const server = serve({ fetch: sandbox.app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  sandbox.context.faults.add({ target: 'discord', kind: 'hangup', times: 1, status: 500, delayMs: 0 });
  const call = fetch(`http://127.0.0.1:${port}/api/v10/channels/${CHANNELS.tasks}/messages`, {
    method: 'POST',
    headers: {
      authorization: 'Bot bot-token',
      'user-agent': 'DiscordBot (https://pagewire.example, 1.0)',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ content: 'Sent all the same' }),
  });
  await expect(call).rejects.toThrow();
  expect(await lastMessage()).toMatchObject({ content: 'Sent all the same' });
  server.close();
});
