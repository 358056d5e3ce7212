import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Chatter, type ShownMessage } from '@/lib/testing/chat';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { WorkerProcess } from '@/lib/testing/worker-process';
import { currentPeriod } from '../billing/period';

const MANY = 300;
const COUNT = /^and ([\d,]+) more from /;

let pipeline: Pipeline;
let made = 0;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.control('discord', 'PUT', '/limits', { limits: 'off' });
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.settle();
  await pipeline.clear();
});

const product = () => pipeline.story.product;
const rule = (given: Record<string, unknown> = {}) =>
  pipeline.rule({ eventType: 'page_created', watchedProperties: [], rollUp: true, ...given });

/** Adds new rows, and returns their titles. */
async function add(count: number): Promise<string[]> {
  const titles = Array.from({ length: count }, () => {
    made += 1;
    return `Imported ${String(made).padStart(4, '0')}`;
  });
  const before = await reported();
  for (const Name of titles) {
    await product().control('notion', 'POST', '/rows', {
      database: 'Sprint board',
      properties: { Name },
    });
  }
  await eventually(async () => (await reported()) === before + count);
  return titles;
}

/** How many new rows Notion has reported. */
const reported = async () =>
  (await pipeline.events()).filter(
    ({ state, payload }) => state === 'sent' && payload.type === 'page.created',
  ).length;

/** Makes all counters and edits ten seconds older, so that they may be edited again. */
const waitTenSeconds = () => db().$executeRaw`
  update message set finished_at = finished_at - interval '10 seconds' where kind in ('counter', 'edit')`;

/** Lets new rows settle and their cards be posted, and counts those that are not posted. */
async function settle(): Promise<void> {
  await pipeline.settle();
  await waitTenSeconds();
  await count();
}

/** Brings the message of every flood up to date. */
async function count(): Promise<void> {
  for (const { id, accountId } of await db().flood.findMany()) {
    await db().$executeRaw`select graphile_worker.add_job('count-flood',
      json_build_object('floodId', ${id}::text, 'accountId', ${accountId}::text), job_key := 'count-flood:' || ${id}::text)`;
  }
  await pipeline.idle();
}

const shown = async (channel = 'tasks') => {
  const cards = await pipeline.cards(channel);
  return {
    titles: cards.flatMap(({ embeds }) => embeds[0]?.title ?? []),
    counters: cards.filter(({ content }) => COUNT.test(content)),
  };
};
const used = async () =>
  (await product().call('mira', 'GET', '/api/app/me')).body.subscription.notificationsUsed;

/** The titles behind the button of a counter, on all its screens. */
async function listed(counter: ShownMessage, channel = 'tasks'): Promise<string[]> {
  const jonas = new Chatter(product(), 'jonas', pipeline.story.channel(channel));
  await jonas.press(counter, 'Show them');
  let answer = await jonas.answer();
  const found: string[] = [];
  for (;;) {
    expect(answer.ephemeralFor).toBe(jonas.userId);
    const [embed] = answer.embeds;
    found.push(
      ...[...(embed?.description ?? '').matchAll(/^- \[([^\]]+)\]/gm)].map(([, title]) => title ?? ''),
    );
    const next = answer.components[0]?.components.find(({ label }) => label === 'Next');
    if (!next || (next as { disabled?: boolean }).disabled) return found;
    const before = answer.content;
    await jonas.press(answer, 'Next');
    answer = await jonas.answer(({ content }) => content !== before);
  }
}

test(`${MANY} new pages are ten cards and one that counts, with all of them in its list`, async () => {
  await rule();
  const titles = await add(MANY);
  await settle();
  const { titles: posted, counters } = await shown();
  expect(posted).toHaveLength(10);
  expect(counters.map(({ content }) => content)).toEqual(['and 290 more from Sprint board: new pages']);
  const [counter] = counters;
  expect(counter.pings).toMatchObject({ users: [], roles: [] });
  const rest = await listed(counter);
  expect([...posted, ...rest].sort()).toEqual(titles);
  expect(await used()).toBe(10);

  const { id: ruleId } = await db().rule.findFirstOrThrow();
  const log = await product().call('mira', 'GET', `/api/app/rules/${ruleId}/deliveries?limit=100`);
  const told = log.body.deliveries.filter(({ reason }: { reason: string | null }) => reason !== null);
  expect(told.length).toBeGreaterThan(80);
  for (const entry of told) {
    expect(entry).toMatchObject({
      state: 'sent',
      reason: expect.stringContaining('One card counts the rest'),
    });
    expect(entry.messageUrl).toMatch(new RegExp(`/${counter.id}$`));
  }
  const activity = await product().call('mira', 'GET', '/api/app/activity?limit=100&outcome=posted');
  expect(activity.body.items.filter(({ reason }: { reason: string | null }) => reason).length).toBe(
    told.length,
  );

  // While the flood lasts, the same message counts more pages; after five quiet minutes they are posted again.
  await add(2);
  await settle();
  expect((await shown()).counters).toMatchObject([
    { id: counter.id, content: expect.stringMatching(/^and 292 /) },
  ]);
  await db().$executeRaw`update posting_pace set last_at = last_at - interval '5 minutes',
    recent = array(select at - interval '5 minutes' from unnest(recent) at)`;
  const [last] = await add(1);
  await settle();
  expect((await shown()).titles.at(-1)).toBe(last);
  expect(await used()).toBe(11);
});

const counterOf = async () => {
  const [counter, ...others] = (await shown()).counters;
  expect(others).toEqual([]);
  return counter;
};
const remove = (messageId: string) =>
  product().control('discord', 'DELETE', `/messages/${pipeline.story.channel('tasks')}/${messageId}`);

test('a counter that somebody deletes is posted anew once there is more to count, and only once', async () => {
  await rule();
  await add(13);
  await settle();
  const first = await counterOf();
  await remove(first.id);
  await count();
  expect((await shown()).counters).toEqual([]);

  const titles = await add(2);
  await settle();
  await count();
  const second = await counterOf();
  expect(second).toMatchObject({ content: expect.stringMatching(/^and 5 /), edits: 0 });
  expect((await listed(second)).slice(-2).sort()).toEqual(titles);
  const { id: ruleId } = await db().rule.findFirstOrThrow();
  const log = await product().call('mira', 'GET', `/api/app/rules/${ruleId}/deliveries?show=posted`);
  expect(log.body.deliveries).toHaveLength(15);
  expect(log.body.deliveries[0].messageUrl).toMatch(new RegExp(`/${second.id}$`));
});

test('two rules that flood one channel have a counter each, and compact cards are counted too', async () => {
  await rule({ name: 'Inbox' });
  await rule({ name: 'Phones', size: 'compact' });
  await add(14);
  await settle();
  const cards = await pipeline.cards();
  expect(cards).toHaveLength(22);
  expect(cards.filter(({ embeds }) => embeds.length === 1)).toHaveLength(10);
  const { counters } = await shown();
  expect(counters.map(({ content }) => content).sort()).toEqual([
    'and 4 more from Inbox (Sprint board: new pages)',
    'and 4 more from Phones (Sprint board: new pages)',
  ]);
});

test('a rule that does not roll up posts every card, and a deleted one leaves nothing waiting', async () => {
  await rule({ rollUp: false });
  await add(12);
  await settle();
  expect((await shown()).titles).toHaveLength(12);
  expect((await db().flood.count()) + (await db().postingPace.count())).toBe(0);
  const { id } = await rule();
  await add(12);
  await pipeline.settle();
  await product().call('mira', 'DELETE', `/api/app/rules/${id}`);
  await pipeline.idle();
  expect((await db().flood.count()) + (await db().message.count({ where: { state: 'waiting' } }))).toBe(0);
});

test('a counter that waits when its rule is switched off is not posted, and counts anew once it is on', async () => {
  const { id } = await rule();
  const turn = (enabled: boolean) => product().call('mira', 'PUT', `/api/app/rules/${id}`, { enabled });
  const key = `discord:${pipeline.story.channel('tasks')}`;
  await db().rateLimit.create({ data: { key, blockedUntil: new Date(Date.now() + 3_600_000) } });
  await add(13);
  await eventually(async () => (await db().decision.count({ where: { outcome: 'settling' } })) === 13);
  await pipeline.age(2.5);
  await eventually(async () => (await db().message.count({ where: { kind: 'counter' } })) === 1);
  await turn(false);
  await db().rateLimit.deleteMany();
  await pipeline.idle();
  expect(await pipeline.cards()).toEqual([]);
  expect(await db().decision.groupBy({ by: ['outcome'], _count: true })).toEqual([
    { outcome: 'rule_off', _count: 13 },
  ]);

  await turn(true);
  await add(2);
  await settle();
  const { titles, counters } = await shown();
  expect(titles).toEqual([]);
  expect(counters.map(({ content }) => content)).toEqual([expect.stringMatching(/^and 2 more /)]);
});

test('without notifications left, what a counter tells is held with it', async () => {
  const { id: ruleId } = await rule();
  const account = await db().account.findFirstOrThrow({ where: { rules: { some: { id: ruleId } } } });
  const { start, end } = currentPeriod(account, new Date());
  await db().usagePeriod.deleteMany({ where: { accountId: account.id } });
  await db().usagePeriod.create({
    data: { accountId: account.id, startsAt: start, endsAt: end, reserved: 990, sent: 990 },
  });
  await add(13);
  await settle();
  expect((await shown()).counters).toEqual([]);
  const log = await product().call('mira', 'GET', `/api/app/rules/${ruleId}/deliveries`);
  const states = log.body.deliveries.map(({ state }: { state: string }) => state).sort();
  expect(states).toEqual([...Array(3).fill('held'), ...Array(10).fill('sent')]);
});

test('workers that are killed in a flood lose no page and tell none twice', async () => {
  await rule();
  await product().rest();
  const killed = (async () => {
    for (let kills = 0; kills < 6; kills += 1) {
      const worker = await WorkerProcess.start();
      const before = await db().message.count();
      await Promise.race([
        eventually(async () => (await db().message.count()) > before + kills * 3),
        new Promise((resolve) => setTimeout(resolve, 6000)),
      ]);
      await worker.kill();
    }
  })();
  const titles = await add(40);
  await db().$executeRaw`update notion_event set received_at = received_at - interval '150 seconds'`;
  await killed;
  await product().work();
  await settle();
  await pipeline.settle();
  await waitTenSeconds();
  await count();
  const { titles: posted } = await shown();
  const counter = await counterOf();
  expect(posted).toHaveLength(10);
  expect(counter.content).toMatch(/^and 30 /);
  expect([...posted, ...(await listed(counter))].sort()).toEqual(titles);
});
