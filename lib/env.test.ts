import { expect, test } from 'vitest';
import { parseEnv } from './env';
import { COMPLETE_ENVIRONMENT } from './testing/complete-environment';

const parse = (changes: Record<string, string | undefined> = {}) =>
  parseEnv({ ...COMPLETE_ENVIRONMENT, ...changes } as unknown as NodeJS.ProcessEnv);

function refusal(changes: Record<string, string | undefined>): string[] {
  try {
    parse(changes);
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
  return [];
}

test('unset variables have their documented defaults', () => {
  expect(parse()).toMatchObject({
    APP_URL: 'http://localhost:3000',
    ENVIRONMENT: 'production',
    AUTH0_CALLBACK_URL: 'http://localhost:3000/callback?mode=app',
    DISCORD_API_URL: 'https://discord.com/api/v10',
    DISCORD_AUTHORIZE_URL: 'https://discord.com/oauth2/authorize',
    NOTION_API_URL: 'https://api.notion.com',
    STRIPE_API_URL: 'https://api.stripe.com',
    DOCS_URL: 'http://localhost:3000/docs',
    TRUSTED_PROXIES: [],
    WORKER: 'inline',
    DATABASE_SESSION_URL: COMPLETE_ENVIRONMENT.DATABASE_URL,
    DATABASE_POOL_SIZE: 30,
    DISCORD_CALLS_PER_SECOND: 50,
    LOG_LEVEL: 'info',
  });
});

test('the size of the pool is a whole number, large enough for three pools', () => {
  expect(parse({ DATABASE_POOL_SIZE: '60' }).DATABASE_POOL_SIZE).toBe(60);
  expect(refusal({ DATABASE_POOL_SIZE: 'many' })).toEqual(['  DATABASE_POOL_SIZE must be a number']);
  expect(refusal({ DATABASE_POOL_SIZE: '2' })).toEqual(['  DATABASE_POOL_SIZE must be at least 9']);
});

test('the log level may be written in capitals, and any token protects the metrics', () => {
  expect(parse({ LOG_LEVEL: 'WARN', METRICS_TOKEN: 'brief' })).toMatchObject({
    LOG_LEVEL: 'warn',
    METRICS_TOKEN: 'brief',
  });
  expect(refusal({ LOG_LEVEL: 'loud' })).toEqual([
    '  LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent',
  ]);
});

test('URLs derived from the public origin follow it, and lose a trailing slash', () => {
  expect(parse({ APP_URL: 'https://pagewire.example/' })).toMatchObject({
    APP_URL: 'https://pagewire.example',
    AUTH0_CALLBACK_URL: 'https://pagewire.example/callback?mode=app',
    DOCS_URL: 'https://pagewire.example/docs',
  });
});

test('an empty environment is refused with every missing variable at once', () => {
  const lines = refusal(
    Object.fromEntries(Object.keys(COMPLETE_ENVIRONMENT).map((name) => [name, undefined])),
  );
  expect(lines).toEqual(Object.keys(COMPLETE_ENVIRONMENT).map((name) => `  ${name} is missing`));
});

test('an empty variable counts as missing, or as its default', () => {
  expect(refusal({ NEXTAUTH_SECRET: '', NOTION_CLIENT_ID: ' ' })).toEqual([
    '  NEXTAUTH_SECRET is missing',
    '  NOTION_CLIENT_ID is missing',
  ]);
  expect(parse({ WORKER: '', DOCS_URL: '' })).toMatchObject({
    WORKER: 'inline',
    DOCS_URL: 'http://localhost:3000/docs',
  });
});

test('white space around a value, such as the line break at the end of a file, is no part of it', () => {
  expect(
    parse({ STRIPE_SECRET_KEY: 'sk_test_key\n', DISCORD_BOT_TOKEN: 'bot-token\r', WORKER: ' off' }),
  ).toMatchObject({ STRIPE_SECRET_KEY: 'sk_test_key', DISCORD_BOT_TOKEN: 'bot-token', WORKER: 'off' });
  expect(refusal({ DISCORD_PUBLIC_KEY: `${COMPLETE_ENVIRONMENT['DISCORD_PUBLIC_KEY']}\n` })).toEqual([]);
  expect(parse({ LOG_LEVEL: 'warn\r' }).LOG_LEVEL).toBe('warn');
});

test('one message names missing and malformed variables', () => {
  expect(
    refusal({
      DATABASE_URL: 'mysql://localhost/pagewire',
      APP_URL: 'pagewire.example',
      ENVIRONMENT: 'staging',
      ENCRYPTION_KEYS: `${COMPLETE_ENVIRONMENT['ENCRYPTION_KEYS']},c2hvcnQ=`,
      AUTH0_CLIENT_ID: undefined,
      DISCORD_APPLICATION_ID: 'pagewire',
      DISCORD_PUBLIC_KEY: 'abc',
      TRUSTED_PROXIES: '10.0.0.0/8, everybody',
      WORKER: 'maybe',
    }),
  ).toEqual([
    '  DATABASE_URL must be a postgresql:// URL',
    '  APP_URL must be an http(s) URL',
    '  ENVIRONMENT must be "dev" or "production"',
    '  ENCRYPTION_KEYS must be comma-separated base64 keys of 32 bytes',
    '  AUTH0_CLIENT_ID is missing',
    '  DISCORD_APPLICATION_ID must be a number',
    '  DISCORD_PUBLIC_KEY must be 64 hexadecimal digits',
    '  TRUSTED_PROXIES must be comma-separated IP addresses or ranges such as 10.0.0.0/8',
    '  WORKER must be "inline" or "off"',
  ]);
});

test.each([
  'tenant.example',
  'tenant.example:8443',
  'https://tenant.example/',
  'https://tenant.example/realms/pagewire/',
  'http://127.0.0.1:4300',
  'http://[::1]:4300',
  '[::1]:4300',
])('%s is accepted as the identity provider', (domain) => {
  expect(parse({ AUTH0_DOMAIN: domain }).AUTH0_DOMAIN).toBe(domain);
});

test.each([
  'not a host',
  'ftp://tenant.example',
  'tenant.example:99999',
  'tenant.example:',
  'https://pagewire@tenant.example',
  'https://pagewire:secret@tenant.example',
  'http://[::1',
  'http://[::g]',
  '"tenant.example"',
])('%s is refused as the identity provider', (domain) => {
  expect(refusal({ AUTH0_DOMAIN: domain })).toEqual(['  AUTH0_DOMAIN must be a host name or an issuer URL']);
});

const database = (address: string) => refusal({ DATABASE_URL: address });

test.each(['pa/ss', 'pa#ss', 'pa?ss', '12/34', '12#34', '12?34'])(
  'a database address with the password %s is refused, and the password is not shown',
  (password) => {
    const lines = database(`postgresql://pagewire:${password}@db.example:5432/pagewire`);
    expect(lines).toEqual([
      expect.stringMatching(/^ {2}DATABASE_URL cannot be read: let .* percent-encode .* as %2F$/),
    ]);
    expect(database(`postgresql://pagewire:${encodeURIComponent(password)}@db.example/pagewire`)).toEqual([]);
  },
);

test.each([
  'postgresql://localhost/pagewire',
  'postgres://pagewire:p@ss@db.example/pagewire?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  'postgresql://pagewire:pass@[::1]:5432/pagewire',
  'postgresql:///pagewire?host=/var/run/postgresql',
  'postgresql:///pagewire?host=/cloudsql/project:region:db&user=pagewire@project.iam',
  'postgresql://pagewire:pass@/pagewire?host=/var/run/postgresql',
  'postgresql://pagewire@%2Fvar%2Frun%2Fpostgresql/pagewire',
])('the database address %s is accepted', (address) => {
  expect(database(address)).toEqual([]);
});

test('a database address with an impossible port says so', () => {
  expect(database('postgresql://pagewire:pass@db.example:99999/pagewire')).toEqual([
    expect.stringContaining('let the port be at most 65535'),
  ]);
});

test.each(['DISCORD_BOT_TOKEN', 'STRIPE_SECRET_KEY', 'METRICS_TOKEN'])(
  '%s is refused if no header can hold it, and is not shown',
  (name) => {
    const [line, ...others] = refusal({ [name]: '\u201csecret\u201d' });
    expect(line).toBe(`  ${name} must consist of ASCII characters without spaces`);
    expect(others).toEqual([]);
  },
);

test('the session address is checked like the other', () => {
  expect(refusal({ DATABASE_SESSION_URL: 'postgresql://pagewire:pa/ss@db.example/pagewire' })).toEqual([
    expect.stringContaining('DATABASE_SESSION_URL cannot be read'),
  ]);
});
