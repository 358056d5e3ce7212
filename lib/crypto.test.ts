import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { COMPLETE_ENVIRONMENT } from './testing/complete-environment';

const OLD = Buffer.alloc(32, 1).toString('base64');
const NEW = Buffer.alloc(32, 2).toString('base64');

beforeEach(() => {
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

/** The module as loaded by a process with these keys. */
async function withKeys(...keys: string[]) {
  vi.stubEnv('ENCRYPTION_KEYS', keys.join(','));
  vi.resetModules();
  return import('./crypto');
}

test('a sealed value opens again, and does not contain its text', async () => {
  const { seal, open } = await withKeys(OLD);
  const sealed = seal('secret_token 🔑', 'notion-tokens');
  expect(open(sealed, 'notion-tokens')).toBe('secret_token 🔑');
  expect(Buffer.from(sealed).toString('latin1')).not.toContain('secret_token');
});

test('sealing the same text twice gives different bytes', async () => {
  const { seal } = await withKeys(OLD);
  expect(seal('same', 'purpose')).not.toEqual(seal('same', 'purpose'));
});

test('an empty text can be sealed', async () => {
  const { seal, open } = await withKeys(OLD);
  expect(open(seal('', 'purpose'), 'purpose')).toBe('');
});

test('a value sealed for one purpose does not open as another', async () => {
  const { seal, open } = await withKeys(OLD);
  const sealed = seal('text', 'delivery:1');
  expect(() => open(sealed, 'delivery:2')).toThrow();
});

test('a value with any changed byte does not open', async () => {
  const { seal, open } = await withKeys(OLD);
  const sealed = seal('text', 'purpose');
  for (let at = 0; at < sealed.length; at += 1) {
    const tampered = Uint8Array.from(sealed);
    tampered[at] = (tampered[at] ?? 0) ^ 1;
    expect(() => open(tampered, 'purpose'), `byte ${at}`).toThrow();
  }
});

test('a truncated value does not open', async () => {
  const { seal, open } = await withKeys(OLD);
  const sealed = seal('text', 'purpose');
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => open(sealed.slice(0, length), 'purpose'), `${length} bytes`).toThrow();
  }
});

test('a value sealed with an unknown key is told apart from a damaged one', async () => {
  const sealed = (await withKeys(NEW)).seal('text', 'purpose');
  const { open, UnknownKeyError } = await withKeys(OLD);
  expect(() => open(sealed, 'purpose')).toThrow(UnknownKeyError);
  const knowing = await withKeys(OLD, NEW);
  expect(() => knowing.open(sealed, 'another')).not.toThrow(knowing.UnknownKeyError);
  expect(() => knowing.open(sealed, 'another')).toThrow();
  expect(() => knowing.open(sealed.slice(0, 20), 'purpose')).not.toThrow(knowing.UnknownKeyError);
});

test('a value of a former purpose opens for its new one, and never the other way round', async () => {
  const { seal, open, openFormer } = await withKeys(OLD);
  expect(openFormer(seal('before', 'tokens'), 'tokens:1', 'tokens')).toBe('before');
  const bound = seal('after', 'tokens:1');
  expect(openFormer(bound, 'tokens:1', 'tokens')).toBe('after');
  expect(() => openFormer(bound, 'tokens:2', 'tokens')).toThrow();
  expect(() => open(bound, 'tokens')).toThrow();
});

test('after a rotation the old values still open, and new ones are sealed with the new key', async () => {
  const sealedBefore = (await withKeys(OLD)).seal('before', 'purpose');
  const rotating = await withKeys(NEW, OLD);
  expect(rotating.open(sealedBefore, 'purpose')).toBe('before');
  const sealedAfter = rotating.seal('after', 'purpose');

  const rotated = await withKeys(NEW);
  expect(rotated.open(sealedAfter, 'purpose')).toBe('after');
  expect(() => rotated.open(sealedBefore, 'purpose')).toThrow(rotated.UnknownKeyError);
});

test('random tokens are 256 bits and never the same', async () => {
  const { randomToken } = await withKeys(OLD);
  const tokens = Array.from({ length: 50 }, randomToken);
  expect(new Set(tokens).size).toBe(50);
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
});
