import { setTimeout as wait } from 'node:timers/promises';
import type { BenchPipeline } from './bench-pipeline';
import { describeTally, type Tally, tally } from './burst';
import type { Target } from './floors';
import { type Figures, figures } from './measure';
import { cpuMs, residentMb } from './processes';
import { type Aim, atMostOfFloor, below, type Row, toRow } from './row';
import { onEach, type Stage } from './stage';
import { WebhookSender } from './webhooks';

const PER_SECOND = 10;
const SECONDS = 30;
const IN_FLIGHT = 16;
const PATIENCE_MS = 20_000;

// Time for the writes after the last card.
const AFTERWARDS_MS = 500;

const IDLE_MS = 60_000;

export interface Steady extends Figures {
  /** Processor time for each event, in milliseconds: application and database. */
  cpuMs: number;
  cards: Tally;
}

/** Aims while events come one by one. */
interface SteadyAims {
  median: Aim;
  p99: Aim;
  cpu?: Aim;
}

export const NEAR_STEADY: SteadyAims = { median: below(15, 'ms'), p99: below(40, 'ms') };
export const FAR_STEADY: SteadyAims = {
  median: below(12, 'ms'),
  p99: below(35, 'ms'),
  cpu: atMostOfFloor(2),
};

/** How much longer a card takes than Notion and Discord themselves, when events come one by one. */
export async function steadyRows({ pipeline, targets }: Stage, aims: SteadyAims): Promise<Row[]> {
  const measured = await onEach(targets, (target) => measureSteady(pipeline, target));
  const { product } = measured;
  const what = `event to card, ${PER_SECOND} a second`;
  const columns = (of: (steady: Steady) => number) => ({
    figure: of(product),
    committing: of(measured.committing),
    forgetful: of(measured.forgetful),
    unit: 'ms',
  });
  const note = describeTally(product.cards);
  return [
    toRow(
      `${what}, above the upstreams' own time, median`,
      columns(({ median }) => median),
      aims.median,
    ),
    toRow(
      `${what}, above the upstreams' own time, 99th percentile`,
      { ...columns(({ p99 }) => p99), note },
      aims.p99,
    ),
    toRow(
      `${what}, processor time of an event`,
      columns(({ cpuMs: used }) => used),
      aims.cpu,
    ),
  ];
}

/** Sends events at a steady pace and waits until each has its card. */
export async function measureSteady(pipeline: BenchPipeline, target: Target): Promise<Steady> {
  await target.rest();
  const { delays, steadyDelays } = pipeline.setting;
  const webhooks = pipeline.makeWebhooks(PER_SECOND * SECONDS);
  const sender = new WebhookSender(target.url, IN_FLIGHT);
  await pipeline.upstream.setDelays(steadyDelays);
  const { all } = await pipeline.upstream.await(webhooks.length);
  const sentAt = new Map<string, number>();
  const posts: Promise<number>[] = [];
  const cpuBefore = cpuMs(target.roots);
  const start = performance.now();
  for (const [index, webhook] of webhooks.entries()) {
    await wait(Math.max(0, start + (index * 1000) / PER_SECOND - performance.now()));
    sentAt.set(webhook.pageId, performance.timeOrigin + performance.now());
    posts.push(sender.post(webhook));
  }
  await Promise.all(posts);
  await Promise.race([all, wait(PATIENCE_MS, undefined, { ref: false })]);
  await wait(AFTERWARDS_MS);
  const used = cpuMs(target.roots) - cpuBefore;
  await target.rest();
  sender.close();
  await pipeline.upstream.setDelays(delays);
  const { cards } = await pipeline.upstream.report();
  const above = cards.map(({ pageId, at, took }) => at - (sentAt.get(pageId) ?? 0) - took);
  return { ...figures(above), cpuMs: used / webhooks.length, cards: tally(webhooks, cards) };
}

/** How much of a processor application and database use while there is nothing to do, in percent, minute by minute. */
export async function idleRows({ targets }: Stage): Promise<Row[]> {
  const idle = await onEach(
    targets.filter(({ name }) => name !== 'forgetful'),
    measureIdle,
  );
  const unit = '% of a processor';
  return [
    toRow('idle, first minute after work', {
      figure: idle.product.firstShare,
      committing: idle.committing.firstShare,
      unit,
    }),
    toRow(
      'idle, application and database',
      { figure: idle.product.share, committing: idle.committing.share, unit },
      below(1, unit),
    ),
    toRow('idle, memory of web and worker', {
      figure: idle.product.memoryMb,
      committing: idle.committing.memoryMb,
      unit: 'MB',
    }),
  ];
}

async function measureIdle(target: Target): Promise<{ firstShare: number; share: number; memoryMb: number }> {
  await target.rest();
  const firstShare = await shareWhileIdle(target);
  const share = await shareWhileIdle(target);
  return { firstShare, share, memoryMb: residentMb(target.roots.slice(0, 1)) };
}

async function shareWhileIdle({ roots }: Target): Promise<number> {
  const before = cpuMs(roots);
  await wait(IDLE_MS);
  return ((cpuMs(roots) - before) * 100) / IDLE_MS;
}
