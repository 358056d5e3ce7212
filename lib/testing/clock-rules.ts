import { db } from '@/lib/db/database';
import { startDueClocks } from '@/lib/features/clocks/start-due-clocks';
import type { Line } from './line';

/** The steps of tests about rules that a clock fires. */
export class ClockRules {
  constructor(private readonly line: Line) {}

  /** A rule that reminds of the due date a day before it, unless given other terms. */
  reminding(changes: Record<string, unknown> = {}, schedule: Record<string, unknown> = {}) {
    return this.rule('date_near', { propertyId: 'Due date', days: 1, at: '09:00', ...schedule }, changes);
  }

  rule(eventType: string, schedule: Record<string, unknown>, changes: Record<string, unknown> = {}) {
    return this.line.rule({ eventType, schedule, watchedProperties: [], ...changes });
  }

  /** Makes all rules due, as at this moment, and lets workers fire them. */
  async strike(at = new Date()): Promise<void> {
    await db()
      .$executeRaw`update rule_clock set nominal_at = ${at}::timestamptz, due_at = ${at}::timestamptz`;
    await this.run();
  }

  /** Fires what is due, as every minute does. */
  async run(): Promise<void> {
    await startDueClocks();
    await this.line.idle();
  }

  /** How often Notion was asked for the pages of a database. */
  async queries(): Promise<number> {
    const calls: Record<string, number> = await this.line.story.product.control('notion', 'GET', '/calls');
    return Object.entries(calls).reduce(
      (sum, [call, count]) => sum + (call.endsWith('/query') ? count : 0),
      0,
    );
  }
}

/** A date so many days from today, in UTC. */
export const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
