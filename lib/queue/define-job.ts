import { z } from 'zod';

type Fields<P> = readonly (keyof P & string)[];

/**
 * A kind of job: its name, its payload, and the key that waiting duplicates share. Declared once, next to the function
 * that does the work.
 */
export interface Job<P> {
  name: string;
  payload: z.ZodType<P>;
  /**
   * The fields of the payload that make the key, or a function that makes it. Waiting jobs with the same key are one
   * job.
   */
  key: Fields<P> | ((payload: P) => string);
  /**
   * What makes the queue, like `key`; absent means the key, null no queue. Jobs of one queue run one after the other.
   */
  queue?: Fields<P> | ((payload: P) => string | null) | null;
}

/** A job whose key and queue a statement can build from the columns of the payload. */
export interface NamedJob<P> extends Job<P> {
  key: Fields<P>;
  queue?: Fields<P> | null;
}

/**
 * How often a job is tried before it is given up. The queue waits at most six hours between attempts, so this lasts
 * about seven weeks: longer than any outage of a service at which a token must be revoked or a subscription ended.
 */
export const MAX_ATTEMPTS = 200;

/** Declares a kind of job. */
export function defineJob<P extends object>(job: NamedJob<P>): NamedJob<P>;
export function defineJob<P extends object>(job: Job<P>): Job<P>;
export function defineJob<P extends object>(job: Job<P>): Job<P> {
  return job;
}

/** The payload of a job that needs none. */
export const noPayload = z.object({});

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
