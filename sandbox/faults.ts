import { z } from 'zod';

/**
 * A switch that makes a stand-in misbehave. What the kinds do to a call:
 * - fail: responds with `status` and the service's own error body (a 429 with `retryAfterSeconds`, Discord's with
 *   `code`, and its 429 for the whole bot if it `isGlobal`)
 * - slow: waits `delayMs` first, unless it is released earlier
 * - hangup: does the work, then drops the connection
 * - garble: does the work, then responds with a page of HTML (only Discord and Notion)
 * - reshape: does the work, then responds with JSON of an unknown shape (only Notion)
 * - block: responds as the network edge in front of the service does to a blocked caller (only Discord, also
 *   with 429, and Notion)
 * - flood: responds with a body that does not end (only the identity provider)
 * - uncomputed: gives the formulas and rollups with a matching name no value (only Notion)
 *
 * An outgoing webhook or interaction can be dropped, duplicated or delayed; the delay of an interaction ends early when
 * it is released. A webhook can also be reordered (sent after a later one), slow, fail (not sent, as if answered with
 * `status`) or hang up (its answer is ignored).
 */
export const faultSchema = z.object({
  target: z.enum([
    'identity',
    'discord',
    'notion',
    'stripe',
    'notion.webhook',
    'stripe.webhook',
    'interaction',
  ]),
  kind: z.enum([
    'fail',
    'slow',
    'hangup',
    'garble',
    'reshape',
    'block',
    'flood',
    'uncomputed',
    'drop',
    'duplicate',
    'delay',
    'reorder',
  ]),
  /** A regular expression over "METHOD /path", or a property's name; absent means every call of the target. */
  match: z.string().optional(),
  /** How many calls it affects; 0 means all until it is cleared. */
  times: z.number().int().min(0).default(1),
  /** How many calls pass before it. */
  after: z.number().int().min(0).optional(),
  status: z.number().int().min(400).max(599).default(500),
  code: z.number().int().min(0).optional(),
  retryAfterSeconds: z.number().int().min(1).max(3600).optional(),
  /** Whether Discord's 429 is for the bot as a whole. */
  isGlobal: z.boolean().optional(),
  /** Notion's reason for a 429; by default, that there were too many calls. */
  limitReason: z.string().optional(),
  /** Whether only the body of Notion's 429 says when to retry. */
  isHeaderless: z.boolean().optional(),
  delayMs: z.number().int().min(0).max(120_000).default(1000),
});

export type Fault = z.infer<typeof faultSchema>;
type Kind = Fault['kind'];

export class Faults {
  private active: (Fault & { hits: number; passed: number })[] = [];
  private readonly waiting = new Set<() => void>();

  add(fault: Fault): void {
    this.active.push({ ...fault, hits: 0, passed: 0 });
  }

  clear(): void {
    this.active = [];
  }

  /** The active faults, each with the number of calls it has affected. */
  list(): (Fault & { hits: number })[] {
    return this.active;
  }

  /** Waits as long as a slow call or a delayed interaction does. */
  wait({ delayMs }: Fault): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, delayMs);
      this.waiting.add(end);
    });
  }

  /** How many wait now. */
  get waitingNow(): number {
    return this.waiting.size;
  }

  /** Lets what waits now go on. */
  release(): void {
    for (const end of this.waiting) end();
  }

  /** The first active fault of one of these kinds for this call, counted as used; undefined if there is none. */
  take(target: Fault['target'], kinds: Kind[], call: string): Fault | undefined {
    const fault = this.active.find(
      (each) =>
        each.target === target &&
        kinds.includes(each.kind) &&
        (!each.match || new RegExp(each.match).test(call)) &&
        (each.times === 0 || each.hits < each.times),
    );
    if (!fault) return undefined;
    if (fault.passed < (fault.after ?? 0)) {
      fault.passed += 1;
      return undefined;
    }
    fault.hits += 1;
    return fault;
  }
}
