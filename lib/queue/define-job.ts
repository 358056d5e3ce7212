import { z } from 'zod';

type Fields<P> = readonly (keyof P & string)[];

/** What one kind of job is called, carries and waits for. Declared once, beside the function that does its work. */
export interface Job<P> {
  name: string;
  payload: z.ZodType<P>;
  /** The fields of the payload that make the key, or how to make it. Waiting jobs with one key are one job. */
  key: Fields<P> | ((payload: P) => string);
  /** The same for the queue; absent means the key. Jobs of one queue run one after the other, those of none wait for nothing. */
  queue?: Fields<P> | ((payload: P) => string | null) | null;
  /** How often it is tried before it is given up. */
  attempts: number;
}

/** A job whose key and queue a statement can make from the columns of the payload. */
export interface NamedJob<P> extends Job<P> {
  key: Fields<P>;
  queue?: Fields<P> | null;
}

// The queue waits at most six hours between attempts, so this is about seven weeks: what is owed to a third party,
// a token to revoke or a subscription to end, outlasts its longest outage.
const MOST_ATTEMPTS = 200;

type Declared<J> = Omit<J, 'attempts'> & { attempts?: number };

/** Declares a kind of job. */
export function defineJob<P extends object>(job: Declared<NamedJob<P>>): NamedJob<P>;
export function defineJob<P extends object>(job: Declared<Job<P>>): Job<P>;
export function defineJob<P extends object>(job: Declared<Job<P>>): Job<P> {
  return { attempts: MOST_ATTEMPTS, ...job };
}

/** The payload of a job that has nothing to be told. */
export const nothing = z.object({});

/** The key of a job with this payload. */
export function keyOf<P>(job: Job<P>, payload: P): string {
  return typeof job.key === 'function' ? job.key(payload) : joined(job, job.key, payload);
}

/** The queue of a job with this payload. */
export function queueOf<P>(job: Job<P>, payload: P): string | null {
  if (job.queue === null) return null;
  if (job.queue === undefined) return keyOf(job, payload);
  return typeof job.queue === 'function' ? job.queue(payload) : joined(job, job.queue, payload);
}

function joined<P>({ name }: Job<P>, fields: Fields<P>, payload: P): string {
  const values = fields.map((field) => payload[field]);
  return [name, ...values.filter((value) => value !== undefined)].join(':');
}
