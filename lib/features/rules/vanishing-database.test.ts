import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { whileLocked } from '@/lib/testing/while-locked';
import { refreshKeptDatabase } from '../workspaces/refresh-database';

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  await sharing('share');
  await readDocs();
});

const sharing = (action: 'share' | 'unshare') =>
  pipeline.story.product.control('notion', 'POST', `/authorizations/${action}`, {
    person: 'mira',
    database: pipeline.story.docs.id,
  });
const where = () => ({ id: pipeline.story.docs.dataSourceId });
async function readDocs() {
  const { id: workspaceId } = await db().notionWorkspace.findFirstOrThrow();
  await refreshKeptDatabase({ workspaceId, databaseId: pipeline.story.docs.dataSourceId });
}

const send = (method: string, path: string) =>
  pipeline.story.product.call('mira', method, `/api/app/rules${path}`, {
    databaseId: pipeline.story.docs.dataSourceId,
    eventType: 'page_created',
    channelId: pipeline.story.channel('tasks'),
  });

test.each(['POST', 'PUT'])(
  '%s of a rule for a database that vanishes while it is checked is a 404',
  async (method) => {
    const path = method === 'PUT' ? `/${(await pipeline.rule()).id}` : '';
    let answer: ReturnType<typeof send> | undefined;
    await whileLocked('select 1 from account for no key update', async (blocked) => {
      answer = send(method, path);
      await blocked(1);
      await sharing('unshare');
      await readDocs();
    });
    const error = 'That database is not shared with Pagewire.';
    expect(await answer).toMatchObject({ status: 404, body: { error, code: 'not_found' } });
    expect(await db().rule.count({ where: { databaseId: pipeline.story.docs.dataSourceId } })).toBe(0);
    expect(await db().notionDatabase.findFirst({ where: where() })).toBeNull();
  },
);

test('a database that vanishes while a rule for it is stored is kept with the rule', async () => {
  let answer: ReturnType<typeof send> | undefined;
  let reading: Promise<void> | undefined;
  await whileLocked('lock table audit_entry in share mode', async (blocked) => {
    answer = send('POST', '');
    await blocked(1);
    await sharing('unshare');
    reading = readDocs();
    await blocked(2);
  });
  expect(await answer).toMatchObject({ status: 201 });
  await reading;
  expect(await db().rule.count()).toBe(1);
  expect(await db().notionDatabase.findFirst({ where: where() })).toMatchObject({ isShared: false });
});
