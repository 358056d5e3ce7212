import { expect, test } from 'vitest';
import { demoVariables } from './demo-variables';
import { runNode } from './run-command';

const read = (shell: Record<string, string>) => demoVariables({ NODE_ENV: 'test', ...shell });

const ADDRESS = 'postgresql://localhost/pagewire';

test('an empty variable counts as none, and white space around a value is no part of it', () => {
  expect(read({ DATABASE_URL: ' ', DATABASE_SESSION_URL: ADDRESS, LOG_LEVEL: '' })).toEqual({
    database: undefined,
    LOG_LEVEL: '',
  });
  expect(read({ DATABASE_URL: ` ${ADDRESS}\n`, DATABASE_SESSION_URL: '', LOG_LEVEL: 'debug' })).toEqual({
    database: { DATABASE_URL: ADDRESS, DATABASE_SESSION_URL: ADDRESS },
    LOG_LEVEL: 'debug',
  });
});

test('what the demo does not take may be malformed', () => {
  expect(read({ APP_URL: 'pagewire.example', WORKER: 'maybe' }).database).toBeUndefined();
});

test.each([
  ['demo', { DATABASE_URL: 'pagewire' }, 'DATABASE_URL must be a postgresql:// URL'],
  ['demo-clock', { DATABASE_URL: 'postgresql://pagewire:pa/ss@db/pagewire' }, 'DATABASE_URL cannot be read'],
  ['demo', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be fatal, error, warn'],
])('%s refuses %j in one sentence', async (script, changed, sentence) => {
  const { ok, output } = await runNode(['--import', 'tsx', `scripts/${script}.ts`], { env: changed });
  expect(ok).toBe(false);
  expect(output).toContain(sentence);
  expect(output.trim().split('\n')).toHaveLength(1);
});
