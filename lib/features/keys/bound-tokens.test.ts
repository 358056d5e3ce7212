import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSession, currentAccessToken } from '@/lib/auth/session-tokens';
import { seal } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { builtProgram } from '@/lib/testing/built-program';
import { startConnectedProduct } from '@/lib/testing/product';
import { runNode } from '../../../scripts/run-command';
import { openNotionTokens } from '../workspaces/notion-tokens';

const HOUR_MS = 3_600_000;
let story: Awaited<ReturnType<typeof startConnectedProduct>>;
beforeAll(async () => {
  story = await startConnectedProduct();
  await story.product.connectNotion('jonas', [story.board.id]);
});
afterAll(() => story.product.stop());
beforeEach(() => db().authSession.deleteMany());

const workspaces = () => db().notionWorkspace.findMany({ orderBy: { connectedAt: 'asc' } });

async function twoSessions(): Promise<[string, string]> {
  const [mira, jonas] = await workspaces();
  const expiresAt = new Date(Date.now() + HOUR_MS);
  return [
    await createSession(mira?.accountId ?? '', { accessToken: 'of mira' }, expiresAt),
    await createSession(jonas?.accountId ?? '', { accessToken: 'of jonas' }, expiresAt),
  ];
}

test("a session's tokens do not open in another's row", async () => {
  const [mira, jonas] = await twoSessions();
  const { sealedTokens } = await db().authSession.findUniqueOrThrow({ where: { id: mira } });
  await db().authSession.update({ where: { id: jonas }, data: { sealedTokens } });
  expect((await currentAccessToken(mira))?.accessToken).toBe('of mira');
  await expect(currentAccessToken(jonas)).rejects.toThrow();
});

test("a workspace's tokens do not open in another's row", async () => {
  const [mira, jonas] = await workspaces();
  if (!mira || !jonas) throw new Error('Two workspaces are connected');
  expect(openNotionTokens(mira).accessToken).toMatch(/^ntn_/);
  expect(() => openNotionTokens({ id: jonas.id, sealedTokens: mira.sealedTokens })).toThrow();
});

test('tokens that were sealed without their row still open, until a rotation binds them to it', async () => {
  const [session, other] = await twoSessions();
  const [mira, jonas] = await workspaces();
  if (!mira || !jonas) throw new Error('Two workspaces are connected');
  const before = seal('{"accessToken":"from before"}', 'auth-session');
  await db().authSession.update({ where: { id: session }, data: { sealedTokens: before } });
  const tokens = openNotionTokens(mira);
  await db().notionWorkspace.update({
    where: { id: mira.id },
    data: { sealedTokens: seal(JSON.stringify(tokens), 'notion-tokens') },
  });
  const read = () => db().notionWorkspace.findUniqueOrThrow({ where: { id: mira.id } });
  expect((await currentAccessToken(session))?.accessToken).toBe('from before');
  expect(openNotionTokens(await read())).toEqual(tokens);

  expect((await runNode([await builtProgram('scripts/rotate-keys')])).ok).toBe(true);
  expect((await currentAccessToken(session))?.accessToken).toBe('from before');
  expect(openNotionTokens(await read())).toEqual(tokens);
  const { sealedTokens } = await db().authSession.findUniqueOrThrow({ where: { id: session } });
  await db().authSession.update({ where: { id: other }, data: { sealedTokens } });
  await expect(currentAccessToken(other)).rejects.toThrow();
  expect(() => openNotionTokens({ id: jonas.id, sealedTokens: mira.sealedTokens })).toThrow();
});
