import { db } from '@/lib/db/database';
import { timeInZone } from '@/lib/features/calendar/calendar';
import { addDays, dateInZone } from '@/lib/features/calendar/local-dates';
import { startDueClocks } from '@/lib/features/clocks/start-due-clocks';
import { preferences } from './digest-steps';
import type { Pipeline } from './pipeline';

const HOURS_AHEAD = 12 - new Date().getUTCHours();
/** A time zone in which it was noon when the tests began, so that no day ends there while they run. */
export const NOON_ZONE = `Etc/GMT${HOURS_AHEAD < 0 ? '+' : '-'}${Math.abs(HOURS_AHEAD)}`;

/** The steps of tests about clock rules. */
export class ClockRules {
  constructor(private readonly pipeline: Pipeline) {}

  /** Stores preferences of the first account; about noon without quiet hours, unless given others. */
  preferences(changes: Record<string, unknown> = {}): Promise<void> {
    return preferences(this.pipeline, { timeZone: NOON_ZONE, ...changes });
  }

  /** Adds a rule that reminds of the due date a day before, unless given other terms. */
  reminding(changes: Record<string, unknown> = {}, schedule: Record<string, unknown> = {}) {
    return this.rule('date_near', { propertyId: 'Due date', days: 1, at: '09:00', ...schedule }, changes);
  }

  rule(eventType: string, schedule: Record<string, unknown>, changes: Record<string, unknown> = {}) {
    return this.pipeline.rule({ eventType, schedule, watchedProperties: [], ...changes });
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
    await this.pipeline.idle();
  }

  /** Removes the due dates of the sprint board's initial pages, so that only a test's own pages have due dates. */
  async clearDates(): Promise<void> {
    const { product } = this.pipeline.story;
    const rows: { title: string; properties: Record<string, unknown> }[] = await product.control(
      'notion',
      'GET',
      '/rows?database=Sprint%20board',
    );
    for (const { title, properties } of rows) {
      if (!properties['Due date']) continue;
      const body = { database: 'Sprint board', page: title, as: 'mira', properties: { 'Due date': null } };
      await product.control('notion', 'PATCH', '/rows', body);
    }
  }

  /** How often Notion was asked for the pages of a database. */
  async queries(): Promise<number> {
    const calls: Record<string, number> = await this.pipeline.story.product.control(
      'notion',
      'GET',
      '/calls',
    );
    return Object.entries(calls).reduce(
      (sum, [call, count]) => sum + (call.endsWith('/query') ? count : 0),
      0,
    );
  }
}

/** The date this many days from today, where it is about noon. */
export const inDays = (days: number): string => addDays(dateInZone(new Date(), NOON_ZONE), days);

/** The time of day this many milliseconds from now, where it is about noon. */
export function timeIn(ms: number): string {
  const moment = new Date(Date.now() + ms);
  return timeInZone(moment, NOON_ZONE, moment);
}
