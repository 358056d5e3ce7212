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

test('whoever has no e-mail address, nickname or picture signs in all the same', async () => {
  const { callbacks } = authOptions({ whenUnknown: () => undefined });
  const account = {
    provider: 'auth0',
    type: 'oauth',
    providerAccountId: SUBJECT,
    access_token: 'at',
  } as const;
  const profile = { sub: SUBJECT, name: 'Nobody', nickname: null, email: null, picture: null };
  const user = { id: SUBJECT };
  const token = await callbacks?.jwt?.({ token: {} as never, user, account, profile: profile as never });
  expect(token?.profile).toEqual({ sub: SUBJECT, nickname: 'Nobody', email: null, picture: null });
  const row = await db().account.findUniqueOrThrow({ where: { subject: SUBJECT } });
  expect(row).toMatchObject({ discordUsername: 'Nobody', email: null });
});
