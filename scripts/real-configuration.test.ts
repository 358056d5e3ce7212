import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PlainError } from './plain-error';
import { loadConfiguration } from './real-configuration';

const before = process.cwd();
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pagewire-configuration-')));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

test('in another folder, a command names the one in which it works', () => {
  const sentence = `Run this in the folder of Pagewire: cd ${before}`;
  expect(loadConfiguration).toThrow(new PlainError(sentence));
});

test('a file of variables that cannot be read is named in one sentence', () => {
  // Nobody can read a folder as a file, not even the superuser.
  mkdirSync('.env');
  mkdirSync('prisma/migrations', { recursive: true });
  const sentence = `${join(folder, '.env')} cannot be read. Let this user read it, or remove it.`;
  expect(loadConfiguration).toThrow(new PlainError(sentence));
});
