import { beforeAll, expect, test } from 'vitest';
import { env } from '@/lib/env';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { contentPolicy } from './content-policy';

beforeAll(() => {
  Object.assign(process.env, COMPLETE_ENVIRONMENT);
});

const images = () => /img-src ([^;]*)/.exec(contentPolicy('abc'))?.[1]?.split(' ') ?? [];
const LOCAL = ['http://127.0.0.1:*', 'http://localhost:*'];

test('images come from ourselves and from where the services keep theirs, and from nowhere else', () => {
  const [own, data, discord, ...others] = images();
  expect([own, data, discord]).toEqual(["'self'", 'data:', 'https://cdn.discordapp.com']);
  expect(others).toContain('https://www.notion.so');
  expect(others.every((source) => /^https:\/\/[\w*-]+\.[\w./-]+$/.test(source))).toBe(true);
});

test.each([
  ['AUTH0_DOMAIN', 'localhost:3100'],
  ['AUTH0_DOMAIN', 'http://127.0.0.1:3100'],
  ['DISCORD_API_URL', 'http://localhost:3101/api/v10'],
  ['NOTION_API_URL', 'http://127.0.0.1:3102'],
  ['STRIPE_API_URL', 'http://[::1]:3103'],
] as const)('with %s at %s, as in the demo, they come from this machine too', (name, address) => {
  const before = env()[name];
  env()[name] = address;
  expect(images().slice(-2)).toEqual(LOCAL);
  env()[name] = before;
});

test.each(['https://localhost.example', 'https://127.0.0.1.example'])('%s is not this machine', (address) => {
  const before = env().NOTION_API_URL;
  env().NOTION_API_URL = address;
  for (const source of LOCAL) expect(images()).not.toContain(source);
  env().NOTION_API_URL = before;
});

test.each([
  [undefined, "'self'"],
  ['no address', "'self'"],
  ['https://key@o1.ingest.example/2', "'self' https://o1.ingest.example"],
  ['http://key@127.0.0.1:9000/2', "'self' http://127.0.0.1:9000"],
])('with the DSN %s, pages may call %s', (dsn, sources) => {
  Object.assign(env(), { SENTRY_DSN: dsn });
  expect(/connect-src ([^;]*)/.exec(contentPolicy('abc'))?.[1]).toBe(sources);
  Object.assign(env(), { SENTRY_DSN: undefined });
});
