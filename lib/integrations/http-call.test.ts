import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callHttp, ResponseTooLarge } from './http-call';

const MB = 1024 * 1024;
let server: Server;
let answer: (response: ServerResponse, lane: string) => void;

beforeEach(async () => {
  server = createServer((request, response) => answer(response, request.headers.authorization ?? ''));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const ask = (lane: string, maxBytes = 8 * MB) =>
  callHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
    service: 'notion',
    method: 'GET',
    headers: { authorization: lane },
    timeoutMs: 20_000,
    maxBytes,
  });

test('a response that never ends is dropped at the limit, together with its socket', async () => {
  let written = 0;
  const closed = new Promise<void>((resolve) => {
    answer = (response) => {
      const chunk = Buffer.alloc(MB / 4);
      const write = () => {
        written += chunk.length;
        if (response.write(chunk)) setImmediate(write);
        else response.once('drain', write);
      };
      write();
      response.on('close', resolve);
    };
  });
  await expect(ask('a', 2 * MB)).rejects.toThrow(ResponseTooLarge);
  await closed;
  // The contents of both socket buffers were already on their way.
  expect(written).toBeLessThan(16 * MB);
});

describe('a response that is compressed although we asked for a plain one', () => {
  const compressed =
    (encoding: string, body: Buffer): typeof answer =>
    (response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body);

  test.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('(%s) is read, a large one too', async (encoding, compress) => {
    for (const text of ['{"id":1}', JSON.stringify('x'.repeat(MB))]) {
      answer = compressed(encoding, compress(text));
      expect((await ask('a')).text).toBe(text);
    }
  });

  test('is dropped when it inflates beyond the limit', async () => {
    answer = compressed('gzip', gzipSync(Buffer.alloc(16 * MB)));
    await expect(ask('a')).rejects.toThrow(ResponseTooLarge);
  });

  test('fails when it is cut or is not what it says', async () => {
    for (const body of [gzipSync('{"id":1}').subarray(0, -9), Buffer.from('{"id":1}')]) {
      answer = compressed('gzip', body);
      await expect(ask('a')).rejects.toThrow();
    }
  });

  test('may have no body', async () => {
    answer = (response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end();
    expect(await ask('a')).toMatchObject({ status: 204, text: '' });
  });
});

test('texts of a response that PostgreSQL could not store become ones that it can', async () => {
  const texts = ['a\0b', 'cut \ud83d', '\ude00 cut', 'whole 😀', String.raw`told of \u0000 and \ud83d`];
  const escaped = JSON.stringify(texts).replace('😀', String.raw`\ud83d\ude00`);
  answer = (response) => response.end(escaped);
  const { text } = await ask('a');
  expect(JSON.parse(text)).toEqual(['a\ufffdb', 'cut \ufffd', '\ufffd cut', ...texts.slice(3)]);
});

describe('a connection that the other side closes with the next call', () => {
  const post = (more: { isRepeatable?: boolean } = {}) =>
    callHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
      method: 'POST',
      headers: {},
      body: '{}',
      timeoutMs: 20_000,
      maxBytes: MB,
      ...more,
    });

  beforeEach(async () => {
    const used = new Set<unknown>();
    answer = (response) => {
      const { socket } = response;
      if (used.has(socket)) socket?.destroy();
      else response.end('answered');
      used.add(socket);
    };
    await post();
  });

  test('is replaced for a call that may be made twice', async () => {
    expect((await post({ isRepeatable: true })).text).toBe('answered');
    expect((await ask('a')).text).toBe('answered');
  });

  test('fails any other call', async () => {
    await expect(post()).rejects.toThrow('socket hang up');
  });
});

test('a server that compresses for anybody who does not refuse it sends plain text', async () => {
  const coding = () =>
    new Promise<string | undefined>((resolve) => {
      answer = (response) => {
        resolve(response.req.headers['accept-encoding']?.toString());
        response.end('{}');
      };
    });
  const asked = coding();
  await ask('a');
  expect(await asked).toBe('identity');
});

test('a response of exactly the limit is read', async () => {
  answer = (response) => response.end('x'.repeat(MB));
  expect((await ask('a', MB)).text).toHaveLength(MB);
  await expect(ask('a', MB - 1)).rejects.toThrow(ResponseTooLarge);
});

test('large responses are read one at a time and in rotation, and small ones do not wait', async () => {
  const ends = new Map<string, (() => void)[]>();
  answer = (response, lane) => {
    const half = 'x'.repeat(MB / 2);
    if (lane === 'small') response.end('{}');
    else {
      response.write(half);
      ends.set(lane, [...(ends.get(lane) ?? []), () => response.end(half)]);
    }
  };
  const read: string[] = [];
  const begin = (lane: string) => ask(lane).then(() => read.push(lane));
  const asked = ['busy', 'busy', 'busy', 'busy', 'busy', 'busy'].map(begin);
  await expect.poll(() => ends.get('busy')?.length).toBe(6);
  asked.push(begin('quiet'));
  await expect.poll(() => ends.has('quiet')).toBe(true);
  expect((await ask('small')).text).toBe('{}');
  expect(read).toEqual([]);
  for (const end of [...ends.values()].flat()) end();
  await Promise.all(asked);
  expect(read.indexOf('quiet')).toBeLessThanOrEqual(2);
});

test('a large response that trickles in does not hold up the next', async () => {
  let end: (() => void) | undefined;
  answer = (response, lane) => {
    response.write('x'.repeat(MB / 2));
    if (lane === 'slow') end = () => response.end();
    else response.end();
  };
  const slow = ask('slow');
  await expect.poll(() => end).toBeDefined();
  await ask('quick');
  end?.();
  expect((await slow).text).toHaveLength(MB / 2);
});
