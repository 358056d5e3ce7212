import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConnectedProduct } from '@/lib/testing/product';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';
import { COMMAND_MANIFEST } from './commands';

const PING = JSON.stringify({ id: '1', type: 1 });
const JONAS = { id: '208917000000000102', username: 'jonas_b', global_name: 'Jonas' };
let story: Awaited<ReturnType<typeof startConnectedProduct>>;

beforeAll(async () => {
  story = await startConnectedProduct();
});
afterAll(() => story.product.stop());

const post = (...rest: Parameters<typeof postToDiscordDoor> extends [unknown, ...infer R] ? R : never) =>
  postToDiscordDoor(story.product, ...rest);
const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds);

/** The reply to a subcommand of /notion, called as a member of a server. */
async function run(subcommand: string, changes: Record<string, unknown> = {}) {
  const options = [{ name: subcommand, type: 1 }];
  const interaction = {
    id: '77',
    type: 2,
    guild_id: story.guild.id,
    member: { user: JONAS },
    data: { name: 'notion', options },
    ...changes,
  };
  const response = await post(JSON.stringify(interaction));
  expect(response.status).toBe(200);
  return (await response.json()) as {
    type: number;
    data: { content: string; flags: number; allowed_mentions: object };
  };
}

describe('the door for Discord', () => {
  test.each([PING, '{"type":1}'])('answers the signed ping %s with a pong', async (ping) => {
    const response = await post(ping);
    expect([response.status, await response.json()]).toEqual([200, { type: 1 }]);
  });

  test.each([0, 200, -200])('accepts a call of %d seconds ago', async (seconds) => {
    expect((await post(PING, { timestamp: secondsAgo(seconds) })).status).toBe(200);
  });

  test.each([
    ['an hour ago', () => secondsAgo(3600)],
    ['an hour ahead', () => secondsAgo(-3600)],
    ['no time at all', () => 'now'],
    ['an empty time', () => ' '],
  ])('refuses a call of %s', async (_, timestamp) => {
    expect((await post(PING, { timestamp: timestamp() })).status).toBe(401);
  });

  test('refuses a call that is signed with another key', async () => {
    const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const response = await post(PING, { key });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: 'Bad signature.', code: 'unauthorized' });
  });

  test('refuses a call whose body is not the one that was signed', async () => {
    expect((await post(PING, { signed: `${PING} ` })).status).toBe(401);
  });

  test.each([
    ['nothing', {}],
    ['only a time', { 'x-signature-timestamp': secondsAgo(0) }],
    ['garbage', { 'x-signature-timestamp': secondsAgo(0), 'x-signature-ed25519': 'zz' }],
    ['zeros', { 'x-signature-timestamp': secondsAgo(0), 'x-signature-ed25519': '00'.repeat(64) }],
  ])('refuses a call that carries %s as its signature', async (_, headers) => {
    const url = `${story.product.url}/api/discord/interactions`;
    const response = await fetch(url, { method: 'POST', body: PING, headers });
    expect(response.status).toBe(401);
  });

  test.each([
    ['', 'invalid_json'],
    ['{', 'invalid_json'],
    ['null', 'invalid_input'],
    ['[]', 'invalid_input'],
    ['{"type":2}', 'invalid_input'],
    ['{"id":1,"type":"2"}', 'invalid_input'],
  ])('refuses the signed text %j as %s', async (body, code) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.any(String), code });
  });

  test('refuses a signed body that is too large', async () => {
    expect((await post(JSON.stringify({ id: 'x'.repeat(1_100_000), type: 1 }))).status).toBe(413);
  });
});

describe('a command', () => {
  test('help says what the bot does, to the caller alone and mentioning nobody', async () => {
    const reply = await run('help');
    expect(reply).toMatchObject({ type: 4, data: { flags: 64, allowed_mentions: { parse: [] } } });
    expect(reply.data.content).toContain('/notion link-account');
    expect(reply.data.content).toContain(story.product.url);
  });

  test.each(['unknown', '__proto__', 'toString', ''])(
    '%j, which is unknown, gets a sentence',
    async (name) => {
      expect((await run(name)).data.content).toMatch(/^This command no longer exists/);
    },
  );

  test('outside a server says where to use it', async () => {
    const outside = { guild_id: undefined, member: undefined, user: JONAS };
    expect((await run('link-account', outside)).data.content).toMatch(/^Use this command in a server/);
  });

  test('gets no suggestions outside a server', async () => {
    const outside = { type: 4, guild_id: undefined, member: undefined, user: JONAS };
    expect(await run('task', outside)).toEqual({ type: 8, data: { choices: [] } });
  });

  test('in a server that is not connected says so', async () => {
    const reply = await run('link-account', { guild_id: '1102000000000000001' });
    expect(reply.data.content).toMatch(/^This server is not connected to a Notion workspace yet/);
  });

  test.each([3, 5, 99])('of an unknown kind (%d) gets a sentence, not an error', async (type) => {
    expect((await run('help', { type, data: { custom_id: 'x' } })).data.content).toMatch(
      /no longer (works|exists)/,
    );
  });

  test('that fails names a reference', async () => {
    const { db } = await import('@/lib/db/database');
    await db().$executeRaw`alter table link_request rename to link_request_away`;
    const reply = await run('link-account').finally(
      () => db().$executeRaw`alter table link_request_away rename to link_request`,
    );
    expect(reply.data.content).toBe('Something went wrong. Reference: 77');
  });

  test('can be run on the sandbox’s Discord page once the worker has registered the commands, which it does once', async () => {
    const registered = async () =>
      (await story.product.control('discord', 'GET', '/commands')).global as {
        name: string;
        options: object[];
      }[];
    await story.product.work();
    await expect.poll(async () => (await registered()).length).toBe(COMMAND_MANIFEST.length);
    const first = await registered();
    await story.product.rest();
    await story.product.work();
    const { db } = await import('@/lib/db/database');
    const jobs = async () => {
      const [row] = await db().$queryRaw<
        { jobs: number }[]
      >`select count(*)::int as jobs from graphile_worker.jobs`;
      return row?.jobs;
    };
    await expect.poll(jobs).toBe(0);
    expect(await registered()).toEqual(first);
    const { calls } = await story.product.control('discord', 'GET', '/calls');
    expect(calls['PUT /applications/:id/commands']).toBe(1);

    // As if a version with one more subcommand had been replaced by this one.
    const old = { type: 1, name: 'old', description: 'Exists no more' };
    const { registerCommands } = await import('@/lib/integrations/discord/discord-commands');
    await registerCommands(
      COMMAND_MANIFEST.map((command) =>
        'options' in command ? { ...command, options: [...command.options, old] } : command,
      ),
    );
    expect(await registered()).not.toEqual(first);
    await story.product.rest();
    await story.product.work();
    const options = (commands: { name: string; options: object[] }[]) =>
      commands.map((command) => [command.name, command.options]);
    await expect.poll(async () => options(await registered())).toEqual(options(first));

    const used = { person: 'jonas', channelId: story.channel('tasks'), label: 'notion help' };
    const page = `${story.product.sandbox.context.urls.discord}/_page/command`;
    const headers = { 'content-type': 'application/json' };
    await fetch(page, { method: 'POST', headers, body: JSON.stringify(used) });
    const { interactions } = await story.product.control('discord', 'GET', '/interactions');
    expect(interactions.at(-1)).toMatchObject({ name: 'notion help', problem: null });
  });
});
