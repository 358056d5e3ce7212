import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { residentMb } from '../bench/processes';
import { COMPLETE_ENVIRONMENT } from '../lib/testing/complete-environment';
import { RawCall } from '../lib/testing/raw-call';
import { notionEvent } from '../lib/testing/signed-calls';
import { webhookSignature } from '../sandbox/notion/webhooks/webhook-signature';
import { expect, test } from './fixtures';
import { onOwnHost } from './own-host';
import { connectBoth, refreshServer } from './shortcuts';

const DOOR = '/api/notion/webhook';
const PICTURE = '/docs/source.webp';
const UNKNOWN = { 'x-notion-signature': 'sha256=none' };

const postEvent = (url: string) => {
  const body = JSON.stringify(notionEvent({ pageId: randomUUID() }));
  const signature = webhookSignature(body, COMPLETE_ENVIRONMENT['NOTION_WEBHOOK_TOKEN'] ?? '');
  return fetch(url + DOOR, { method: 'POST', headers: { 'x-notion-signature': signature }, body });
};

const HOSTS = { start: 'the production server', hosted: 'a host that runs the routes by itself' } as const;
for (const mode of ['start', 'hosted'] as const) {
  test(`${HOSTS[mode]} keeps little of bodies that never end, and answers those that do`, ({ control }) =>
    onOwnHost({ databaseUrl: control.product.databaseUrl, mode, env: {} }, async ({ url, pid }) => {
      expect((await postEvent(url)).status).toBe(200);
      const before = residentMb([pid]);
      const post = (bytes: number) =>
        new RawCall(url).post(DOOR, { ...UNKNOWN, 'content-length': bytes }).write('x'.repeat(bytes - 1));
      const tooLarge = Array.from({ length: 400 }, () => post(1_000_000));
      for (const { status } of await Promise.all(tooLarge.map((call) => call.closed))) {
        // A caller that keeps sending may be cut off before it reads the answer.
        expect([0, 413]).toContain(status);
      }
      const unfinished = Array.from({ length: 400 }, () => post(250_000));
      await expect
        .poll(() => unfinished.filter((call) => call.answer().status === 503).length)
        .toBeGreaterThanOrEqual(400 - 67);
      expect((await postEvent(url)).status).toBe(200);
      // About half a gigabyte was offered. How much of the rest is garbage depends on Node's version.
      expect(residentMb([pid]) - before).toBeLessThan(200);
      const late = await Promise.all(unfinished.map((call) => call.closed));
      expect(late.filter(({ status }) => status === 408).length).toBeGreaterThan(0);
      expect(new Set(late.map(({ status }) => status))).toEqual(new Set([503, 408]));
    }));
}

test('headers that never end are cut off, and so are those that are too large', async ({ control }) => {
  const url = control.product.appUrl;
  const slow = [new RawCall(url), new RawCall(url).write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')];
  const large = new RawCall(url).write(`GET / HTTP/1.1\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(await large.closed).toMatchObject({ status: 431, body: expect.stringContaining('too_large') });
  for (const call of slow) {
    const { status, body } = await call.closed;
    expect(status).toBe(408);
    expect(JSON.parse(body)).toEqual({ error: 'The request took too long to arrive.', code: 'too_slow' });
  }
});

test('TRACE and CONNECT are refused whatever the path, and everything for the server as a whole', async ({
  control,
}) => {
  const url = control.product.appUrl;
  for (const [method, path, allowed] of [
    ['TRACE', '/', 'GET, HEAD'],
    ['TRACE', '/api/config', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['TRACE', DOOR, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['CONNECT', 'other.example:443', 'GET, HEAD'],
    ['POST', '/rules', 'GET, HEAD'],
    ['GET', '*', ''],
    ['OPTIONS', '*', ''],
  ]) {
    const call = new RawCall(url).write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const { status, head, body } = await call.closed;
    expect([method, path, status]).toEqual([method, path, 405]);
    expect(head.split('\r\n')).toContain(`Allow: ${allowed}`);
    expect(head.split('\r\n')).toContain('Cache-Control: no-store');
    expect(JSON.parse(body)).toMatchObject({ code: 'method_not_allowed' });
  }
});

test('a target that is no path is refused, and so are scaled pictures', async ({ control }) => {
  const { appUrl } = control.product;
  for (const target of ['*@127.0.0.1/api/config', 'http://[/api/config', 'http://a:99999/']) {
    const call = new RawCall(appUrl).write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const { status, body } = await call.closed;
    expect([target, status]).toEqual([target, 400]);
    expect(JSON.parse(body)).toMatchObject({ code: 'bad_request' });
  }
  const picture = `/_next/image?url=${encodeURIComponent(PICTURE)}&w=640&q=75`;
  expect((await fetch(appUrl + PICTURE)).status).toBe(200);
  expect((await fetch(appUrl + picture)).status).toBe(404);
});

test('an offer to speak another protocol is answered as if it had not been made', async ({ control }) => {
  const url = control.product.appUrl;
  for (const [path, status] of [
    ['/api/config', 200],
    ['/rules', 200],
    ['/rules/', 308],
    ['//nowhere', 308],
    ['/api/nothing', 404],
  ]) {
    for (const protocol of ['h2c', 'websocket']) {
      const offer = `Host: localhost\r\nConnection: close, Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
      const call = new RawCall(url).write(`GET ${path} HTTP/1.1\r\n${offer}`);
      expect([path, protocol, (await call.closed).status]).toEqual([path, protocol, status]);
    }
  }
});

test('a server that refuses the bot is not asked again at each refresh', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await control.call('discord', 'DELETE', '/_sandbox/discord/calls');
  await control.fault({ target: 'discord', kind: 'fail', match: 'GET .*/guilds/', status: 403, times: 0 });
  for (let look = 1; look <= 5; look += 1) await refreshServer(page);
  const { calls } = (await control.call('discord', 'GET', '/_sandbox/discord/calls')) as {
    calls: Record<string, number>;
  };
  expect(calls['GET /guilds/:id']).toBe(1);
});

test('paths and methods that the API does not know are refused in JSON', async ({ control }) => {
  const call = async (method: string, path: string) => {
    const answer = await fetch(control.product.appUrl + path, { method });
    return [answer.status, (await answer.json()).code, answer.headers.get('allow')];
  };
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const path of ['/api', '/api/nothing', '/api/app/nothing/at/all', '/api/app/me/more.png']) {
      expect([method, path, ...(await call(method, path))]).toEqual([method, path, 404, 'not_found', null]);
    }
  }
  for (const [method, path] of [
    ['POST', '/api/auth/_log'],
    ['POST', '/api/auth/signout'],
    ['GET', '/api/auth/providers'],
  ] as const) {
    expect([method, path, ...(await call(method, path))]).toEqual([method, path, 404, 'not_found', null]);
  }
  expect(await call('DELETE', '/api/config')).toEqual([405, 'method_not_allowed', 'GET, HEAD, OPTIONS']);
  expect(await call('PATCH', '/api/app/rules')).toEqual([
    405,
    'method_not_allowed',
    'GET, HEAD, OPTIONS, POST',
  ]);
  expect(await call('GET', DOOR)).toEqual([405, 'method_not_allowed', 'OPTIONS, POST']);
  expect(await call('GET', '/api/%E0%A4%A')).toEqual([400, 'bad_request', null]);
});

test('every page carries a content security policy, whatever its path ends with', async ({ control }) => {
  const files = ['/nothing.png', '/nothing.svg', '/nothing.woff2', '/a/b.html', '/api.png'];
  const paths = ['/', '/rules', ...files, '/_next/data/nothing.json'];
  for (const path of paths) {
    const answer = await fetch(control.product.appUrl + path);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect([path, answer.headers.get('content-security-policy')]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
  }
});

test('a file of another version is missing, and no page stands in for it', async ({ control }) => {
  for (const path of ['/_next/static/chunks/nothing.js', '/_next/nothing']) {
    const answer = await fetch(control.product.appUrl + path);
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  }
});

test('no header hides from which address a caller calls', async ({ control }) => {
  const url = control.product.appUrl;
  const post = (index: number) =>
    fetch(url + DOOR, {
      method: 'POST',
      headers: {
        ...UNKNOWN,
        'x-forwarded-for': `203.0.113.${index % 250}`,
        'X-Pagewire-Peer': `198.51.100.${index % 250}`,
      },
      body: '{}',
    });
  const statuses = new Set<number>();
  // Many at once, so that they fall into one minute even on a slow machine.
  for (let sent = 0; sent < 1200 && !statuses.has(429); sent += 60) {
    const calls = Array.from({ length: 60 }, (_, index) => post(sent + index));
    for (const { status } of await Promise.all(calls)) statuses.add(status);
  }
  expect(statuses).toEqual(new Set([401, 429]));
  expect(Number((await post(0)).headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a process that ends says that it is not ready, and still answers for a while', async ({ control }) => {
  const host = { databaseUrl: control.product.databaseUrl, mode: 'start', env: {} } as const;
  await onOwnHost(host, async ({ url, pid }) => {
    const ready = async () => {
      const answer = await fetch(`${url}/api/health/ready`);
      return { status: answer.status, body: await answer.json() };
    };
    expect(await ready()).toEqual({ status: 200, body: { ready: true, reason: null } });
    const children = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' });
    const server = children.stdout.split('\n').find((line) => line.includes('web-server'));
    // Twice, as when the whole group gets the signal and the starting process passes it on.
    for (const _ of [1, 2]) process.kill(Number.parseInt(server ?? '', 10), 'SIGTERM');
    await expect.poll(ready).toEqual({ status: 503, body: { ready: false, reason: 'ending' } });
    const config = await fetch(`${url}/api/config`);
    expect(config.status).toBe(200);
    expect(config.headers.get('connection')).toBe('close');
    expect((await postEvent(url)).status).toBe(200);
    await expect.poll(() => ready().catch(() => 'ended'), { timeout: 30_000 }).toBe('ended');
  });
});
