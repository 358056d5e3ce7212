export interface Bucket {
  /** An opaque name, sent to callers. */
  name: string;
  limit: number;
  windowMs: number;
}

/** What the headers of a response say: how much of the bucket is left and when it is full again. */
export interface Usage {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetAfterSeconds: number;
  resetAt: number;
}

const GLOBAL: Bucket = { name: 'global', limit: 50, windowMs: 1000 };

/** Fixed windows that start with the first call, in real time and in memory. */
export class RateLimiter {
  private readonly windows = new Map<string, { startedAt: number; used: number }>();

  takeGlobal(): Usage {
    return this.take(GLOBAL, 'bot');
  }

  take(bucket: Bucket, major: string): Usage {
    const key = `${bucket.name}:${major}`;
    const now = Date.now();
    const known = this.windows.get(key);
    const window = known && now < known.startedAt + bucket.windowMs ? known : { startedAt: now, used: 0 };
    this.windows.set(key, window);
    const allowed = window.used < bucket.limit;
    if (allowed) window.used += 1;
    const resetAt = window.startedAt + bucket.windowMs;
    return {
      allowed,
      limit: bucket.limit,
      remaining: bucket.limit - window.used,
      resetAfterSeconds: Math.max(0.001, (resetAt - now) / 1000),
      resetAt: resetAt / 1000,
    };
  }
}
