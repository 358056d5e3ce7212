import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { processState } from './process-state';

// Up to the longest time that a call to another service may take, in seconds.
const CALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

// Sampling more often would wake an idle process needlessly.
const EVENT_LOOP_SAMPLE_MS = 50;

/** Every label has one of a few fixed values, never an id, a name or somebody's text. */
function define() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  return {
    registry,
    webhooks: counter('pagewire_webhooks_total', 'Calls of the signed doors, by what became of them.', [
      'door',
      'outcome',
    ]),
    responses: counter('pagewire_responses_total', 'Responses, by class of their status.', ['status']),
    deliveries: counter(
      'pagewire_deliveries_total',
      'Entries of the logs of rules and direct messages that reached a state, with the reason.',
      ['state', 'reason'],
    ),
    calls: new Histogram({
      name: 'pagewire_outside_call_seconds',
      help: 'Calls of other services: how long they took, by kind of answer.',
      labelNames: ['service', 'answer'],
      buckets: CALL_BUCKETS,
      registers,
    }),
    passes: counter('pagewire_reconciliation_passes_total', 'Passes over workspaces, by how they ended.', [
      'outcome',
    ]),
    found: counter('pagewire_reconciliation_found_total', 'Pages with changes that no webhook reported.', []),
    jobs: counter('pagewire_jobs_total', 'Runs of jobs, by how they ended.', ['job', 'outcome']),
    databaseUp: gauge('pagewire_database_up', 'Whether the database answered: 1 or 0.'),
    oldestPage: gauge('pagewire_oldest_waiting_page_seconds', 'Age of the oldest event that waits.'),
    oldestMessage: gauge('pagewire_oldest_waiting_message_seconds', 'Age of the oldest waiting message.'),
    oldestJob: gauge('pagewire_oldest_due_job_seconds', 'How long the oldest due job has been due.'),
    dueJobs: gauge('pagewire_due_jobs', 'Jobs that could run now, counted up to 10,000.'),
    workers: gauge('pagewire_workers', 'Workers that are alive, in all processes.'),
    invalidAnswers: gauge(
      'pagewire_discord_invalid_answers',
      'Answers of Discord in the last ten minutes that count towards a ban, to all processes.',
    ),
    connections: gauge('pagewire_connections', 'Connections of this process, and who waits for one.', [
      'pool',
      'state',
    ]),
  };
}

const current = processState('metrics', () => ({ metrics: define(), isObserved: false }));

/** What this process counts. `renderMetrics` shows it. */
export const { metrics } = current;

/**
 * Shows series from the start of the process, at 0. An alert about an increase would miss what a series begins with: to
 * Prometheus, it has not increased.
 */
export function showFromStart<Label extends string>(
  counter: Counter<Label>,
  series: Record<Label, string>[],
): void {
  for (const labels of series) counter.inc(labels, 0);
}

/** The text that Prometheus reads. The first call starts observing the process's event loop and memory too. */
export function renderMetrics(): Promise<string> {
  if (!current.isObserved) {
    current.isObserved = true;
    collectDefaultMetrics({
      register: metrics.registry,
      eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS,
    });
  }
  return metrics.registry.metrics();
}

export const METRICS_TYPE = metrics.registry.contentType;

export type Service = 'discord' | 'notion' | 'stripe' | 'identity';

const TOO_MANY = [429, 529];

/** The kind of an answer to a call, by its HTTP status; a status of 0 means no answer. */
export function answerKind(status: number): 'ok' | 'limited' | 'refused' | 'failed' | 'none' {
  if (status === 0) return 'none';
  if (TOO_MANY.includes(status)) return 'limited';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'ok';
}
