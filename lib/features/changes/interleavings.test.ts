import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';

const PAGES = ['Boss fight: ember golem', 'Ash storm weather effect'];
const STATUSES = ['Backlog', 'In progress', 'In review', 'Done'];
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());

interface Move {
  page: number;
  status: number;
  /** Which of the events still to arrive arrives next, and how often. */
  comes: { which: number; copies: number } | null;
  /** Whether everything that arrived is processed before the next move. */
  isWorked: boolean;
}

const moves = fc.array(
  fc.record<Move>({
    page: fc.nat({ max: PAGES.length - 1 }),
    status: fc.nat({ max: STATUSES.length - 1 }),
    comes: fc.option(fc.record({ which: fc.nat(), copies: fc.integer({ min: 1, max: 3 }) })),
    isWorked: fc.boolean(),
  }),
  { minLength: 1, maxLength: 10 },
);

async function begin(): Promise<void> {
  await pipeline.idle();
  await pipeline.clear();
  for (const page of PAGES) await pipeline.prepare(page, { Status: 'Backlog' });
  await pipeline.rule();
  // Only what the test sends arrives.
  pipeline.fault({ target: 'notion.webhook', kind: 'drop', times: 0 });
}

/** The changes that a page's cards tell, in order, as pairs of old and new values. */
async function changesOf(page: string): Promise<[string, string][]> {
  const lines = (await pipeline.lines()).filter((text) => text.startsWith(`${page}: Status: `));
  return lines.map((text) => text.slice(`${page}: Status: `.length).split(' → ') as [string, string]);
}

test('however events are duplicated, delayed and reordered, every net change is in one card, in order', async () => {
  const ids = await Promise.all(PAGES.map((page) => pipeline.pageId(page)));
  await fc.assert(
    fc.asyncProperty(moves, async (given) => {
      await begin();
      const status = pipeline.story.property('Status');
      const late: { id: string; pageId: string; updated: string[]; at: Date }[] = [];
      const now = PAGES.map(() => 'Backlog');
      const deliver = async (which: number, copies: number) => {
        const [event] = late.splice(which % late.length, 1);
        if (!event) return;
        const answers = await Promise.all(Array.from({ length: copies }, () => pipeline.send(event)));
        expect(answers.map((answer) => answer.status)).toEqual(Array(copies).fill(200));
      };
      for (const { page, status: to, comes, isWorked } of given) {
        now[page] = STATUSES[to] ?? '';
        const change = { page: ids[page], properties: { Status: now[page] } };
        await pipeline.story.product.control('notion', 'PATCH', '/rows', change);
        late.push({ id: randomUUID(), pageId: ids[page] ?? '', updated: [status], at: new Date() });
        if (comes) await deliver(comes.which, comes.copies);
        if (isWorked) await pipeline.idle();
      }
      while (late.length > 0) await deliver(0, 1);
      await pipeline.idle();
      for (const [index, page] of PAGES.entries()) {
        const changes = await changesOf(page);
        const chain = ['Backlog', ...changes.map(([, after]) => after)];
        expect(changes).toEqual(changes.map(([, after], at) => [chain[at], after]));
        expect(changes.filter(([before, after]) => before === after)).toEqual([]);
        expect(chain.at(-1)).toBe(now[index]);
      }
    }),
    { numRuns: 12 },
  );
});
