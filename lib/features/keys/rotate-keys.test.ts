import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSession, currentAccessToken } from '@/lib/auth/session-tokens';
import { open, seal, UnknownKeyError } from '@/lib/crypto';
import { databasePool, db, Prisma } from '@/lib/db/database';
import { builtProgram } from '@/lib/testing/built-program';
import { createEmptyDatabase } from '@/lib/testing/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { toggleKey } from '@/lib/testing/toggle-key';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { runNode } from '../../../scripts/run-command';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns';

const NEW = Buffer.alloc(32, 7).toString('base64');
let pipeline: Pipeline;
let ruleId: string;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  ruleId = (await pipeline.rule()).id;
});

const old = () => process.env.ENCRYPTION_KEYS ?? '';
const rotate = async (keys = `${NEW},${old()}`) =>
  runNode([await builtProgram('scripts/rotate-keys')], { env: { ENCRYPTION_KEYS: keys } });

/** How many values of a column each key has sealed, by the key's id. */
async function keysOf({ table, column }: Pick<SealedColumn, 'table' | 'column'>) {
  const [name, sealed] = [Prisma.raw(table), Prisma.raw(column)];
  const rows = await db().$queryRaw<{ key: string; count: number }[]>`
    select encode(substring(${sealed} from 2 for 4), 'hex') as key, count(*)::int as count
    from ${name} where ${sealed} is not null group by 1`;
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/** Lets the product make a value of every column with the old key. */
async function liveOnOldKey(): Promise<string> {
  const { accountId, workspaceId } = await db().rule.findUniqueOrThrow({ where: { id: ruleId } });
  await addCardsOfRule(ruleId, ['one', 'two']);
  const sealedSummary = seal('{}', 'summary:x');
  await db().decision.updateMany({ data: { sealedSummary } });
  for (const { id } of await db().decision.findMany()) {
    await db().decision.updateMany({ where: { id }, data: { sealedSummary: seal('{}', `summary:${id}`) } });
  }
  const id = randomUUID();
  await db().chatInteraction.create({
    data: { id, accountId, sealedDraft: seal('{}', `draft:${id}`) },
  });
  const sealedPages = seal('[]', `summary-list:${id}`);
  await db().summaryList.create({ data: { messageId: id, accountId, ruleId, sealedPages } });
  const sealedChange = seal('{}', `kept-change:${id}`);
  const discordUserId = '208917000000000101';
  await db().keptChange.create({
    data: { interactionId: id, accountId, workspaceId, discordUserId, sealedChange },
  });
  return createSession(accountId, { accessToken: 'of mira' }, new Date(Date.now() + 3_600_000));
}

test('everything is resealed while the old key still opens it, and then the old key may be removed', async () => {
  const sessionId = await liveOnOldKey();
  const before = await Promise.all(SEALED_COLUMNS.map(keysOf));
  const [oldKey] = before[0]?.keys() ?? [];
  for (const keys of before) expect([...keys.keys()]).toEqual([oldKey]);

  const { ok, output } = await rotate();
  expect(output).toContain(`Key 2 (${oldKey}) seals nothing any more. It may be removed now.`);
  expect(ok).toBe(true);
  const after = await Promise.all(SEALED_COLUMNS.map(keysOf));
  for (const [index, keys] of after.entries()) {
    expect([...keys.keys()]).not.toContain(oldKey);
    expect([...keys.values()]).toEqual([...(before[index]?.values() ?? [])]);
  }
  await expect(currentAccessToken(sessionId)).rejects.toBeInstanceOf(UnknownKeyError);

  const deployed = new PipelineProcess(0, 0, { ENCRYPTION_KEYS: NEW });
  await deployed.start();
  await eventually(async () => (await pipeline.cards()).length === 2);
  expect((await pipeline.cards()).map(({ content }) => content)).toEqual(['one', 'two']);
  await deployed.kill();
  const back = await rotate(`${old()},${NEW}`);
  expect(back.ok).toBe(true);
  expect((await currentAccessToken(sessionId))?.accessToken).toBe('of mira');
});

test('a rotation that is stopped at any time is finished by the next one', async () => {
  const many = 6000;
  const { accountId, channelId } = await db().rule.findUniqueOrThrow({ where: { id: ruleId } });
  const rows = Array.from({ length: many }, () => randomUUID()).map((id) => ({
    id,
    at: new Date(),
    accountId,
    targetId: channelId,
    state: 'failed' as const,
    sealedBody: seal(`{"content":"${id}"}`, `delivery:${id}`),
  }));
  await db().message.createMany({ data: rows });
  const [oldKey = ''] = (await keysOf({ table: 'message', column: 'sealed_body' })).keys();
  const left = async () => (await keysOf({ table: 'message', column: 'sealed_body' })).get(oldKey) ?? 0;

  const ended = new AbortController();
  const first = runNode([await builtProgram('scripts/rotate-keys')], {
    env: { ENCRYPTION_KEYS: `${NEW},${old()}` },
    lifetime: {
      add: (end: () => Promise<void>) => ended.signal.addEventListener('abort', () => void end()),
    } as never,
  });
  await eventually(async () => (await left()) < many);
  ended.abort();
  expect((await first).ok).toBe(false);
  expect(await left()).toBeGreaterThan(0);

  expect((await rotate()).ok).toBe(true);
  expect(await left()).toBe(0);
  expect((await rotate(`${old()},${NEW}`)).ok).toBe(true);
  for (const { id, sealedBody } of await db().message.findMany()) {
    expect(open(sealedBody ?? new Uint8Array(), `delivery:${id}`)).toBe(`{"content":"${id}"}`);
  }
});

test('the rotation neither overwrites a value that is being written nor waits for it', async () => {
  const { workspaceId } = await db().rule.findUniqueOrThrow({ where: { id: ruleId } });
  const theirs = seal('{"theirs":{}}', `snapshot:${workspaceId}:busy`);
  const where = { workspaceId_pageId: { workspaceId, pageId: 'busy' } };
  await db().pageSnapshot.create({
    data: {
      workspaceId,
      pageId: 'busy',
      databaseId: 'd',
      sealedValues: seal('{}', `snapshot:${workspaceId}:busy`),
    },
  });
  const writer = await databasePool().connect();
  await writer.query('begin');
  await writer.query(`update page_snapshot set sealed_values = $1 where page_id = 'busy'`, [
    Buffer.from(theirs),
  ]);
  const { ok, output } = await rotate();
  await writer.query('commit');
  writer.release();
  expect(ok).toBe(false);
  expect(output).toMatch(/still seals 1 value\. Run this again when every process seals with key 1\./);
  expect(output).toMatch(/page_snapshot\.sealed_values: 1 value of key \w{8}, being written just now/);
  expect(Buffer.from((await db().pageSnapshot.findUniqueOrThrow({ where })).sealedValues)).toEqual(
    Buffer.from(theirs),
  );
  expect((await rotate(`${old()},${NEW}`)).ok).toBe(true);
  const { sealedValues } = await db().pageSnapshot.findUniqueOrThrow({ where });
  expect(open(sealedValues, `snapshot:${workspaceId}:busy`)).toBe('{"theirs":{}}');
});

test('a key is needed as long as values are left that cannot be opened, and the report says where they are', async () => {
  await addCardsOfRule(ruleId, ['one']);
  await db()
    .$executeRaw`update message set sealed_body = set_byte(sealed_body, 20, get_byte(sealed_body, 20) # 255)`;
  const damaged = await rotate();
  expect(damaged.ok).toBe(false);
  expect(damaged.output).toMatch(
    /Key 2 \(\w{8}\) still seals 1 value\. It may not be removed while it does\./,
  );
  expect(damaged.output).toMatch(
    /message\.sealed_body: 1 value of key \w{8}, damaged or of another row, so that no key opens them/,
  );
  await toggleKey('message', 'sealed_body');
  const unknown = await rotate();
  expect(unknown.ok).toBe(false);
  expect(unknown.output).toMatch(/Key 2 \(\w{8}\) seals nothing any more/);
  expect(unknown.output).toMatch(
    /1 value of key \w{8}, sealed with a key that ENCRYPTION_KEYS does not have/,
  );
  await db().message.deleteMany();
  await rotate(`${old()},${NEW}`);
});

test('a rotation that does not reach the database says so in one sentence, and fails', async () => {
  const DATABASE_URL = 'postgresql://pagewire:pass@127.0.0.1:9/pagewire';
  const { ok, output } = await runNode([await builtProgram('scripts/rotate-keys')], {
    env: { DATABASE_URL },
  });
  expect(output).toMatch(/^Pagewire .*no answer from the database by DATABASE_URL: .*ECONNREFUSED.*\n$/);
  expect(ok).toBe(false);
});

test('a rotation of a database without the migrations of this version says so in one sentence, and fails', async () => {
  const { url, drop } = await createEmptyDatabase();
  const { ok, output } = await runNode([await builtProgram('scripts/rotate-keys')], {
    env: { DATABASE_URL: url, DATABASE_SESSION_URL: url },
  });
  expect(output).toBe('The database lacks migrations of this version. Apply them first: npm run migrate\n');
  expect(ok).toBe(false);
  await drop();
});

test('the token in a job that revokes it is resealed', async () => {
  await pipeline.clear();
  await pipeline.story.product.call('mira', 'DELETE', '/api/app/notion/workspace');
  expect((await rotate()).ok).toBe(true);
  const deployed = new PipelineProcess(0, 0, { ENCRYPTION_KEYS: NEW });
  await deployed.start();
  await eventually(async () => {
    const list: { isActive: boolean }[] = await pipeline.story.product.control(
      'notion',
      'GET',
      '/authorizations',
    );
    return list.every(({ isActive }) => !isActive);
  });
  await deployed.kill();
});
