import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { db } from '@/lib/db/database';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { log } from '../log';
import { SECOND_MS } from '../time';
import { openSession } from './session-client';
import { listenForTurns, type TurnNotifications } from './turn-notifications';

let database: TestDatabase;
let notifications: TurnNotifications;

beforeAll(async () => {
  database = await createTestDatabase();
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
  vi.stubEnv('DATABASE_URL', database.url);
  notifications = await listenForTurns();
});
afterAll(async () => {
  await notifications.stop();
  const { closeDatabase } = await import('@/lib/db/database');
  await closeDatabase();
  await database.drop();
});

const ring = (name: string) => db().$executeRaw`select pg_notify('pagewire_turns', ${name})`;

test('whoever listens for turns of a name hears of those, and of no others', async () => {
  const heard: string[] = [];
  notifications.onNotify('page_turn', () => heard.push('page'));
  const silence = notifications.onNotify('channel_turn', () => heard.push('channel'));
  await ring('other_turn');
  await ring('page_turn');
  await expect.poll(() => heard).toEqual(['page']);
  silence();
  await ring('channel_turn');
  await ring('page_turn');
  await expect.poll(() => heard).toEqual(['page', 'page']);
});

test('a broken connection is taken up again, and everybody looks once', async () => {
  let heard = 0;
  const silence = notifications.onNotify('page_turn', () => {
    heard += 1;
  });
  await db().$executeRaw`
    select pg_terminate_backend(pid) from pg_stat_activity
    where query = 'listen pagewire_turns' and datname = current_database()`;
  await expect.poll(() => heard).toBe(1);
  await ring('page_turn');
  await expect.poll(() => heard).toBe(2);
  silence();
});

test('whoever stops listening while the connection is broken leaves none behind', async () => {
  const listening = async () => {
    const rows = await db().$queryRaw<{ pid: number }[]>`
      select pid from pg_stat_activity where query = 'listen pagewire_turns' and datname = current_database()`;
    return rows.map(({ pid }) => pid);
  };
  const before = await listening();
  const stopped = await listenForTurns();
  const own = (await listening()).find((pid) => !before.includes(pid));
  const lost = vi.spyOn(log, 'warn');
  await db().$executeRaw`select pg_terminate_backend(${own}::int)`;
  await expect.poll(() => lost.mock.calls.length).toBe(1);
  lost.mockRestore();
  await stopped.stop();
  // Longer than it takes until a lost connection is opened again.
  await sleep(1.5 * SECOND_MS);
  expect(await listening()).toEqual(before);
});

test.each([
  ['is refused what it begins with', 'select 1 / 0'],
  ['is lost before it has begun', 'select pg_terminate_backend(pg_backend_pid())'],
])('a session that %s fails once and leaves no connection', async (_, statement) => {
  let ended: Promise<unknown> | undefined;
  let lost = 0;
  const session = openSession(
    async (client) => {
      ended = once(client, 'end');
      await client.query(statement);
    },
    () => {
      lost += 1;
    },
  );
  await expect(session).rejects.toThrow();
  await ended;
  expect(lost).toBe(0);
});
