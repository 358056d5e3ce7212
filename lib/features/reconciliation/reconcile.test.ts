import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { stepClock } from '@/lib/testing/stepping-clock';
import { HOUR_MS, MINUTE_MS } from '@/lib/time';
import { reconcileWorkspace } from './reconcile';
import { startDuePasses } from './schedule-passes';

const GOLEM = 'Boss fight: ember golem';
const ASH = 'Ash storm weather effect';
let pipeline: Pipeline;
let missed: MissedChanges;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  missed = new MissedChanges(pipeline);
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.idle();
  await missed.clear();
  await pipeline.clear();
});

const control = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.control('notion', method, path, body);
const redeliver = async () => {
  const dropped = (await pipeline.events()).findLast(({ state }) => state === 'dropped');
  await pipeline.redeliver(dropped?.id ?? '');
  await pipeline.idle();
};

async function checkpoint(): Promise<Date> {
  const { checkpointAt } = await db().notionDatabase.findFirstOrThrow({
    where: { id: pipeline.story.board.dataSourceId },
  });
  return checkpointAt ?? new Date(0);
}

/** A rule for the status of a page in the backlog, last compared a quarter of an hour ago. */
async function watch(page: string, changes: Record<string, unknown> = {}): Promise<void> {
  await pipeline.prepare(page, { Status: 'Backlog' });
  await pipeline.rule(changes);
  await missed.lookedAt(15);
}

describe('a change that no webhook reported', () => {
  test('becomes one card, however many passes find it', async () => {
    await watch(GOLEM);
    await missed.edit(GOLEM, { Status: 'Done' });
    await missed.pass();
    await missed.lookedAt(15);
    await missed.pass();
    const [card, ...more] = await pipeline.cards();
    expect(card.embeds[0].description).toMatch(
      /^Status: Backlog → Done\nUpdated by .*Mira|^Status: Backlog → Done/,
    );
    expect(more).toEqual([]);
    expect(await pipeline.outcomes()).toEqual(['posted']);
  });

  test('posts no second card when its webhook arrives after all', async () => {
    await watch(GOLEM);
    await missed.edit(GOLEM, { Status: 'Done' });
    await missed.pass();
    await redeliver();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
    expect((await pipeline.outcomes()).sort()).toEqual(['posted', 'unchanged']);
  });

  test('and another one of the same page become one card with the last value', async () => {
    await watch(GOLEM);
    await missed.edit(GOLEM, { Status: 'In review' }, 9);
    await missed.edit(GOLEM, { Status: 'Done' }, 7);
    await missed.pass();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  });

  test('is told although an earlier pass has told another one of the same minute', async () => {
    await watch(GOLEM);
    const at = new Date(Date.now() - 5 * MINUTE_MS).toISOString();
    for (const Status of ['In review', 'Done']) {
      const body = { page: GOLEM, database: 'Sprint board', properties: { Status }, at };
      await missed.unheard(() => control('PATCH', '/rows', body));
      await missed.lookedAt(15);
      await missed.pass();
    }
    expect(await pipeline.lines()).toEqual([
      `${GOLEM}: Status: Backlog → In review`,
      `${GOLEM}: Status: In review → Done`,
    ]);
  });

  test.each([15, 180])(
    'is told once a process has the key of the old values, after %d minutes',
    async (minutes) => {
      await pipeline.prepare(ASH, { Status: 'Backlog' });
      await watch(GOLEM);
      await missed.lookedAt(minutes);
      await pipeline.story.product.rest();
      for (const page of [ASH, GOLEM]) await missed.edit(page, { Status: 'Done' });
      const pageId = await pipeline.pageId(ASH);
      const toggle = () => db().$executeRaw`
      update page_snapshot set sealed_values = set_byte(sealed_values, 1, get_byte(sealed_values, 1) # 255)
      where page_id = ${pageId}`;
      await toggle();
      expect(await reconcileWorkspace({ workspaceId: await missed.workspaceId() })).toEqual({ done: true });
      await toggle();
      await pipeline.story.product.work();
      await pipeline.idle();
      const expected = [ASH, GOLEM].map((page) => `${page}: Status: Backlog → Done`);
      expect((await pipeline.lines()).sort()).toEqual(expected);
    },
  );

  test('and was undone posts no card', async () => {
    await watch(GOLEM);
    await missed.edit(GOLEM, { Status: 'Done' }, 9);
    await missed.edit(GOLEM, { Status: 'Backlog' }, 7);
    await missed.pass();
    expect(await pipeline.outcomes()).toEqual([]);
  });

  test('is not the conversion of a column into another type', async () => {
    const board = (edit: object) => control('POST', '/databases/schema', { database: 'Sprint board', edit });
    await missed.unheard(() => board({ action: 'add property', name: 'Mood', type: 'rich_text' }));
    await missed.edit(GOLEM, { Mood: 'Bright' });
    await watch(GOLEM, { watchedProperties: ['Mood', 'Status'] });
    await missed.unheard(() => board({ action: 'convert property', property: 'Mood', type: 'select' }));
    await missed.edit(GOLEM, { Estimate: 34 });
    await missed.pass();
    expect(await pipeline.outcomes()).toEqual([]);
    await missed.edit(GOLEM, { Status: 'Done' });
    await missed.lookedAt(15);
    await missed.pass();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
    await missed.unheard(() => board({ action: 'delete property', property: 'Mood' }));
  });

  test('that is a new page becomes one card, also when its webhook arrives after all', async () => {
    await pipeline.rule({ eventType: 'page_created' });
    await missed.lookedAt(15);
    await missed.create({ Name: 'Lava level', Status: 'Backlog' });
    await missed.pass();
    await missed.lookedAt(15);
    await missed.pass();
    await redeliver();
    await pipeline.settle();
    expect((await pipeline.cards()).map(({ embeds }) => embeds[0].title)).toEqual(['Lava level']);
  });

  test('waits while its webhook may still arrive, and is posted soon after', async () => {
    await watch(GOLEM);
    await missed.edit(GOLEM, { Status: 'Done' }, 0);
    await pipeline.story.product.rest();
    await missed.lookedAt(15);
    const workspaceId = await missed.workspaceId();
    await reconcileWorkspace({ workspaceId });
    expect(await pipeline.outcomes()).toEqual([]);
    const [again] = await db().$queryRaw<{ waitMs: number }[]>`
      select extract(epoch from run_at - now())::float * 1000 as "waitMs"
      from graphile_worker._private_jobs where key = ${`reconcile:${workspaceId}:again`}`;
    expect(again?.waitMs).toBeGreaterThan(2 * MINUTE_MS);
    await pipeline.story.product.work();
    await pipeline.idle();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  });

  test('is posted even if Notion is unreachable at first', async () => {
    await watch(GOLEM);
    await missed.edit(GOLEM, { Status: 'Done' });
    pipeline.fault({ target: 'notion', kind: 'fail', match: '/query', status: 429 });
    pipeline.fault({ target: 'notion', kind: 'fail', match: '/query', status: 503 });
    await missed.pass();
    expect(await missed.queries()).toBeGreaterThanOrEqual(3);
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  });

  test('is looked for as soon as a workspace is connected again', async () => {
    await watch(GOLEM);
    await missed.edit(GOLEM, { Status: 'Done' });
    await pipeline.story.product.connectNotion('mira', [pipeline.story.board.id, pipeline.story.docs.id]);
    await pipeline.idle();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  });
});

test('a new page that could not be read while its connection was lost is posted once when connected again', async () => {
  const { product, board, docs } = pipeline.story;
  await pipeline.rule({ eventType: 'page_created' });
  await missed.lookedAt(15);
  await missed.create({ Name: 'Lava tube', Status: 'Backlog' });
  await control('POST', '/authorizations/revoke', { person: 'mira' });
  await redeliver();
  expect(await pipeline.outcomes()).toEqual(['notion_refused']);
  await product.connectNotion('mira', [board.id, docs.id]);
  await pipeline.settle();
  const titles = async () => (await pipeline.cards()).map(({ embeds }) => embeds[0].title);
  expect(await titles()).toEqual(['Lava tube']);

  await missed.lookedAt(15);
  await missed.pass();
  await redeliver();
  await pipeline.settle();
  expect(await titles()).toEqual(['Lava tube']);
});

test('a change that a pass left to its event, which Notion then refused, is posted when connected again', async () => {
  const { product, board, docs } = pipeline.story;
  await watch(GOLEM);
  await missed.edit(GOLEM, { Status: 'Done' }, 30);
  await missed.lookedAt(10);
  await control('POST', '/authorizations/revoke', { person: 'mira' });
  await redeliver();
  expect(await pipeline.outcomes()).toEqual(['notion_refused']);
  // As if it had waited since the change.
  await db().$executeRaw`update notion_event set occurred_at = occurred_at - interval '30 minutes'`;
  await product.connectNotion('mira', [board.id, docs.id]);
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
});

test('a new page that cannot be read is asked for once more, and not by every pass', async () => {
  await pipeline.rule({ eventType: 'page_created' });
  await missed.lookedAt(15);
  await missed.create({ Name: 'Lava lamp', Status: 'Backlog' });
  pipeline.fault({ target: 'notion', kind: 'fail', match: '^GET /v1/pages/', status: 403, times: 0 });
  await redeliver();
  for (let pass = 0; pass < 2; pass += 1) {
    await missed.pass();
    await missed.lookedAt(15);
  }
  expect(await pipeline.outcomes()).toEqual(['notion_refused', 'notion_refused']);
});

test('what could not be read because its database was not shared for a while is told once it is shared again', async () => {
  await watch(GOLEM);
  await pipeline.rule({
    eventType: 'page_created',
    watchedProperties: [],
    channelId: pipeline.story.channel('bugs'),
  });
  await pipeline.story.product.rest();
  await pipeline.edit(GOLEM, { Status: 'Done' });
  const Name = 'Lava tunnel';
  await pipeline.told(() => control('POST', '/rows', { database: 'Sprint board', properties: { Name } }));
  const { id: database } = pipeline.story.board;
  await control('POST', '/authorizations/unshare', { person: 'mira', database });
  await pipeline.story.product.work();
  await pipeline.idle();
  expect(await pipeline.outcomes()).toEqual(['page_gone', 'page_gone']);
  await control('POST', '/authorizations/share', { person: 'mira', database });
  await missed.lookedAt(15);
  await missed.pass();
  await pipeline.settle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  expect((await pipeline.cards('bugs')).map(({ embeds }) => embeds[0].title)).toEqual([Name]);
  await control('POST', '/rows/trash', { page: Name });
});

test('a database without changes costs one query, and one more on a new day; its checkpoint moves on', async () => {
  await watch(GOLEM);
  await missed.pass();
  await missed.lookedAt(15);
  const before = await checkpoint();
  await control('DELETE', '/calls');
  await missed.pass();
  const after = await checkpoint();
  // The first pass of a day in UTC also lists the trash.
  const queries = before.getUTCDate() === after.getUTCDate() ? 1 : 2;
  expect(await control('GET', '/calls')).toEqual({
    [`POST /v1/data_sources/${pipeline.story.board.dataSourceId}/query`]: queries,
  });
  const behindMs = Date.now() - after.getTime();
  expect(behindMs).toBeGreaterThanOrEqual(2 * MINUTE_MS);
  expect(behindMs).toBeLessThan(4 * MINUTE_MS);
});

test('a pass by a worker whose clock is an hour ahead leaves the edits of that hour to later passes', async () => {
  await watch(GOLEM);
  await pipeline.story.product.rest();
  const workspaceId = await missed.workspaceId();
  stepClock(HOUR_MS);
  await reconcileWorkspace({ workspaceId }).finally(() => stepClock(-HOUR_MS));
  expect((await checkpoint()).getTime()).toBeLessThan(Date.now());
});

test('a page with an unprocessed event is left to that event', async () => {
  await watch(GOLEM);
  await pipeline.story.product.rest();
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await missed.edit(GOLEM, { Priority: 'Low' });
  await reconcileWorkspace({ workspaceId: await missed.workspaceId() });
  expect(await db().notionEvent.count({ where: { id: { startsWith: 'reconciled:' } } })).toBe(0);
  await pipeline.story.product.work();
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
});

test('more edits than Notion lists in one query are all found', async () => {
  const titles = Array.from({ length: 9 }, (_, index) => `Torch ${index + 1}`);
  for (const Name of titles) await missed.create({ Name, Status: 'Backlog' }, 60);
  await pipeline.rule();
  await missed.lookedAt(30);
  for (const [index, title] of titles.entries()) await missed.edit(title, { Status: 'Cut' }, 25 - 2 * index);
  await control('PATCH', '/settings', { queryRowLimit: 4 });
  await missed.pass();
  await control('PATCH', '/settings', { queryRowLimit: 10_000 });
  expect((await pipeline.lines()).sort()).toEqual(titles.map((title) => `${title}: Status: Backlog → Cut`));
});

test('more edits of one minute than Notion lists in one query are all found, and later ones too', async () => {
  const titles = Array.from({ length: 7 }, (_, index) => `Beacon ${index + 1}`);
  for (const [index, Name] of titles.entries())
    await missed.create({ Name, Status: 'Backlog' }, 60 + 2 * index);
  await pipeline.rule();
  await missed.lookedAt(30);
  for (const title of titles.slice(0, 6)) await missed.edit(title, { Status: 'Cut' }, 20);
  for (const title of titles.slice(6)) await missed.edit(title, { Status: 'Cut' }, 10);
  await control('PATCH', '/settings', { queryRowLimit: 2 });
  await missed.pass();
  await control('PATCH', '/settings', { queryRowLimit: 10_000 });
  expect((await pipeline.lines()).sort()).toEqual(titles.map((title) => `${title}: Status: Backlog → Cut`));
});

test('a pass with many edits lets others go first after each minute’s calls, and goes on where it was', async () => {
  const titles = Array.from({ length: 70 }, (_, index) => `Lantern ${index + 1}`);
  for (const Name of titles) await missed.create({ Name, Status: 'Backlog' }, 180);
  await pipeline.rule();
  await missed.lookedAt(90);
  await pipeline.story.product.rest();
  for (const [index, title] of titles.entries()) await missed.edit(title, { Status: 'Cut' }, 80 - index);
  await control('PATCH', '/settings', { queryRowLimit: 2 });
  const workspaceId = await missed.workspaceId();
  expect(await reconcileWorkspace({ workspaceId })).toHaveProperty('retryInMs');
  const told = () =>
    pipeline.story.product
      .work()
      .then(() => pipeline.idle())
      .then(() => pipeline.cards());
  expect(await told()).toEqual([]);
  expect(await reconcileWorkspace({ workspaceId })).toEqual({ done: true });
  await control('PATCH', '/settings', { queryRowLimit: 10_000 });
  const descriptions = (await told()).map(({ embeds }) => embeds[0]?.description);
  expect(descriptions).toEqual([expect.stringContaining('Meanwhile 70 pages changed:')]);
});

test('the snapshot of a page that has been in the trash for an hour is deleted', async () => {
  await watch(GOLEM);
  const pageId = await pipeline.pageId(ASH);
  for (const [minutes, kept] of [
    [5, 1],
    [90, 0],
  ] as const) {
    const at = new Date(Date.now() - minutes * MINUTE_MS).toISOString();
    await missed.unheard(() => control('POST', '/rows/trash', { page: ASH, at }));
    await missed.lookedAt(15);
    await missed.edit(GOLEM, { Status: kept ? 'In progress' : 'Done' });
    await missed.pass();
    await missed.unheard(() => control('POST', '/rows/restore', { page: ASH }));
    expect(await db().pageSnapshot.count({ where: { pageId } })).toBe(kept);
  }
});

test('the checkpoint of a quiet database moves on also if Notion does not list its trash', async () => {
  await watch(GOLEM);
  const at = new Date(Date.now() - 72 * HOUR_MS).toISOString();
  for (const { title: page } of await control('GET', '/rows?database=Sprint%20board'))
    await control('PATCH', '/rows', { page, database: 'Sprint board', properties: {}, at });
  await missed.lookedAt(25 * 60);
  await control('PATCH', '/settings', { refuseTrashQueries: true });
  await missed.pass();
  await control('PATCH', '/settings', { refuseTrashQueries: false });
  expect(Date.now() - (await checkpoint()).getTime()).toBeLessThan(HOUR_MS);
});

test('changes while nothing may be posted are not posted later', async () => {
  await watch(GOLEM);
  await missed.edit(GOLEM, { Status: 'Done' });
  const account = await db().account.findFirstOrThrow({ where: { subject: { endsWith: '101' } } });
  const until = (trialEndsAt: Date) =>
    db().account.update({ where: { id: account.id }, data: { trialEndsAt } });
  await until(new Date(Date.now() - HOUR_MS));
  await control('DELETE', '/calls');
  await missed.pass();
  expect(await missed.queries()).toBe(0);
  await until(account.trialEndsAt);
  await missed.pass();
  expect(await pipeline.cards()).toEqual([]);
});

test('every workspace with rules is due a quarter of an hour after its last pass', async () => {
  await watch(GOLEM);
  const id = await missed.workspaceId();
  // Before the pass is due, because a worker starts it when a minute begins.
  await missed.edit(GOLEM, { Status: 'Done' });
  await db().notionWorkspace.update({ where: { id }, data: { reconcileAt: new Date(Date.now() - HOUR_MS) } });
  await startDuePasses();
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  const { reconcileAt } = await db().notionWorkspace.findUniqueOrThrow({ where: { id } });
  expect(Math.abs(reconcileAt.getTime() - Date.now() - 15 * MINUTE_MS)).toBeLessThan(1.5 * MINUTE_MS);
});
