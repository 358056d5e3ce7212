import type { WorkerEvents } from 'graphile-worker';
import { SECOND_MS } from '../time';

// Time for the queue to record that a job has ended.
const ENDING_MS = 5 * SECOND_MS;

/**
 * The jobs that this process is running. The database may have given it others: when it goes away, the queue never
 * hears which job it was given, or cannot record that one has ended.
 */
export class RunningJobs {
  /** When each job ended, on this process's own clock; Infinity while it runs. */
  private readonly endedAt = new Map<string, number>();

  constructor(events: WorkerEvents) {
    events.on('job:start', ({ job }) => this.endedAt.set(job.id, Number.POSITIVE_INFINITY));
    events.on('job:complete', ({ job }) => this.endedAt.set(job.id, performance.now()));
  }

  /** The ids of the jobs that run, and of those that ended a moment ago. */
  ids(): string[] {
    for (const [id, endedAt] of this.endedAt) {
      if (endedAt < performance.now() - ENDING_MS) this.endedAt.delete(id);
    }
    return [...this.endedAt.keys()];
  }
}
