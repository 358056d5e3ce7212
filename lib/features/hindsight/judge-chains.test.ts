import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SimulatedPage, type Step } from '@/lib/testing/simulated-page';
import {
  PROPERTIES,
  priority,
  ruleOf,
  STATUSES,
  status,
  sum,
  TAGS,
  tags,
  type Values,
  values,
} from '@/lib/testing/tried-rule';
import { HOUR_MS, MINUTE_MS } from '@/lib/time';
import { judgePage } from './judge';
import { toKept } from './kept-values';
import { toTurns } from './past';

const NOW = new Date('2026-11-22T12:00:00Z');

const anyOf = <T>(...all: T[]) => fc.constantFrom(...all);
const anyStatus = fc.constantFrom(...STATUSES).map(status);
const anyPriority = fc.constantFrom(...STATUSES).map(priority);
const anyTags = fc.subarray(TAGS).map((ids) => tags(...ids));

const anyStep: fc.Arbitrary<Step> = fc.record({
  afterMs: anyOf(1000, 40_000, 10 * MINUTE_MS),
  changes: fc.record({ status: anyStatus, priority: anyPriority, tags: anyTags }, { requiredKeys: [] }),
  delayMs: anyOf(0, 0, 500, 3000, MINUTE_MS),
  author: anyOf('mira', 'jonas'),
});

const someOf = (all: string[]) => fc.subarray(all, { maxLength: 2 });
const anyCondition = fc.oneof(
  fc.record({
    propertyId: anyOf('status', 'priority'),
    operator: anyOf('is', 'is_not'),
    values: fc.subarray(STATUSES, { minLength: 1 }),
  }),
  fc.record({
    propertyId: fc.constant('tags'),
    operator: anyOf('contains', 'does_not_contain'),
    values: fc.subarray(TAGS, { minLength: 1 }),
  }),
  fc.record({ propertyId: anyOf('status', 'tags', 'sum'), operator: anyOf('is_empty', 'is_not_empty') }),
);
const anyChange = fc.oneof(
  fc.record({
    propertyId: anyOf('status', 'priority'),
    operator: fc.constant('changed'),
    from: someOf(STATUSES),
    to: someOf(STATUSES),
  }),
  fc.record({
    propertyId: fc.constant('tags'),
    operator: fc.constant('changed'),
    from: someOf(TAGS),
    to: someOf(TAGS),
  }),
);
const match = anyOf('all', 'any');
const anyTerms = fc.oneof(
  fc.record({
    eventType: fc.constant('page_updated'),
    watchedProperties: fc.subarray(['status', 'priority', 'tags'], { minLength: 1 }),
    statusTo: someOf(STATUSES),
    conditions: fc.record({ match, items: fc.array(fc.oneof(anyCondition, anyChange), { maxLength: 3 }) }),
    authors: fc.record({ mode: anyOf('anyone', 'only'), people: fc.constant(['mira']) }),
  }),
  fc.record({
    eventType: fc.constant('page_created'),
    watchedProperties: fc.constant([]),
    atOnce: fc.boolean(),
    conditions: fc.record({ match, items: fc.array(anyCondition, { maxLength: 3 }) }),
  }),
);

/** Removes steps that change nothing, because Notion does not report them. */
function effective(steps: Step[], before: Values): Step[] {
  const now = new Map(before);
  return steps.flatMap((step) => {
    const entries = Object.entries(step.changes ?? {}).filter(
      ([id, value]) => now.get(id)?.key !== value.key,
    );
    for (const [id, value] of entries) now.set(id, value);
    return step.changes && entries.length === 0
      ? []
      : [{ ...step, changes: step.changes && Object.fromEntries(entries) }];
  });
}

test('every outcome is that of the log, with its reason, or unknown', () => {
  const counts = { same: 0, unknown: 0 };
  fc.assert(
    fc.property(
      anyTerms,
      fc.boolean(),
      fc.boolean(),
      fc.array(anyStep, { minLength: 1, maxLength: 6 }),
      (terms, isNew, hasLog, chain) => {
        const rule = ruleOf({ ...terms, ...(terms.eventType === 'page_created' && { statusTo: [] }) });
        const start = values(status('open'), priority('open'), tags(), sum);
        const creation: Step = { afterMs: 0, changes: null, delayMs: 0, author: 'mira' };
        const page = new SimulatedPage(rule, new Map(start), !isNew);
        page.run([...(isNew ? [creation] : []), ...effective(chain, start)], NOW.getTime());
        const summaries = hasLog ? [...page.summaries] : [];
        const kept = new Map(summaries.map(([id, summary]) => [id, toKept(summary, PROPERTIES)]));
        const past = { turns: toTurns(page.events), page: page.page(), kept };
        const setting = { rule, botId: 'bot', now: new Date(NOW.getTime() + 3 * HOUR_MS), writesSince: NOW };
        const judged = judgePage(setting, { past, writes: [], lost: null });
        const said = judged.map(({ event }) => page.log.get(event.id) ?? null);
        const isSame = judged.map((one, nth) => {
          counts[one.outcome === 'unknown' ? 'unknown' : 'same'] += 1;
          const reasons: (string | null)[] = one.outcome === 'skipped' ? one.reasons : [null];
          return one.outcome === 'unknown' || reasons.includes(said[nth] ?? null);
        });
        expect({ isSame, said }).toEqual({ isSame: page.events.map(() => true), said });
      },
    ),
    { numRuns: 500 },
  );
  expect(counts.same).toBeGreaterThan(counts.unknown);
});
