import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { schemaOf } from './database-schema';
import { refreshDatabase, refreshKeptDatabase } from './refresh-database';
import { refreshKeptWorkspace } from './refresh-workspace';

const LIST = /^POST \/v1\/search/;
let pipeline: Pipeline;
let missed: MissedChanges;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  missed = new MissedChanges(pipeline);
});
afterAll(() => pipeline.story.product.stop());
beforeEach(() => pipeline.clear());

const control = (path: string, body: unknown, method = 'POST') =>
  pipeline.story.product.control('notion', method, path, body);
const rename = (from: string, to: string) =>
  missed.unheard(() => control('/databases', { database: from, name: to }, 'PATCH'));
const sharing = (action: 'share' | 'unshare') =>
  control(`/authorizations/${action}`, { person: 'mira', database: pipeline.story.docs.id });
const kept = (id = pipeline.story.board.dataSourceId) => db().notionDatabase.findFirst({ where: { id } });
const docs = () => kept(pipeline.story.docs.dataSourceId);
const workspaceId = () => missed.workspaceId();
const readWorkspace = async () => refreshKeptWorkspace({ workspaceId: await workspaceId() });
const readOne = async (databaseId: string) =>
  refreshKeptDatabase({ workspaceId: await workspaceId(), databaseId });

/** Lets something happen while the answer to one of the calls of a reading is on its way. */
async function whileReading<T>(
  call: RegExp,
  read: () => Promise<T>,
  act: () => Promise<unknown>,
): Promise<T> {
  const { answers, end } = await HeldAnswers.begin();
  answers.hold(call);
  const reading = read();
  await eventually(async () => answers.isHolding);
  await act();
  answers.release();
  try {
    return await reading;
  } finally {
    end();
  }
}

test('a list of databases that was asked for earlier does not undo a later reading of one of them', async () => {
  await whileReading(LIST, readWorkspace, async () => {
    await rename('Sprint board', 'Race board');
    await readOne(pipeline.story.board.dataSourceId);
  });
  expect((await kept())?.name).toBe('Race board');
  await rename('Race board', 'Sprint board');
  await readWorkspace();
  expect((await kept())?.name).toBe('Sprint board');
});

test('a list that was asked for earlier deletes no database that was shared since', async () => {
  await sharing('unshare');
  await readWorkspace();
  expect(await docs()).toBeNull();
  await whileReading(LIST, readWorkspace, async () => {
    await sharing('share');
    await readOne(pipeline.story.docs.dataSourceId);
  });
  expect(await docs()).toMatchObject({ name: 'Design docs', isShared: true });
});

test('a list that was asked for earlier marks no database as shared that is not shared since', async () => {
  await pipeline.rule({ databaseId: pipeline.story.docs.dataSourceId, watchedProperties: ['title'] });
  await whileReading(LIST, readWorkspace, async () => {
    await sharing('unshare');
    await readOne(pipeline.story.docs.dataSourceId);
  });
  expect(await docs()).toMatchObject({ isShared: false });
  await sharing('share');
  await readWorkspace();
  expect(await docs()).toMatchObject({ isShared: true });
});

test('an earlier answer that a database is gone does not undo a later one that it is shared', async () => {
  await sharing('unshare');
  const id = pipeline.story.docs.dataSourceId;
  await whileReading(
    new RegExp(`^GET /v1/data_sources/${id}`),
    () => readOne(id),
    async () => {
      await sharing('share');
      await readWorkspace();
    },
  );
  expect(await docs()).toMatchObject({ isShared: true });
});

test('who reads a database meanwhile gets what was read last', async () => {
  const id = pipeline.story.board.dataSourceId;
  const edit = (change: Record<string, unknown>) =>
    missed.unheard(() => control('/databases/schema', { database: 'Sprint board', edit: change }));
  const workspace = await missed.workspace();
  const read = await whileReading(
    new RegExp(`^GET /v1/data_sources/${id}`),
    () => refreshDatabase(workspace, id),
    async () => {
      await edit({ action: 'add property', name: 'Mood', type: 'number' });
      await readOne(id);
    },
  );
  const stored = await kept();
  expect(read.properties.map(({ name }) => name)).toContain('Mood');
  expect(read.properties).toEqual(stored && schemaOf(stored));
  expect(read.statusPropertyId).toBe(pipeline.story.property('Status'));
  await edit({ action: 'delete property', property: 'Mood' });
});

test('a time from before the clock was set back keeps no reading from being stored', async () => {
  const ahead = new Date(Date.now() + 3_600_000);
  await db().notionDatabase.updateMany({ data: { name: 'Old', schemaCheckedAt: ahead } });
  await readWorkspace();
  expect(await kept()).toMatchObject({ name: 'Sprint board' });
  expect((await kept())?.schemaCheckedAt.getTime()).toBeLessThan(ahead.getTime());
});
