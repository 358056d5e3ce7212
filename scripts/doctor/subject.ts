import type pg from 'pg';
import type { Env } from '@/lib/env';
import type { Ask, ClockReading } from './ask';
import type { Finding } from './finding';

/** What a check may use. */
export interface Context {
  env: Env;
  ask: Ask;
  /** The services' clocks, as read from their answers. */
  clocks: ClockReading[];
  /** A read-only session; null when the database did not answer. */
  session: pg.Client | null;
}

/** One subject that the doctor looks at. It changes nothing. */
export interface Subject {
  name: string;
  check(context: Context): Finding[] | Promise<Finding[]>;
}
