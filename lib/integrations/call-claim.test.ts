import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CallTooLate, callHttp } from './http-call';

let server: Server;
let address: string;
let calls = 0;

beforeAll(async () => {
  server = createServer((_, response) => {
    calls += 1;
    response.end('done');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  calls = 0;
});

const TIMEOUT_MS = 60_000;

const call = (claimLeft?: () => number, timeoutMs = TIMEOUT_MS) =>
  callHttp(address, {
    service: 'discord',
    method: 'POST',
    headers: {},
    body: 'card',
    timeoutMs,
    maxBytes: 1024,
    claimLeft,
  });

test('a call is made while its caller has a claim that outlasts it, over a new and a reused connection', async () => {
  for (let round = 0; round < 2; round += 1) {
    expect((await call(() => 2 * TIMEOUT_MS)).text).toBe('done');
  }
  expect(calls).toBe(2);
});

test('nothing is sent when the claim could end before the call, over a new and a reused connection', async () => {
  await expect(call(() => TIMEOUT_MS / 2)).rejects.toThrow(CallTooLate);
  await call();
  await expect(call(() => TIMEOUT_MS / 2)).rejects.toThrow(CallTooLate);
  expect(calls).toBe(1);
});

test('the claim is checked once the connection is open, not when the call is requested', async () => {
  let left = 2 * TIMEOUT_MS;
  const asked = call(() => left);
  left = 0;
  await expect(asked).rejects.toThrow(CallTooLate);
  expect(calls).toBe(0);
});

test('nothing is sent of a call that timed out before it could be made', async () => {
  await expect(call(undefined, 0)).rejects.toThrow('no answer in time');
  expect(calls).toBe(0);
});
