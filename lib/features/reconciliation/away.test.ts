import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { listDeliveryRows } from '@/lib/testing/deliveries';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { WorkerProcess } from '@/lib/testing/worker-process';
import { PEOPLE } from '../../../sandbox/people';
import { currentPeriod } from '../billing/period';
import { isGathering } from './gather';
import { reconcileWorkspace } from './reconcile';
import { startPass } from './schedule-passes';

let pipeline: Pipeline;
let missed: MissedChanges;
let titles: string[];

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  missed = new MissedChanges(pipeline);
  for (const Name of ['Torch', 'Lantern']) {
    const body = { database: 'Sprint board', properties: { Name }, at: '2026-01-15T10:00:00.000Z' };
    await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', body));
  }
  const rows: { title: string }[] = await pipeline.story.product.control(
    'notion',
    'GET',
    '/rows?database=Sprint%20board',
  );
  titles = rows.map(({ title }) => title);
  expect(titles).toHaveLength(12);
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.idle();
  await missed.clear();
  await pipeline.clear();
  const rows: { title: string; properties: { Status: string } }[] = await pipeline.story.product.control(
    'notion',
    'GET',
    '/rows?database=Sprint%20board',
  );
  for (const { title, properties } of rows) {
    if (titles.includes(title) && properties.Status !== 'Backlog')
      await pipeline.edit(title, { Status: 'Backlog' });
  }
  await pipeline.idle();
  await pipeline.clear();
});

/** Starts a pass that gathers a missed change of each of these pages but does not end. Returns its workspace. */
async function gatherOnly(...pages: string[]): Promise<string> {
  const docs = pipeline.story.docs.dataSourceId;
  await pipeline.rule({ databaseId: docs, watchedProperties: ['title'] });
  await missed.lookedAt(180);
  for (const title of pages) await missed.edit(title, { Status: 'Cut' }, 100);
  const checkpointAt = new Date(Date.now() - 179 * 60_000);
  await db().notionDatabase.updateMany({ where: { id: docs }, data: { checkpointAt } });
  await pipeline.story.product.rest();
  const workspaceId = await missed.workspaceId();
  pipeline.fault({ target: 'notion', kind: 'fail', match: `${docs}/query`, status: 503, times: 0 });
  expect(await reconcileWorkspace({ workspaceId })).toHaveProperty('retryInMs');
  pipeline.story.product.sandbox.context.faults.clear();
  expect(await db().decision.count({ where: { outcome: 'gathered' } })).toBe(pages.length);
  return workspaceId;
}

const used = async () =>
  (await pipeline.story.product.call('mira', 'GET', '/api/app/me')).body.subscription.notificationsUsed;
const deliveries = () => listDeliveryRows('event');

test('twelve changes in three hours without webhooks are one card for each channel', async () => {
  await pipeline.rule();
  await pipeline.rule({
    channelId: pipeline.story.channel('bugs'),
    watchedProperties: ['Status', 'Priority'],
  });
  await missed.lookedAt(180);
  for (const [index, title] of titles.entries())
    await missed.edit(title, { Status: 'Cut' }, 170 - 10 * index);
  await missed.pass();
  await missed.lookedAt(180);
  await missed.pass();

  for (const channel of ['tasks', 'bugs']) {
    const [card, ...more] = await pipeline.cards(channel);
    expect(more).toEqual([]);
    const [embed] = card.embeds;
    expect(embed.title).toBe('While we were away');
    const [intro, ...pages] = embed.description.split('\n');
    expect(intro).toMatch(
      /^Between <t:\d+:f> and <t:\d+:f> Pagewire heard nothing from Notion\. .* 12 pages changed:$/,
    );
    expect(pages).toHaveLength(12);
    expect(pages[0]).toMatch(/^- \[.*\]\(http.*\): Status: Backlog → Cut$/);
  }
  expect(await used()).toBe(2);
  const rows = await deliveries();
  expect(rows).toHaveLength(24);
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['sent']));
  expect(new Set(rows.map(({ messageId }) => messageId)).size).toBe(2);
});

test('a few changes in a long silence are posted as cards of their own', async () => {
  await pipeline.rule();
  await missed.lookedAt(180);
  for (const title of titles.slice(0, 2)) await missed.edit(title, { Status: 'Cut' }, 100);
  await missed.pass();
  expect((await pipeline.lines()).sort()).toEqual(
    titles
      .slice(0, 2)
      .map((title) => `${title}: Status: Backlog → Cut`)
      .sort(),
  );
  expect(await used()).toBe(2);
});

test('a page that changes while a pass reads the database again is told as it is', async () => {
  const [title = ''] = titles;
  const board = (edit: object) =>
    pipeline.story.product.control('notion', 'POST', '/databases/schema', { database: 'Sprint board', edit });
  await pipeline.rule();
  await missed.lookedAt(180);
  await missed.edit(title, { Status: 'In review' }, 100);
  await missed.unheard(() => board({ action: 'add property', name: 'Mood', type: 'rich_text' }));
  pipeline.fault({ target: 'notion', kind: 'slow', match: '^GET /v1/data_sources/', delayMs: 9000 });
  const workspaceId = await missed.workspaceId();
  const reading = `GET /v1/data_sources/${pipeline.story.board.dataSourceId}`;
  const calls = () => pipeline.story.product.control('notion', 'GET', '/calls');
  const before = (await calls())[reading] ?? 0;
  const passing = reconcileWorkspace({ workspaceId });
  await eventually(async () => (await calls())[reading] > before);
  await pipeline.edit(title, { Status: 'Done' });
  await eventually(async () => (await pipeline.lines()).length > 0);
  pipeline.story.product.sandbox.context.faults.release();
  expect(await passing).toEqual({ done: true });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${title}: Status: Backlog → Done`]);
  await board({ action: 'delete property', property: 'Mood' });
});

test('the edit of a quiet card and the card about what was missed are two messages', async () => {
  const [title = ''] = titles;
  await pipeline.rule({ card: 'quiet' });
  await pipeline.edit(title, { Status: 'Cut' });
  await pipeline.settle();
  expect(await pipeline.cards()).toHaveLength(1);
  await missed.lookedAt(180);
  await missed.edit(title, { Status: 'Backlog' }, 100);
  await missed.pass();
  const doubled = await db().$queryRaw`select id from message group by id having count(*) > 1`;
  expect(doubled).toEqual([]);
  expect((await deliveries()).map(({ state }) => state)).toEqual(['sent', 'sent']);
});

test('the message from which a task was made gets its reply too', async () => {
  const [title = ''] = titles;
  await pipeline.rule();
  const { id: workspaceId, accountId } = await missed.workspace();
  const { id: serverId } = await db().discordServer.findFirstOrThrow({ where: { accountId } });
  const made = { workspaceId, accountId, serverId, pageId: await pipeline.pageId(title) };
  const place = {
    channelId: pipeline.story.channel('bugs'),
    messageId: '208917000000000901',
    authorId: '208917000000000102',
  };
  await db().taskEcho.create({ data: { ...made, ...place, databaseId: pipeline.story.board.dataSourceId } });
  await missed.lookedAt(180);
  await missed.edit(title, { Status: 'Done' }, 100);
  await missed.pass();
  expect(await pipeline.lines()).toEqual([`${title}: Status: Backlog → Done`]);
  expect((await pipeline.cards('bugs')).map(({ content }) => content)).toEqual(['Done by Mira Castellan']);
  await db().taskEcho.deleteMany();
});

test('a change that our bot made for somebody in chat is theirs in the activity', async () => {
  const [title = ''] = titles;
  await pipeline.rule();
  const { id: workspaceId, botId, accountId } = await missed.workspace();
  const link = await db().accountLink.findFirstOrThrow({ where: { accountId } });
  await missed.lookedAt(180);
  const pageId = await pipeline.pageId(title);
  const written = { workspaceId, pageId, propertyId: 'any', channelId: 'elsewhere', valueHash: '' };
  const at = new Date(Date.now() - 100 * 60_000);
  await db().pageWrite.create({
    data: { ...written, interactionId: 'missed', discordUserId: link.discordUserId, at },
  });
  await missed.edit(title, { Status: 'Cut' }, 100, 'jonas');
  const takeFor = (id: string) =>
    db().notionWorkspace.update({ where: { id: workspaceId }, data: { botId: id } });
  await takeFor(PEOPLE[1]?.notionId ?? '');
  await missed.pass();
  await takeFor(botId);
  const ofPerson = `/api/app/activity?person=${link.notionUserId}`;
  const { items } = (await pipeline.story.product.call('mira', 'GET', ofPerson)).body;
  expect(items).toMatchObject([{ title, outcome: 'posted' }]);
});

test('new pages are gathered too, and rules that a change does not concern record why', async () => {
  await pipeline.rule({ eventType: 'page_created', channelId: pipeline.story.channel('bugs') });
  await pipeline.rule({ statusTo: ['Done'] });
  await missed.lookedAt(180);
  for (const Name of ['Lava [level]', 'Ice level', 'Moon level']) await missed.create({ Name }, 120);
  for (const title of titles.slice(0, 3)) await missed.edit(title, { Status: 'Cut' }, 100);
  await missed.pass();
  const [card, ...more] = await pipeline.cards('bugs');
  expect(more).toEqual([]);
  expect(card.embeds[0].description).toContain('- Lava \\[level\\] ([open](http');
  expect(card.embeds[0].description).toContain(': new page');
  // The events that Notion sends in the end change nothing.
  for (const { id, payload, state } of await pipeline.events()) {
    if (payload.type === 'page.created' && state === 'dropped') await pipeline.redeliver(id);
  }
  await pipeline.settle();
  expect(await pipeline.cards('bugs')).toHaveLength(1);
  expect(await pipeline.cards()).toEqual([]);
  const skipped = (await deliveries()).filter(({ state }) => state === 'skipped');
  expect([...new Set(skipped.map(({ reason }) => reason))].sort()).toEqual([
    'already_posted',
    'filtered_by_status',
    'not_created',
    'not_updated',
  ]);
});

test('a held card holds every change that it tells of', async () => {
  await pipeline.rule();
  await missed.lookedAt(180);
  for (const title of titles.slice(0, 4)) await missed.edit(title, { Status: 'Cut' }, 100);
  const account = await db().account.findFirstOrThrow({ where: { subject: { endsWith: '101' } } });
  const { start: startsAt, end: endsAt } = currentPeriod(account, new Date());
  await db().usagePeriod.create({
    data: { accountId: account.id, startsAt, endsAt, reserved: 1000, sent: 1000 },
  });
  await missed.pass();
  const rows = await deliveries();
  expect(rows.map(({ state }) => state)).toEqual(['held', 'held', 'held', 'held']);
  expect(new Set(rows.map(({ reason }) => reason)).size).toBe(1);
});

test('deleting a rule before the card is sent takes no change away from other rules', async () => {
  const { id } = await pipeline.rule();
  await pipeline.rule({ watchedProperties: ['Status', 'Priority'] });
  await missed.lookedAt(180);
  for (const title of titles.slice(0, 4)) await missed.edit(title, { Status: 'Cut' }, 100);
  await pipeline.story.product.rest();
  await reconcileWorkspace({ workspaceId: await missed.workspaceId() });
  const carrier = await db().message.findFirstOrThrow({ where: { state: 'waiting' } });
  expect(carrier.sourceId).toBe(id);
  await pipeline.story.product.call('mira', 'DELETE', `/api/app/rules/${id}`);
  await pipeline.story.product.work();
  await pipeline.idle();
  const [card, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(card.embeds[0].description.split('\n')).toHaveLength(5);
  expect((await deliveries()).filter(({ ruleId }) => ruleId).map(({ state }) => state)).toEqual(
    Array(4).fill('sent'),
  );
});

test('switching a rule off before the card is sent takes no change away from other rules', async () => {
  const { id } = await pipeline.rule();
  await pipeline.rule({ watchedProperties: ['Status', 'Priority'] });
  await missed.lookedAt(180);
  for (const title of titles.slice(0, 4)) await missed.edit(title, { Status: 'Cut' }, 100);
  await pipeline.story.product.rest();
  await reconcileWorkspace({ workspaceId: await missed.workspaceId() });
  await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${id}`, { enabled: false });
  await pipeline.story.product.work();
  await pipeline.idle();
  const [card, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(card.embeds[0].description.split('\n')).toHaveLength(5);
  const rows = await deliveries();
  const off = rows.filter(({ ruleId }) => ruleId === id).map(({ reason }) => reason);
  expect(off).toEqual(Array(4).fill('rule_off'));
  expect(rows.filter(({ ruleId }) => ruleId !== id).map(({ state }) => state)).toEqual(Array(4).fill('sent'));
});

test('changes that were missed are told where their living cards are, once the rule writes to people', async () => {
  const [first = '', second = ''] = titles;
  const rule = await pipeline.rule({ card: 'living' });
  for (const title of [first, second]) await pipeline.edit(title, { Status: 'In progress' });
  await pipeline.idle();
  const workspaceId = await gatherOnly(first, second);
  const destination = { kind: 'person', discordUserId: PEOPLE[0]?.discordId };
  const edited = { ...rule, channelId: null, destination, card: 'each' };
  const { status } = await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${rule.id}`, edited);
  expect(status).toBe(200);
  await db().livingCard.deleteMany({ where: { pageId: await pipeline.pageId(second) } });
  expect(await reconcileWorkspace({ workspaceId })).toEqual({ done: true });
  await pipeline.story.product.work();
  await pipeline.idle();
  const away = (await pipeline.cards()).filter(({ embeds }) => embeds[0]?.title === 'While we were away');
  expect(away.map(({ embeds }) => embeds[0].description.split('\n').slice(1))).toEqual([
    [expect.stringContaining(first)],
  ]);
  expect((await deliveries()).map(({ reason }) => reason)).toContain('no_channel');
  expect(await db().message.count({ where: { targetId: '' } })).toBe(0);
});

test('missed changes wait for the key of one, and after a day they are told without it', async () => {
  await pipeline.rule();
  const [locked = '', ...others] = titles.slice(0, 4);
  const workspaceId = await gatherOnly(locked, ...others);
  const pageId = await pipeline.pageId(locked);
  await db().$executeRaw`
    update decision set sealed_summary = set_byte(sealed_summary, 1, get_byte(sealed_summary, 1) # 255)
    where page_id = ${pageId}`;
  const { accountId } = await missed.workspace();
  expect(await reconcileWorkspace({ workspaceId })).toEqual({ done: true });
  expect(await isGathering(accountId)).toBe(true);
  expect(await db().message.count({ where: { state: 'kept' } })).toBe(4);

  await db().$executeRaw`update decision set created_at = created_at - interval '1 day'`;
  expect(await reconcileWorkspace({ workspaceId })).toEqual({ done: true });
  expect(await isGathering(accountId)).toBe(false);
  await pipeline.story.product.work();
  await pipeline.idle();
  const [card, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  const lines: string[] = card.embeds[0].description.split('\n').slice(1);
  expect(lines).toEqual(others.map((title) => expect.stringContaining(title)));
  const reasons = (await deliveries()).map(({ reason }) => reason);
  expect(reasons.filter((reason) => reason !== null)).toEqual(['key_gone']);
});

test('a page that changed again before the card was made is shown from its first value to its last', async () => {
  await pipeline.rule();
  const [twice = '', ...others] = titles.slice(0, 3);
  const workspaceId = await gatherOnly(twice, ...others);
  await missed.edit(twice, { Status: 'Done' }, 50);
  await missed.lookedAt(180);
  expect(await reconcileWorkspace({ workspaceId })).toEqual({ done: true });
  expect(await db().decision.count({ where: { pageId: await pipeline.pageId(twice) } })).toBe(2);
  await pipeline.story.product.work();
  await pipeline.idle();
  const [card, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  const lines: string[] = card.embeds[0].description.split('\n').slice(1);
  expect(lines).toHaveLength(3);
  expect(lines.find((line) => line.includes(twice))).toMatch(/: Status: Backlog → Done$/);
});

test('after a worker is killed while it gathers, another sends the one card', async () => {
  await pipeline.story.product.rest();
  await pipeline.rule();
  await pipeline.rule({ databaseId: pipeline.story.docs.dataSourceId, watchedProperties: ['title'] });
  await missed.lookedAt(180);
  await db().notionDatabase.updateMany({
    where: { id: pipeline.story.docs.dataSourceId },
    data: { checkpointAt: new Date(Date.now() - 179 * 60_000) },
  });
  for (const title of titles) await missed.edit(title, { Status: 'Cut' }, 100);
  pipeline.fault({
    target: 'notion',
    kind: 'slow',
    match: `${pipeline.story.docs.dataSourceId}/query`,
    delayMs: 9000,
  });
  const first = await WorkerProcess.start();
  await startPass(db(), await missed.workspace());
  const gathered = () => db().decision.count({ where: { outcome: 'gathered' } });
  await expect.poll(gathered).toBe(titles.length);
  await first.kill();
  pipeline.story.product.sandbox.context.faults.release();
  expect(await pipeline.cards()).toEqual([]);
  await pipeline.story.product.work();
  await expect.poll(async () => (await pipeline.cards()).length).toBe(1);
  await pipeline.idle();
  expect((await pipeline.cards())[0].embeds[0].description.split('\n')).toHaveLength(1 + titles.length);
  expect(await pipeline.cards()).toHaveLength(1);
  expect(await used()).toBe(1);
});
