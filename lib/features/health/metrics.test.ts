import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, runStatement } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import { env } from '@/lib/env';
import { metrics } from '@/lib/metrics';
import { builtProgram } from '@/lib/testing/built-program';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { startWatchServer } from '../../../scripts/watch-server';
import { type BACKLOG_ROW, backlogSql } from './backlog-sql';

const TOKEN = 'a-token-for-the-metrics';
const TITLE = 'Boss fight: ember golem';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

const read = (authorization?: string, origin = pipeline.story.product.url) =>
  fetch(`${origin}/api/metrics`, { headers: authorization ? { authorization } : {} });
const backlog = async () => (await runStatement<RowOf<typeof BACKLOG_ROW>>(backlogSql))[0];

test('without a token in the configuration there are no metrics, and with one they need it', async () => {
  const missing = await read(`Bearer ${TOKEN}`);
  expect(missing.status).toBe(404);
  expect(await missing.json()).toEqual({ error: 'There is no such path.', code: 'not_found' });
  Object.assign(env(), { METRICS_TOKEN: TOKEN });
  for (const wrong of [undefined, 'Bearer ', `Bearer ${TOKEN}x`, TOKEN, 'Bearer undefined']) {
    const refused = await read(wrong);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: 'unauthorized' });
  }
  const before = await db().callCount.count();
  const shown = await read(`Bearer ${TOKEN}`);
  expect(shown.status).toBe(200);
  expect(shown.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await shown.text()).toMatch(/^pagewire_database_up 1$/m);
  expect(await db().callCount.count()).toBe(before);
});

test('what happens is counted, and no label names anybody or says anything', async () => {
  await pipeline.rule();
  await pipeline.story.product.work();
  await pipeline.edit(TITLE, { Status: 'Done' });
  await pipeline.idle();
  expect(await pipeline.cards()).toHaveLength(1);
  const forged = { method: 'POST', headers: { 'x-notion-signature': 'sha256=00' }, body: '{}' };
  expect((await fetch(`${pipeline.story.product.url}/api/notion/webhook`, forged)).status).toBe(401);
  await pipeline.story.product.call('mira', 'GET', '/api/app/me');

  const text = await (await read(`Bearer ${TOKEN}`)).text();
  const value = (sample: string) =>
    Number(
      text
        .split('\n')
        .find((each) => each.startsWith(`${sample} `))
        ?.split(' ')
        .at(-1),
    );
  expect(value('pagewire_webhooks_total{door="notion",outcome="accepted"}')).toBeGreaterThanOrEqual(1);
  expect(value('pagewire_webhooks_total{door="notion",outcome="bad_signature"}')).toBe(1);
  expect(value('pagewire_deliveries_total{state="sent",reason=""}')).toBe(1);
  for (const service of ['discord', 'notion']) {
    expect(value(`pagewire_outside_call_seconds_count{service="${service}",answer="ok"}`)).toBeGreaterThan(0);
  }
  expect(value('pagewire_jobs_total{job="upkeep",outcome="done"}')).toBeGreaterThan(0);
  expect(value('pagewire_responses_total{status="4xx"}')).toBeGreaterThan(0);
  expect(value('pagewire_connections{pool="doors",state="idle"}')).toBeGreaterThan(0);
  expect(value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);

  const labels = [...text.matchAll(/"([^"]*)"/g)].map(([, label]) => label ?? '');
  expect(
    labels.filter((label) => !/^[\w.+-]{0,40}$/.test(label) || /\d{6}|[0-9a-f]{8}-/.test(label)),
  ).toEqual([]);
  expect(text).not.toContain(TITLE);
});

test('what an alert counts is shown before it happens, because Prometheus sees only increases', async () => {
  const text = await metrics.registry.metrics();
  for (const series of [
    'pagewire_reconciliation_passes_total{outcome="done"}',
    'pagewire_reconciliation_passes_total{outcome="failed"}',
    'pagewire_deliveries_total{state="failed",reason="channel_stopped"}',
    'pagewire_jobs_total{job="close-customer",outcome="given_up"}',
  ]) {
    expect(text).toContain(`\n${series} `);
  }
});

test('the age of what waits is that of the oldest event and message', async () => {
  await pipeline.story.product.rest();
  expect(await backlog()).toMatchObject({ oldestPageSeconds: null, oldestMessageSeconds: null, workers: 0 });
  await pipeline.edit(TITLE, { Status: 'Backlog' });
  await expect.poll(async () => (await backlog())?.oldestPageSeconds).not.toBeNull();
  await db().notionEvent.updateMany({
    where: { processedAt: null },
    data: { receivedAt: new Date(Date.now() - 600_000) },
  });
  expect((await backlog())?.oldestPageSeconds).toBeGreaterThan(599);

  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 401, times: 0 });
  await pipeline.story.product.work();
  await expect.poll(async () => (await backlog())?.oldestMessageSeconds).not.toBeNull();
  expect(await backlog()).toMatchObject({ oldestPageSeconds: null, workers: 1 });
  await expect
    .poll(() => metrics.registry.getSingleMetricAsString('pagewire_deliveries_total'))
    .toContain('state="postponed",reason="unauthorized"');
  await pipeline.story.product.rest();
});

test('a process that only works jobs ends when it cannot be watched', async () => {
  const watched = await startWatchServer(0);
  const args = [await builtProgram('scripts/worker'), '--port', String(watched.port)];
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  worker.stderr.on('data', (text) => {
    said += text;
  });
  expect(await once(worker, 'exit')).toEqual([1, null]);
  expect(said).toContain(`The worker cannot answer on port ${watched.port}: `);
  expect(await db().workerProcess.count()).toBe(0);
  await watched.stop();
});

test('a process that only works jobs is watched in the same way', async () => {
  const watched = await startWatchServer(0);
  const origin = `http://127.0.0.1:${watched.port}`;
  expect((await read(undefined, origin)).status).toBe(401);
  expect(await (await read(`Bearer ${TOKEN}`, origin)).text()).toContain('pagewire_workers');
  expect(await (await fetch(`${origin}/api/health/ready`)).json()).toEqual({ ready: true, reason: null });
  expect((await fetch(`${origin}/api/app/me`)).status).toBe(404);
  await watched.stop();
});
