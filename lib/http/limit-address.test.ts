import { beforeAll, beforeEach, expect, test } from 'vitest';
import { processState } from '@/lib/process-state';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { limitAddress } from './limit-address';

const minute = processState('addresses', () => ({ endsAt: 0, counts: new Map<string, number>() }));

beforeAll(() => {
  Object.assign(process.env, COMPLETE_ENVIRONMENT);
});
beforeEach(() => {
  minute.endsAt = 0;
});

const from = (address: string) =>
  new Request('http://localhost/', { headers: { 'x-forwarded-for': address } });

test('an address has a number of calls of each kind a minute, and so has every other address', () => {
  for (let call = 0; call < 300; call += 1) limitAddress(from('203.0.113.5'), 'unsigned');
  const refusal = expect.objectContaining({
    code: 'rate_limited',
    status: 429,
    message: expect.stringMatching(/^Too many requests\. Try again in \d+ seconds?\.$/),
    retryAfterSeconds: expect.any(Number),
  });
  expect(() => limitAddress(from('203.0.113.5'), 'unsigned')).toThrow(refusal);
  limitAddress(from('203.0.113.5'), 'calls');
  limitAddress(from('203.0.113.6'), 'unsigned');
});

test('a new minute begins with nothing counted', () => {
  for (let call = 0; call < 300; call += 1) limitAddress(from('203.0.113.5'), 'unsigned');
  minute.endsAt = Date.now();
  limitAddress(from('203.0.113.5'), 'unsigned');
});

test('a flood from ever new addresses takes a bounded amount of memory', () => {
  for (let host = 0; host < 51_000; host += 1) {
    limitAddress(from(`2001:db8:${(host >> 8).toString(16)}:${(host & 255).toString(16)}::1`), 'calls');
  }
  expect(minute.counts.size).toBe(50_000);
});
