import { db } from '@/lib/db/database';
import { startDueDigests } from '@/lib/features/digests/plan-digests';
import { followDatabaseClock } from '@/lib/queue/database-clock';
import { TABLES } from '@/lib/worker/tables';
import type { Line } from './line';

/** The steps of tests about what is told together later. */
export class Due {
  constructor(private readonly line: Line) {}

  /** Leaves what is due to workers, as every minute does. */
  start(): Promise<void> {
    return startDueDigests();
  }

  /** Tells what is due. */
  async run(): Promise<void> {
    await this.start();
    await this.line.idle();
  }

  /** Makes everything that waits due, and tells it. */
  async tell(): Promise<void> {
    await db().$executeRaw`update digest set due_at = now()`;
    await db().$executeRaw`update account_link set digest_due_at = now() where digest_due_at is not null`;
    await this.run();
  }

  /** Does to digests what a step of the clock does: they are due so much earlier. */
  async putForward(ms: number): Promise<void> {
    await db().$executeRaw`update digest set due_at = due_at - ${ms} * interval '1 millisecond'`;
  }

  /** Lets a worker notice that the database's clock was put back by an hour. */
  async noticeStepBack(): Promise<void> {
    await db().$executeRaw`update seen_clock set at = now() + interval '1 hour'`;
    await followDatabaseClock(TABLES.times);
  }
}

/** Stores preferences of the first account; UTC without quiet hours, unless given others. */
export async function preferences(line: Line, changes: Record<string, unknown>): Promise<void> {
  const body = { timeZone: 'UTC', quietHours: null, language: 'en', ...changes };
  const answer = await line.story.product.call('mira', 'PUT', '/api/app/preferences', body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

/** The titles of the pages that a digest names, in their order. */
export function pagesOf({ embeds }: { embeds: { description: string }[] }): string[] {
  const lines = embeds[0]?.description.split('\n') ?? [];
  return lines.flatMap((text) => /^- \[(.*?)\]\(/.exec(text)?.[1] ?? []);
}
