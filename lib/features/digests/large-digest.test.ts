import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db, inBackground } from '@/lib/db/database';
import { Chatter } from '@/lib/testing/chat';
import { awayFromHour, DigestSteps, pagesOf, preferences } from '@/lib/testing/digest-steps';
import { DUE_NOW } from '@/lib/testing/due-now';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { WorkerProcess } from '@/lib/testing/worker-process';
import { HOUR_MS } from '@/lib/time';
import { type DigestDetails, sealSummary } from '../matching/summary';

const GOLEM = 'Boss fight: ember golem';
const HOURLY = { timing: { kind: 'digest', every: 'hour' } };
const MIRA = '208917000000000101';
const JONAS = '208917000000000102';

let pipeline: Pipeline;
let due: DigestSteps;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  due = new DigestSteps(pipeline);
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.idle();
  await pipeline.clear();
  await preferences(pipeline, { timeZone: awayFromHour() });
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.clear();
});

/** Gives a rule's digest changes of many pages with different statuses; every page changes twice. */
async function wait(
  ruleId: string,
  pages: number,
  title = 'A page with a *rather* long title, [as] they come',
): Promise<void> {
  const { accountId } = await db().rule.findUniqueOrThrow({ where: { id: ruleId } });
  const dueAt = new Date(Date.now() + HOUR_MS);
  const { id: messageId } = await db().digest.create({ data: { accountId, ruleId, dueAt } });
  const statuses = ['Done', null, 'Backlog', 'A status that is gone'];
  const decisions = Array.from({ length: pages * 2 }, (_, nth) => {
    const id = randomUUID();
    const page = nth % pages;
    const later: DigestDetails = {
      eventType: 'page_updated',
      status: statuses[page % 4] ?? null,
      pings: [MIRA, JONAS],
    };
    const isFirst = nth < pages;
    const change = {
      name: 'Notes',
      before: isFirst ? 'old' : 'middle',
      after: isFirst ? 'middle' : `new ${'x'.repeat(290)}`,
    };
    const url = `https://www.notion.so/${'long-'.repeat(30)}${page}`;
    const summary = {
      title: `${title} ${page}`,
      url,
      changes: Array(20)
        .fill(change)
        .map((one, of) => ({ ...one, name: `Notes ${of}` })),
      moreChanges: 3,
      later,
    };
    return {
      id,
      eventAt: new Date(Date.now() - HOUR_MS + nth),
      accountId,
      ruleId,
      eventId: randomUUID(),
      pageId: String(page),
      outcome: 'gathered' as const,
      messageId,
      sealedSummary: sealSummary(id, summary),
    };
  });
  await db().decision.createMany({ data: decisions });
}

test('a digest of 2,000 changes names ten pages, and its button tells the others privately', async () => {
  const rule = await pipeline.rule(HOURLY);
  await wait(rule.id, 1000);
  await due.tell();
  const [message, ...more] = await pipeline.cards();
  expect(more).toEqual([]);
  expect(message.content).toBe(`1,000 changed pages in Sprint board · <@${MIRA}> <@${JONAS}>`);
  expect(message.pings.users.sort()).toEqual([MIRA, JONAS]);
  const lines: string[] = message.embeds[0].description.split('\n');
  expect(lines).toHaveLength(11);
  expect(lines[0]).toBe('**Backlog**');
  expect(lines[1]).toContain('long title, \\[as\\] they come 2');
  expect(lines[1]).toContain('Notes 0: old → new x');
  expect(await db().message.count({ where: { state: 'sent' } })).toBe(1);
  const entries = await pipeline.story.product.call(
    'mira',
    'GET',
    `/api/app/rules/${rule.id}/deliveries?limit=100&show=posted`,
  );
  expect(entries.body.deliveries).toHaveLength(100);

  // Anybody who can read the channel may look, linked or not.
  const jonas = new Chatter(pipeline.story.product, 'jonas', pipeline.story.channel('tasks'));
  await jonas.press(message, 'Show 990 more');
  const first = await jonas.answer();
  expect(first.ephemeralFor).toBe(jonas.userId);
  expect(first.content).toBe('Pages 11 to 20 of 1,000');
  expect(first.embeds[0]?.description?.split('\n').filter((text) => text.startsWith('- '))).toHaveLength(10);
  await jonas.press(first, 'Next');
  const second = await jonas.answer(({ content }) => content !== first.content);
  expect(second.content).toBe('Pages 21 to 30 of 1,000');
  expect(second.id).toBe(first.id);
  expect(await pipeline.cards()).toHaveLength(1);
  const me = await pipeline.story.product.call('mira', 'GET', '/api/app/me');
  expect(me.body.subscription.notificationsUsed).toBe(1);
});

test('what one message cannot tell follows in the next, and nothing is left', async () => {
  const rule = await pipeline.rule(HOURLY);
  const { accountId } = await db().rule.findUniqueOrThrow({ where: { id: rule.id } });
  // Later, so that the run of each minute does not tell it half filled.
  const dueAt = new Date(Date.now() + HOUR_MS);
  const digest = await db().digest.create({ data: { accountId, ruleId: rule.id, dueAt } });
  const before = Date.now() - HOUR_MS;
  for (let from = 0; from < 10_003; from += 5000) {
    const many = Array.from({ length: Math.min(5000, 10_003 - from) }, (_, nth) => {
      const id = randomUUID();
      const later = { eventType: 'page_updated' as const, status: null, pings: [] };
      const changes = [{ name: 'Notes', before: 'old', after: 'new' }];
      const summary = { title: 'A page', url: 'https://www.notion.so/a', changes, moreChanges: 0, later };
      return {
        id,
        eventAt: new Date(before + from + nth),
        accountId,
        ruleId: rule.id,
        eventId: randomUUID(),
        pageId: String(from + nth),
        outcome: 'gathered' as const,
        messageId: digest.id,
        sealedSummary: sealSummary(id, summary),
      };
    });
    await inBackground(() => db().decision.createMany({ data: many }));
  }
  await due.tell();
  await due.tell();
  const contents = (await pipeline.cards()).map(({ content }) => content);
  expect(contents).toEqual(['10,000 changed pages in Sprint board', '3 changed pages in Sprint board']);
  expect(await db().digest.count()).toBe(0);
  const told = await db().decision.groupBy({ by: ['messageId'], _count: true });
  expect(told.map(({ _count }) => _count).toSorted()).toEqual([10_000, 3]);
});

test('the button tells nothing in another channel, in another server, or once nothing is kept', async () => {
  const rule = await pipeline.rule(HOURLY);
  await wait(rule.id, 30);
  await due.tell();
  const { id } = await db().message.findFirstOrThrow({ where: { state: 'sent' } });
  const { readMore } = await import('./show-more');
  const guildId = pipeline.story.guild.id;
  const [tasks, bugs] = [pipeline.story.channel('tasks'), pipeline.story.channel('bugs')];
  const read = (channelId: string, guild = guildId, messageId = id, screen = 1) =>
    readMore({ guildId: guild, channelId }, messageId, screen);
  expect(await read(tasks)).toMatchObject({ from: 11, to: 20, pages: 30, screens: 3 });
  expect(await read(tasks, guildId, id, 99)).toMatchObject({ from: 21, to: 30 });
  expect(await read(tasks, guildId, id, Number.NaN)).toMatchObject({ from: 11 });
  expect(await read(bugs)).toBeNull();
  expect(await read(tasks, '1102000000000000001')).toBeNull();
  expect(await read(tasks, guildId, 'no id')).toBeNull();
  await db().decision.deleteMany();
  expect(await read(tasks)).toBeNull();
});

test('ten digests of a worker that is killed again and again are each told once', async () => {
  const rules = [];
  for (let nth = 0; nth < 10; nth += 1) {
    const rule = await pipeline.rule({ ...HOURLY, name: `Rule ${nth}` });
    await wait(rule.id, 12, `Page of rule ${nth}, number`);
    rules.push(rule);
  }
  await pipeline.story.product.rest();
  await db().$executeRaw`update digest set due_at = ${DUE_NOW}`;
  for (const kill of [1, 4]) {
    const worker = await WorkerProcess.start();
    await due.start();
    await expect
      .poll(async () => (await pipeline.cards()).length, { interval: 5 })
      .toBeGreaterThanOrEqual(kill);
    await worker.kill();
  }
  await pipeline.story.product.work();
  await due.run();
  const footers = (await pipeline.cards()).map(({ embeds }) => embeds[0].footer.text);
  expect(footers.sort()).toEqual(rules.map(({ name }) => `Pagewire · ${name} · digest each hour`));
  expect(await db().digest.count()).toBe(0);
});

test('what no webhook reported for hours waits for the digest too', async () => {
  const missed = new MissedChanges(pipeline);
  const rule = await pipeline.rule(HOURLY);
  await missed.lookedAt(180);
  await missed.edit(GOLEM, { Status: 'Cut' }, 100);
  await missed.pass();
  expect(await pipeline.cards()).toEqual([]);
  const log = await pipeline.story.product.call('mira', 'GET', `/api/app/rules/${rule.id}/deliveries`);
  expect(log.body.deliveries).toMatchObject([
    { state: 'waiting', reason: expect.stringContaining('digest') },
  ]);
  await due.tell();
  expect((await pipeline.cards()).map(pagesOf)).toEqual([[GOLEM]]);
});

test('a channel that is full of rules is asked for what is due by one index', async () => {
  await db().$executeRaw`set enable_seqscan = off`;
  const plan = await db().$queryRaw<{ 'QUERY PLAN': string }[]>`
    explain select id, account_id from digest where due_at <= now() order by due_at limit 10000`;
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('digest_due_at_idx');
});

test('people are pinged once in a digest, and nobody about what they did', async () => {
  await db().accountLink.deleteMany();
  const workspace = await db().notionWorkspace.findFirstOrThrow({ orderBy: { connectedAt: 'asc' } });
  const people = await db().notionUser.findMany({ where: { workspaceId: workspace.id } });
  const link = (name: string, discordUserId: string) => {
    const found = people.find((each) => each.name.startsWith(name));
    const notionUserId = found?.id ?? '';
    return { accountId: workspace.accountId, discordUserId, notionUserId, notionDisplayName: name };
  };
  await db().accountLink.createMany({ data: [link('Mira', MIRA), link('Jonas', JONAS)] });
  await pipeline.rule({ ...HOURLY, watchedProperties: ['Status', 'Assignee'] });
  await pipeline.edit(GOLEM, { Assignee: ['jonas', 'mira'] });
  await pipeline.idle();
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  await due.tell();
  const message = await eventually(async () => (await pipeline.cards())[0]);
  expect(message.pings.users).toEqual([JONAS]);
  expect(message.content.match(/<@/g)).toHaveLength(1);
});
