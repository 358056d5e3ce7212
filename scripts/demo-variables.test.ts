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

test('of what the shell sets, only what the demo takes has to be well formed', () => {
  expect(read({ APP_URL: 'pagewire.example', WORKER: 'maybe' }).database).toBeUndefined();
  expect(() => read({ DATABASE_URL: 'postgresql://pagewire:pa/ss@db/pagewire' })).toThrow(
    /^DATABASE_URL cannot be read/,
  );
  expect(() => read({ LOG_LEVEL: 'loud' })).toThrow(/^LOG_LEVEL must be fatal, error, warn/);
});

test.each(['demo', 'demo-clock'])('%s refuses a malformed address in one sentence', async (script) => {
  const env = { DATABASE_URL: 'pagewire' };
  expect(await runNode(['--import', 'tsx', `scripts/${script}.ts`], { env })).toEqual({
    ok: false,
    output: 'DATABASE_URL must be a postgresql:// URL. Correct or unset it.\n',
  });
});
