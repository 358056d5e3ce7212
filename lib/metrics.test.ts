import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answerKind, metrics, renderMetrics } from './metrics';

const read = (name: string) => readFileSync(`docs/operation/${name}`, 'utf8');
const namesIn = (text: string) => new Set(text.match(/\b(?:pagewire|nodejs|process)_[a-z0-9_]+/g));
const unescaped = (json: string) => JSON.stringify(JSON.parse(json)).replaceAll('\\"', '"');

/** Every series that a process can show. */
async function seriesNames(): Promise<Set<string>> {
  await renderMetrics();
  const names = (await metrics.registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
    String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set(names);
}

test.each(['dashboard.json', 'alerts.yml'])('every metric that %s names exists', async (file) => {
  const known = await seriesNames();
  const named = [...namesIn(read(file))];
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('the dashboard shows every metric of ours', async () => {
  const shown = namesIn(read('dashboard.json'));
  const hidden = [...(await seriesNames())].filter(
    (name) => name.startsWith('pagewire_') && !shown.has(name),
  );
  expect(hidden).toEqual([]);
});

test('the labels that the dashboard and the alerts choose by exist', async () => {
  const labels = new Map<string, string[]>([
    ['pagewire_webhooks_total', ['door', 'outcome']],
    ['pagewire_deliveries_total', ['state', 'reason']],
    ['pagewire_outside_call_seconds', ['service', 'answer']],
    ['pagewire_reconciliation_passes_total', ['outcome']],
    ['pagewire_jobs_total', ['job', 'outcome']],
    ['pagewire_responses_total', ['status']],
    ['pagewire_connections', ['pool', 'state']],
  ]);
  const text = unescaped(read('dashboard.json')) + read('alerts.yml');
  const chosen = [...text.matchAll(/\b(pagewire_[a-z_]+?)(?:_bucket|_count|_sum)?\{([^{}]+)\}/g)];
  expect(chosen.length).toBeGreaterThan(10);
  for (const [, name = '', selector = ''] of chosen) {
    const names = selector.split(/,(?=\w+[=!])/).map((part) => part.split(/[=!]/)[0]);
    expect({ name, unknown: names.filter((label) => !labels.get(name)?.includes(label ?? '')) }).toEqual({
      name,
      unknown: [],
    });
  }
});

test('every alert has its section in the runbook, to which it leads, and so has each service that may be down', () => {
  const sections = [...read('runbook.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  const alerts = [...read('alerts.yml').matchAll(/- alert: (\w+)[\s\S]*?runbook: (\S+)/g)];
  expect(alerts.length).toBe(read('alerts.yml').match(/- alert:/g)?.length);
  for (const [, name = '', runbook] of alerts) {
    expect(sections).toContain(name);
    expect(runbook).toBe(`docs/operation/runbook.md#${name.toLowerCase()}`);
  }
  const services = ['Discord', 'Notion', 'Stripe', 'IdentityProvider'].map((name) => `${name}IsDown`);
  expect(sections).toEqual(expect.arrayContaining(services));
  expect(sections.length).toBe(alerts.length);
});

test('an answer is of one of five kinds', () => {
  expect([0, 200, 204, 302, 400, 404, 429, 500, 503, 529].map(answerKind)).toEqual([
    'none',
    'ok',
    'ok',
    'ok',
    'refused',
    'refused',
    'limited',
    'failed',
    'failed',
    'limited',
  ]);
});
