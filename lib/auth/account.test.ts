import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, db } from '@/lib/db/database';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { createTestDatabase } from '@/lib/testing/database';

const ID = '208917000000000101';

beforeEach(() => {
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
});
afterAll(() => vi.unstubAllEnvs());

/** The Discord user id that a process of this environment reads from a subject. */
async function idIn(environment: 'dev' | 'production', subject: string): Promise<string | null> {
  vi.stubEnv('ENVIRONMENT', environment);
  vi.resetModules();
  return (await import('./account')).discordUserIdOf(subject);
}

describe.each([
  ['production', 'discord', 'discord-dev'],
  ['dev', 'discord-dev', 'discord'],
] as const)('in %s', (environment, ours, other) => {
  test.each([`oauth2|${ours}|${ID}`, `${ours}|${ID}`, `oauth2|${ours}|80351110224678912`])(
    '%s names a Discord user',
    async (subject) => {
      expect(await idIn(environment, subject)).toBe(subject.split('|').at(-1));
    },
  );

  test.each([
    `oauth2|${other}|${ID}`,
    `${other}|${ID}`,
    `evil|oauth2|${ours}|${ID}`,
    `evil|${ours}|${ID}`,
    `auth0|${ours}|${ID}`,
    `oauth2|oauth2|${ours}|${ID}`,
    `oauth2|${ours}|x|${ID}`,
    `oauth2|not-${ours}|${ID}`,
    `oauth2|${ours}-x|${ID}`,
    `oauth2|${ours.toUpperCase()}|${ID}`,
    `|${ours}|${ID}`,
    `oauth2||${ID}`,
    `oauth2|${ID}`,
    ID,
    `oauth2|${ours}|1234567890123456`,
    `oauth2|${ours}|123456789012345678901`,
    `oauth2|${ours}|${ID}x`,
    `oauth2|${ours}|${ID}|`,
    `oauth2|${ours}|${ID}\n`,
    `oauth2|${ours}| ${ID}`,
    `oauth2|${ours}|`,
    ` oauth2|${ours}|${ID}`,
    `oauth2|${ours}|২০৮৯১৭০০০০০০০০০১০১`,
  ])('%j names none', async (subject) => {
    expect(await idIn(environment, subject)).toBeNull();
  });
});

test('a person who signs in is known as the Discord user that the subject names now', async () => {
  const database = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('ENVIRONMENT', 'production');
  vi.resetModules();
  const { accountOf } = await import('./account');
  const profile = { discordUsername: 'mira', email: null, picture: null };
  const [ours, other] = [`oauth2|discord|${ID}`, `oauth2|discord-dev|${ID}`];
  for (const subject of [ours, other]) {
    await db().account.create({ data: { subject, discordUserId: ID, trialEndsAt: new Date() } });
  }
  expect(await accountOf(ours, profile)).toMatchObject({ discordUserId: ID, discordUsername: 'mira' });
  expect(await accountOf(other, profile)).toMatchObject({ discordUserId: null, discordUsername: 'mira' });
  expect(await db().account.count()).toBe(2);
  await closeDatabase();
  await database.drop();
});
