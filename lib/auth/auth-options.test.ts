import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';
import { authOptions } from './auth-options';

const SUBJECT = 'oauth2|discord-dev|208917000000000199';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());

async function signIn(claims: { name?: string; email?: string | null; picture?: string | null }) {
  const { callbacks } = authOptions({ whenUnknown: () => undefined });
  const account = {
    provider: 'auth0',
    type: 'oauth',
    providerAccountId: SUBJECT,
    access_token: 'at',
  } as const;
  const profile = { sub: SUBJECT, nickname: null, ...claims };
  const user = { id: SUBJECT };
  return callbacks?.jwt?.({ token: {} as never, user, account, profile: profile as never });
}

test('whoever has no e-mail address, nickname or picture signs in all the same', async () => {
  const token = await signIn({ name: 'Nobody', email: null, picture: null });
  expect(token?.profile).toEqual({ sub: SUBJECT, nickname: 'Nobody', email: null, picture: null });
  const row = await db().account.findUniqueOrThrow({ where: { subject: SUBJECT } });
  expect(row).toMatchObject({ discordUsername: 'Nobody', email: null });
});

test('whoever signs in while the provider tells nothing of them keeps the profile that it told before', async () => {
  const picture = 'https://cdn.example/mira.png';
  await signIn({ name: 'Mira', email: 'mira@example.com', picture });
  const token = await signIn({});
  expect(token?.profile).toEqual({ sub: SUBJECT, nickname: 'Mira', email: 'mira@example.com', picture });
  const row = await db().account.findUniqueOrThrow({ where: { subject: SUBJECT } });
  expect(row).toMatchObject({ discordUsername: 'Mira', email: 'mira@example.com', picture });
});
