import { setTimeout as wait } from 'node:timers/promises';
import { backlogSql } from '@/lib/features/health/backlog-sql';
import { metrics, renderMetrics } from '@/lib/metrics';
import type { Lifetime } from '../scripts/lifetime';
import { BenchPipeline } from './bench-pipeline';
import { productOf } from './floors';
import { cpuMs } from './processes';
import { below, type Row, toRow } from './row';
import type { Setting } from './setting';
import { warmUp } from './stage';
import { measureSteady } from './steady';

const TOKEN = 'a-token-of-the-bench';
const READINGS = 200;
const LOOKS = 200;
const EVENTS_COUNTED = 100_000;
const IDLE_MS = 10_000;

/** The scrape interval of docs/operation, and the pace of `steady`. */
const READ_EVERY_S = 15;
const EVENTS_A_SECOND = 10;

/** The share of the processor time that metrics take while events come one by one: counting, observing and reading. */
export async function metricRows(lifetime: Lifetime, setting: Setting): Promise<Row[]> {
  const pipeline = await BenchPipeline.start(lifetime, setting, { METRICS_TOKEN: TOKEN });
  const { product } = pipeline;
  const target = productOf(pipeline);
  await warmUp(pipeline, target);
  const event = (await measureSteady(pipeline, target)).cpuMs;
  const reading = await used(target.roots, READINGS, () => readMetrics(product.appUrl));
  // Readings within ten seconds share one query of the database, and all of these did; so it is measured separately.
  const { text, values } = backlogSql;
  const look = await used([process.pid, product.pids.postgres], LOOKS, () =>
    product.database.query(text, values as unknown[]),
  );
  const counting = countEvents();
  const observing = await observe();
  const aSecond = (reading + look) / READ_EVERY_S + counting * EVENTS_A_SECOND + observing;
  return [
    toRow(
      `metrics at ${EVENTS_A_SECOND} events a second, read every ${READ_EVERY_S} s, of all processor time`,
      {
        figure: (100 * aSecond) / (event * EVENTS_A_SECOND + aSecond),
        unit: '%',
        note:
          `a reading ${reading.toFixed(1)} ms, a look into the database ${look.toFixed(1)} ms, counting an event ` +
          `${(counting * 1000).toFixed(0)} µs, observing a second ${observing.toFixed(2)} ms; an event ${event.toFixed(1)} ms`,
      },
      below(2, '%'),
    ),
  ];
}

async function readMetrics(appUrl: string): Promise<void> {
  const answer = await fetch(`${appUrl}/api/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  if (!(await answer.text()).includes('pagewire_webhooks_total')) throw new Error('There are no metrics');
}

/** Processor time of one call, in milliseconds. */
async function used(roots: number[], times: number, call: () => Promise<unknown>): Promise<number> {
  await call();
  const before = cpuMs(roots);
  for (let nth = 0; nth < times; nth += 1) await call();
  return (cpuMs(roots) - before) / times;
}

/** Processor time of everything that is counted for an event that becomes a card, in milliseconds. */
function countEvents(): number {
  const start = process.cpuUsage();
  for (let nth = 0; nth < EVENTS_COUNTED; nth += 1) {
    metrics.webhooks.inc({ door: 'notion', outcome: 'accepted' });
    metrics.responses.inc({ status: '2xx' });
    metrics.calls.observe({ service: 'notion', answer: 'ok' }, 0.1);
    metrics.calls.observe({ service: 'discord', answer: 'ok' }, 0.05);
    metrics.deliveries.inc({ state: 'sent', reason: '' });
  }
  return spentMs(start) / EVENTS_COUNTED;
}

/** Processor time of observing a process for a second, in milliseconds. */
async function observe(): Promise<number> {
  const idle = async () => {
    const start = process.cpuUsage();
    await wait(IDLE_MS);
    return spentMs(start) / (IDLE_MS / 1000);
  };
  const before = await idle();
  await renderMetrics();
  return Math.max(0, (await idle()) - before);
}

function spentMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
