import { db } from '@/lib/db/database';
import { startDueDigests } from '@/lib/features/digests/plan-digests';
import { followDatabaseClock } from '@/lib/queue/database-clock';
import { HOUR_MS } from '@/lib/time';
import { TABLES } from '@/lib/worker/tables';
import { DUE_NOW } from './due-now';
import type { Pipeline } from './pipeline';

/** The steps of tests about digests. */
export class DigestSteps {
  constructor(private readonly pipeline: Pipeline) {}

  /** Enqueues jobs for the digests that are due, as happens every minute. */
  start(): Promise<void> {
    return startDueDigests();
  }

  /** Tells the digests that are due. */
  async run(): Promise<void> {
    await this.start();
    await this.pipeline.idle();
  }

  /** Makes all waiting digests due, and tells them. */
  async tell(): Promise<void> {
    await db().$executeRaw`update digest set due_at = ${DUE_NOW}`;
    await db()
      .$executeRaw`update account_link set digest_due_at = ${DUE_NOW} where digest_due_at is not null`;
    await db().$executeRaw`update letter set tell_at = ${DUE_NOW} where tell_at is not null`;
    await this.run();
  }

  /** Has the effect of setting the clock forward: makes digests due this much earlier. */
  async putForward(ms: number): Promise<void> {
    await db().$executeRaw`update digest set due_at = due_at - ${ms} * interval '1 millisecond'`;
    await db().$executeRaw`update letter set tell_at = tell_at - ${ms} * interval '1 millisecond'`;
    await db()
      .$executeRaw`update account_link set digest_due_at = digest_due_at - ${ms} * interval '1 millisecond'`;
  }

  /** Acts like a worker that notices that the database's clock was set back by an hour. */
  async noticeStepBack(): Promise<void> {
    await db().$executeRaw`update seen_clock set at = now() + interval '1 hour'`;
    await followDatabaseClock(TABLES.times);
  }
}

/** A time zone in which neither an hour nor a day begins or ends within a quarter of an hour from now. */
export const awayFromHour = (): string =>
  Math.abs(new Date().getUTCMinutes() - 30) < 15 ? 'UTC' : 'Asia/Kolkata';

/** Stores preferences of the first account; UTC without quiet hours, unless given others. */
export async function preferences(pipeline: Pipeline, changes: Record<string, unknown>): Promise<void> {
  const body = { timeZone: 'UTC', quietHours: null, language: 'en', ...changes };
  const answer = await pipeline.story.product.call('mira', 'PUT', '/api/app/preferences', body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

/** Quiet hours in UTC that began two hours ago and end in two. */
export function quietNow() {
  const time = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16);
  return { from: time(-2 * HOUR_MS), to: time(2 * HOUR_MS), days: [1, 2, 3, 4, 5, 6, 7] };
}

/** The titles of the pages that a digest lists, in order. */
export function pagesOf({ embeds }: { embeds: { description: string }[] }): string[] {
  const lines = embeds[0]?.description.split('\n') ?? [];
  return lines.flatMap((text) => /^- \[(.*?)\]\(/.exec(text)?.[1] ?? []);
}
