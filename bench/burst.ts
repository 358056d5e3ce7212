import { setTimeout as wait } from 'node:timers/promises';
import type { BenchPipeline, Draft } from './bench-pipeline';
import type { Target } from './floors';
import { cpuMs, residentMb } from './processes';
import { type Webhook, WebhookSender } from './webhooks';

const IN_FLIGHT = 64;
const SAMPLE_MS = 100;
const LIMIT_MS = 180_000;

export interface Burst {
  /** Cards per second, from the first webhook to the last card. */
  rate: number;
  /** Processor time for each event, in milliseconds: application and database. */
  cpuMs: number;
  /** The most memory that the application's processes used, in MB. */
  residentMb: number;
  /** The memory that they used when everything was done, in MB. */
  leftMb: number;
  /** How long each webhook took to be acknowledged, in milliseconds. */
  doorMs: number[];
  cards: Tally;
}

export interface Tally {
  expected: number;
  /** Events with exactly one card. */
  once: number;
  /** Cards beyond the first. */
  doubled: number;
}

interface Options extends Draft {
  inFlight?: number;
  /** How many of the events should become a card. */
  cards?: number;
}

/** Sends one event for each of that many pages as fast as the door accepts them, and waits until each has its card. */
export async function measureBurst(
  pipeline: BenchPipeline,
  target: Target,
  events: number,
  { inFlight = IN_FLIGHT, cards = events, ...draft }: Options = {},
): Promise<Burst> {
  await target.rest();
  const webhooks = pipeline.makeWebhooks(events, draft);
  const sender = new WebhookSender(target.url, inFlight);
  const { all } = await pipeline.upstream.await(cards);
  const memory = sampleMemory(target);
  const cpuBefore = cpuMs(target.roots);
  const startedAt = performance.timeOrigin + performance.now();
  const doorMs = await sender.postAll(webhooks);
  if (cards > 0) await Promise.race([all, wait(LIMIT_MS, undefined, { ref: false })]);
  await target.rest();
  const used = cpuMs(target.roots) - cpuBefore;
  sender.close();
  const report = await pipeline.upstream.report();
  const lastAt = Math.max(...report.cards.map(({ at }) => at));
  return {
    rate: (events / (lastAt - startedAt)) * 1000,
    cpuMs: used / events,
    ...memory.stop(),
    doorMs,
    cards: tally(cards > 0 ? webhooks : [], report.cards),
  };
}

/** Counts how many events have exactly one card, and the surplus cards. */
export function tally(webhooks: Webhook[], cards: { pageId: string }[]): Tally {
  const counts = new Map<string, number>();
  for (const { pageId } of cards) counts.set(pageId, (counts.get(pageId) ?? 0) + 1);
  const once = webhooks.filter(({ pageId }) => counts.get(pageId) === 1).length;
  return { expected: webhooks.length, once, doubled: cards.length - counts.size };
}

export const describeTally = ({ expected, once, doubled }: Tally) =>
  `${once} of ${expected} events have their one card, ${doubled} cards doubled`;

function sampleMemory(target: Target): { stop(): Pick<Burst, 'residentMb' | 'leftMb'> } {
  const [application = 0] = target.roots;
  let most = residentMb([application]);
  const timer = setInterval(() => {
    most = Math.max(most, residentMb([application]));
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      const leftMb = residentMb([application]);
      return { residentMb: Math.max(most, leftMb), leftMb };
    },
  };
}
