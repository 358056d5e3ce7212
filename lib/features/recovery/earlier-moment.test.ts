import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, db } from '@/lib/db/database';
import { Channels } from '@/lib/testing/channels';
import { CountedChanges } from '@/lib/testing/counted-changes';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { DigestSteps } from '@/lib/testing/digest-steps';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { HOUR_MS, MINUTE_MS } from '@/lib/time';
import { MARK_RESTORED_SQL } from './mark-restored-sql';

const EVERY_MS = 60;
const ENOUGH = 6;

let database: TestDatabase;
let server: pg.Client;
let pipeline: Pipeline;
let name: string;

beforeAll(async () => {
  database = await createTestDatabase();
  pipeline = new Pipeline(await startConnectedProduct(database));
  const address = new URL(database.url);
  name = address.pathname.slice(1);
  address.pathname = '/postgres';
  server = new pg.Client({ connectionString: address.href });
  await server.connect();
});
afterAll(async () => {
  await pipeline.story.product.stop();
  await server.query(`drop database if exists ${name}_lost with (force)`);
  await server.query(`drop database if exists ${name}_backup with (force)`);
  await server.end();
});

/** Runs a statement about the database while nobody else is connected to it. */
async function alone(statement: string): Promise<void> {
  await server.query(`alter database ${name} allow_connections false`);
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await eventually(() =>
    server.query(statement).then(
      () => true,
      (error) => {
        if (error.code !== '55006') throw error;
        return false;
      },
    ),
  );
}

/** Backs up the database in the middle of its work. */
async function backUp(): Promise<void> {
  await alone(`create database ${name}_backup template ${name}`);
  await server.query(`alter database ${name} allow_connections true`);
}

/** Restores the backup; everything since then is lost. */
async function restore(): Promise<void> {
  await closeDatabase();
  await server.query(`drop database if exists ${name}_lost`);
  await alone(`alter database ${name} rename to ${name}_lost`);
  await server.query(`alter database ${name}_backup rename to ${name}`);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(MARK_RESTORED_SQL);
  await client.end();
}

/** Lets so much time pass in Discord that it no longer recognises a repeated message. */
async function forgetNonces(): Promise<void> {
  const clock = `${pipeline.story.product.sandbox.context.urls.discord}/_sandbox/clock`;
  await fetch(clock, { method: 'POST', body: JSON.stringify({ advanceMs: 10 * MINUTE_MS }) });
}

test('what was posted and forgotten is not posted again, and what was not posted yet is', async () => {
  const { product } = pipeline.story;
  await product.work();
  const changes = await CountedChanges.begin(pipeline);
  const going = changes.keepGoing(EVERY_MS);
  const countCards = async () => (await pipeline.cards()).length;
  await eventually(async () => (await countCards()) > ENOUGH);
  await backUp();
  const backedUp = await countCards();
  await eventually(async () => (await countCards()) > backedUp + ENOUGH);
  await product.rest();
  await going.stop();
  const before = await countCards();
  // Nobody sends these changes, and they are lost with the database.
  await changes.everyPage();
  await restore();
  const known = await db().message.count({ where: { state: 'sent' } });
  // As after a backup of last night. Otherwise, changes missed for more than an hour become one card.
  await new MissedChanges(pipeline).lookedAt(600);
  await changes.editedLongAgo();
  await product.work();
  await changes.redeliverFailed();
  await changes.toldOnce();
  const after = await countCards();
  expect(before).toBeGreaterThan(known);
  expect(after).toBeGreaterThan(before);
});

test('a living card that was posted and forgotten goes on, or becomes a link to the new one', async () => {
  const { product } = pipeline.story;
  const [same, changed, known] = [
    'Dodge window tuning',
    'Lantern upgrade screen',
    'Boss fight: ember golem',
  ] as const;
  await pipeline.clear();
  await product.work();
  for (const page of [same, changed, known]) {
    await pipeline.prepare(page, { Status: 'Backlog', Estimate: 1 });
  }
  const watchedProperties = ['Estimate', 'Status'].map((name) => pipeline.story.property(name));
  await pipeline.rule({ card: 'living', watchedProperties });
  const tell = async (page: string, Estimate: number) => {
    await pipeline.edit(page, { Estimate });
    await pipeline.idle();
  };
  await tell(known, 2);
  await backUp();
  for (const page of [same, changed]) await tell(page, 2);
  await tell(known, 3);
  const [old, first, second] = await pipeline.cards();
  const told = await product.messages(old.id);
  expect(told).toHaveLength(1);
  await product.rest();
  const missed = new MissedChanges(pipeline);
  await missed.edit(changed, { Estimate: 3 });
  const longAgo = new Date(Date.now() - 5 * MINUTE_MS).toISOString();
  for (const page of [same, known]) {
    await product.control('notion', 'PATCH', '/rows', { page, database: 'Sprint board', at: longAgo });
  }
  await restore();
  await missed.lookedAt(600);
  await product.work();
  await missed.pass();
  const [kept, standing, moved, anew, ...others] = await pipeline.cards();
  expect(kept.embeds[0].description.split('\n')).toContain('Estimate: 3');
  expect(await product.messages(old.id)).toEqual(told);
  expect(others).toEqual([]);
  expect(standing).toEqual(first);
  expect(moved).toMatchObject({ id: second.id, embeds: [], components: [] });
  expect(moved.content).toContain(`The card of ${changed} continues here: `);
  expect(moved.content).toContain(`/${anew.id}`);
  const lines = anew.embeds[0].description.split('\n');
  expect(lines.slice(0, 2)).toEqual(['Status: Backlog', 'Estimate: 3']);
});

test('a comment and a digest are left out only if they were posted themselves', async () => {
  const { product } = pipeline.story;
  const page = 'Dodge window tuning';
  await pipeline.clear();
  await product.work();
  await pipeline.prepare(page, { Status: 'Backlog' });
  await pipeline.rule({ eventType: 'comment_created', watchedProperties: [] });
  await pipeline.rule({ timing: { kind: 'digest', every: 'hour' } });
  await pipeline.edit(page, { Status: 'Done' });
  await pipeline.idle();
  await backUp();
  const comment = (text: string) => () =>
    product.control('notion', 'POST', '/comments', { page, database: 'Sprint board', as: 'jonas', text });
  const posted = await pipeline.told(comment('Nr: 1'));
  const digests = new DigestSteps(pipeline);
  await digests.tell();
  const before = await pipeline.cards();
  await product.rest();
  await product.control('notion', 'PATCH', '/settings', { webhooksPaused: true });
  const unheard = await pipeline.told(comment('Nr: 2'));
  await product.control('notion', 'PATCH', '/settings', { webhooksPaused: false });
  await restore();
  await forgetNonces();
  await product.work();
  for (const { id } of [posted, unheard]) await pipeline.redeliver(id);
  await digests.tell();
  const texts = (await pipeline.cards()).map(({ embeds }) => embeds[0].description.split('\n')[0]);
  expect(before).toHaveLength(2);
  expect(texts.toSorted()).toEqual(['**Done**', '> Nr: 1', '> Nr: 2']);
});

test('cards that were posted and forgotten are not counted as a flood', async () => {
  const { product } = pipeline.story;
  const pages = ['Dodge window tuning', 'Lantern upgrade screen'];
  await pipeline.clear();
  await product.work();
  for (const page of pages) await pipeline.prepare(page, { Status: 'Backlog' });
  const { id: ruleId } = await pipeline.rule({ rollUp: true });
  await backUp();
  for (const page of pages) await pipeline.edit(page, { Status: 'Done' });
  await pipeline.idle();
  const before = await pipeline.cards();
  await product.rest();
  const longAgo = new Date(Date.now() - 5 * MINUTE_MS).toISOString();
  for (const page of pages) {
    await product.control('notion', 'PATCH', '/rows', { page, database: 'Sprint board', at: longAgo });
  }
  await restore();
  // As after ten other changes that were found.
  const { accountId } = await db().rule.findUniqueOrThrow({ where: { id: ruleId } });
  const pace = { ruleId, accountId, channelId: pipeline.story.channel('tasks'), came: 10, admitted: 10 };
  await db().postingPace.create({ data: { ...pace, recent: Array(10).fill(new Date()) } });
  const missed = new MissedChanges(pipeline);
  await missed.lookedAt(600);
  await product.work();
  await missed.pass();
  expect(before).toHaveLength(2);
  expect(await pipeline.cards()).toEqual(before);
});

test('a message that waited is looked for where it may have been posted since', async () => {
  const { product } = pipeline.story;
  await product.rest();
  await pipeline.clear();
  const channels = new Channels(pipeline);
  await channels.waiting('tasks', 'posted', 'posted too');
  await backUp();
  await channels.deliver();
  await product.rest();
  await restore();
  await db().$executeRaw`update message set tried_at = tried_at - interval '10 minutes'`;
  await forgetNonces();
  await channels.deliver();
  expect(await channels.contents('tasks')).toEqual(['posted', 'posted too']);
  expect(await channels.states()).toEqual(Array(2).fill(['sent', null]));
});

test('a message that failed before the backup is tried again for a day', async () => {
  const { product } = pipeline.story;
  await product.rest();
  await pipeline.clear();
  const channels = new Channels(pipeline);
  await channels.waiting('tasks', 'failed before');
  await db().message.updateMany({ data: { postponedAt: new Date(Date.now() - 25 * HOUR_MS) } });
  await backUp();
  await restore();
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 503 });
  await channels.deliver();
  expect(await channels.contents('tasks')).toEqual(['failed before']);
});
