import { Hono } from 'hono';
import { z } from 'zod';
import { type Faults, faultSchema } from './faults';
import type { Store } from './store';

const clockSchema = z.strictObject({ advanceMs: z.number().int().min(0) });

/** The sandbox's clock: real time plus an offset. */
export class Clock {
  private readonly slice;

  constructor(store: Store) {
    this.slice = store.slice('clock', () => ({ aheadMs: 0 }));
  }

  now(): Date {
    return new Date(Date.now() + this.slice.value.aheadMs);
  }

  advance(ms: number): void {
    this.slice.value.aheadMs += ms;
    this.slice.save();
  }
}

/** The test switches that are the same on every port: faults, reset and clock. */
export function controlApp({ store, faults, clock }: { store: Store; faults: Faults; clock: Clock }): Hono {
  const app = new Hono().basePath('/_sandbox');

  app.post('/faults', async (c) => {
    const fault = faultSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!fault.success) return c.json({ error: z.prettifyError(fault.error) }, 400);
    faults.add(fault.data);
    return c.json({ faults: faults.list() });
  });
  app.get('/faults', (c) => c.json({ faults: faults.list() }));
  app.delete('/faults', (c) => {
    faults.clear();
    return c.json({ faults: [] });
  });

  app.post('/reset', (c) => {
    faults.clear();
    store.reset();
    return c.json({});
  });

  app.post('/clock', async (c) => {
    const change = clockSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!change.success) return c.json({ error: z.prettifyError(change.error) }, 400);
    clock.advance(change.data.advanceMs);
    return c.json({ now: clock.now().toISOString() });
  });

  return app;
}
