import { setTimeout as wait } from 'node:timers/promises';
import type { Lifetime } from '../scripts/lifetime';
import { BenchLine } from './bench-line';
import { type Burst, describeTally, measureBurst, type Tally, tally } from './burst';
import { addCrowd } from './crowd';
import { startTargets, type Target } from './floors';
import { figures } from './measure';
import { atLeastOfFloor, atMostOfFloor, below, type Row, toRow } from './row';
import { WebhookSender } from './webhooks';

const ACCOUNTS = 10;
const WARM_UP = 500;
const ROUNDS = 5;
const DOOR_EVENTS = 4000;
const DOOR_IN_FLIGHT = 16;
const STEADY_PER_SECOND = 10;
const STEADY_SECONDS = 30;
const UPSTREAM_DELAY_MS = 20;
const UNMATCHED_EVENTS = 10_000;
const CROWD_ACCOUNTS = 50_000;
const RULES_IN_CROWD = 20;

/** Everything that the rows of the line share, started once. */
export interface Stage {
  line: BenchLine;
  targets: Target[];
}

export async function startStage(lifetime: Lifetime): Promise<Stage> {
  const line = await BenchLine.start(lifetime);
  await line.addAccounts(ACCOUNTS);
  const targets = await startTargets(line, lifetime);
  for (const target of targets) await measureBurst(line, target, WARM_UP);
  // As autovacuum does within a minute: the tables were empty when they were looked at last.
  await line.product.database.query('analyze');
  return { line, targets };
}

/** Verified, committed and acknowledged webhooks: alone, and with all the work behind the door going on. */
export async function doorRows({ line, targets }: Stage): Promise<Row[]> {
  const alone = await measureDoors(line, targets, { cards: 0, isUnwatched: true });
  const working = await measureDoors(line, targets, {});
  const toRows = (what: string, { product, committing, forgetful }: typeof alone) => [
    toRow(
      what,
      {
        figure: product.perSecond,
        unit: '/s',
        committing: committing.perSecond,
        forgetful: forgetful.perSecond,
      },
      atLeastOfFloor(0.5),
    ),
    toRow(
      `${what}, 99th percentile`,
      { figure: product.p99, unit: 'ms', committing: committing.p99, forgetful: forgetful.p99 },
      below(100, 'ms'),
    ),
  ];
  return [
    ...toRows('webhooks acknowledged, 16 in flight', alone),
    ...toRows('webhooks acknowledged, 16 in flight, while each becomes a card', working),
  ];
}

function measureDoors(line: BenchLine, targets: Target[], options: Parameters<typeof measureBurst>[3]) {
  return onEach(targets, async (target) => {
    const { doorMs } = await measureBurst(line, target, DOOR_EVENTS, {
      ...options,
      inFlight: DOOR_IN_FLIGHT,
    });
    // The lanes were busy all the time, so what each call took gives the rate.
    const perSecond = (DOOR_IN_FLIGHT * 1000 * doorMs.length) / doorMs.reduce((sum, ms) => sum + ms, 0);
    return { perSecond, ...figures(doorMs) };
  });
}

/** From the first webhook of a burst to its last card, round about so that all meet the same machine. */
export async function burstRows({ line, targets }: Stage, events: number, rounds = ROUNDS): Promise<Row[]> {
  const bursts: Record<Target['name'], Burst[]> = { product: [], committing: [], forgetful: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const target of targets) bursts[target.name].push(await measureBurst(line, target, events));
  }
  const median = (name: Target['name'], of: (burst: Burst) => number) => figures(bursts[name].map(of)).median;
  const columns = (of: (burst: Burst) => number) => ({
    figure: median('product', of),
    committing: median('committing', of),
    forgetful: median('forgetful', of),
  });
  const cards = describeTally(addUp(bursts.product.map((burst) => burst.cards)));
  const what = `event to card, burst of ${events}`;
  const memory = Math.max(...bursts.product.map((burst) => burst.residentMb));
  return [
    toRow(what, { ...columns(({ rate }) => rate), unit: '/s', note: cards }, atLeastOfFloor(0.5)),
    toRow(
      `${what}, processor time of an event`,
      { ...columns(({ cpuMs }) => cpuMs), unit: 'ms' },
      atMostOfFloor(3),
    ),
    toRow(
      `${what}, memory of web and worker`,
      { figure: memory, unit: 'MB', committing: median('committing', ({ residentMb }) => residentMb) },
      below(350, 'MB'),
    ),
  ];
}

/** How much longer than Notion and Discord themselves a card takes when events come one by one. */
export async function steadyRows({ line, targets }: Stage): Promise<Row[]> {
  const measured = await onEach(targets, (target) => measureSteady(line, target));
  const { product, committing, forgetful } = measured;
  const what = `event to card, ${STEADY_PER_SECOND} a second, above the upstreams' own time`;
  return [
    toRow(
      `${what}, median`,
      { figure: product.median, unit: 'ms', committing: committing.median, forgetful: forgetful.median },
      below(15, 'ms'),
    ),
    toRow(
      `${what}, 99th percentile`,
      {
        figure: product.p99,
        unit: 'ms',
        committing: committing.p99,
        forgetful: forgetful.p99,
        note: describeTally(product.cards),
      },
      below(40, 'ms'),
    ),
  ];
}

async function measureSteady(line: BenchLine, target: Target, draft: { accounts?: number } = {}) {
  await target.rest();
  const webhooks = line.makeWebhooks(STEADY_PER_SECOND * STEADY_SECONDS, draft);
  const sender = new WebhookSender(target.url, DOOR_IN_FLIGHT);
  await line.upstream.setDelay(UPSTREAM_DELAY_MS);
  const { all } = await line.upstream.await(webhooks.length);
  const sentAt = new Map<string, number>();
  const posts: Promise<number>[] = [];
  const start = performance.now();
  for (const [index, webhook] of webhooks.entries()) {
    await wait(Math.max(0, start + (index * 1000) / STEADY_PER_SECOND - performance.now()));
    sentAt.set(webhook.pageId, performance.timeOrigin + performance.now());
    posts.push(sender.post(webhook));
  }
  await Promise.all(posts);
  await Promise.race([all, wait(20_000, undefined, { ref: false })]);
  await target.rest();
  sender.close();
  await line.upstream.setDelay(0);
  const { cards } = await line.upstream.report();
  const above = cards.map(({ pageId, at, took }) => at - (sentAt.get(pageId) ?? 0) - took);
  return { ...figures(above), cards: tally(webhooks, cards) };
}

/** What an event costs that becomes no card. */
export async function unmatchedRows({ line, targets }: Stage): Promise<Row[]> {
  const [product] = targets;
  if (!product) return [];
  const ofOthers = await measureBurst(line, product, UNMATCHED_EVENTS, { cards: 0, updated: ['another'] });
  const withoutRules = await measureBurst(line, product, UNMATCHED_EVENTS, { cards: 0, isUnwatched: true });
  return [
    toRow(
      'processor time of an event of a database without rules',
      { figure: withoutRules.cpuMs, unit: 'ms' },
      below(1, 'ms'),
    ),
    toRow(
      'processor time of an event that matches no rule of its database',
      { figure: ofOthers.cpuMs, unit: 'ms' },
      below(1, 'ms'),
    ),
  ];
}

/** What an event costs among few and among very many rules and accounts. */
export async function flatRows(lifetime: Lifetime): Promise<Row[]> {
  const line = await BenchLine.start(lifetime);
  await line.addAccounts(1);
  const { app, postgres } = line.product.pids;
  const target: Target = {
    name: 'product',
    url: line.product.appUrl,
    roots: [app, postgres],
    rest: () => line.rest(),
  };
  await measureBurst(line, target, WARM_UP);
  const few = await measureFlat(line, target);
  await addCrowd(line.product.database, CROWD_ACCOUNTS, RULES_IN_CROWD);
  await line.product.database.query('analyze');
  await measureBurst(line, target, WARM_UP);
  const many = await measureFlat(line, target);
  const among = `from 10 rules of 1 account to ${CROWD_ACCOUNTS * RULES_IN_CROWD + 10} rules of ${CROWD_ACCOUNTS + 1}`;
  const flat = (now: number, before: number, unit: string) => ({
    figure: now,
    unit,
    note: `${before.toFixed(2)} ${unit} before`,
  });
  return [
    toRow(
      `processor time of an event, ${among}`,
      flat(many.cpuMs, few.cpuMs, 'ms'),
      below(round(few.cpuMs * 1.25), 'ms'),
    ),
    toRow(
      `event to card, median, ${among}`,
      flat(many.median, few.median, 'ms'),
      below(round(few.median * 1.25 + 1), 'ms'),
    ),
  ];
}

async function measureFlat(line: BenchLine, target: Target): Promise<{ cpuMs: number; median: number }> {
  const bursts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bursts.push((await measureBurst(line, target, 500, { accounts: 1 })).cpuMs);
  }
  const { median } = await measureSteady(line, target, { accounts: 1 });
  return { cpuMs: figures(bursts).median, median };
}

async function onEach<T>(targets: Target[], measure: (target: Target) => Promise<T>) {
  const measured = new Map<Target['name'], T>();
  for (const target of targets) measured.set(target.name, await measure(target));
  return Object.fromEntries(measured) as Record<Target['name'], T>;
}

function addUp(tallies: Tally[]): Tally {
  return tallies.reduce((sum, each) => ({
    expected: sum.expected + each.expected,
    once: sum.once + each.once,
    doubled: sum.doubled + each.doubled,
  }));
}

const round = (value: number) => Math.round(value * 100) / 100;
