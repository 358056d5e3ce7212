import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';

/** The channel of the rule for each event. */
const RULES = { page_created: 'tasks', page_deleted: 'bugs', page_restored: 'general' } as const;
const TYPES = { trash: 'page.deleted', restore: 'page.undeleted' } as const;

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());

/** The page is moved to the trash, or restored if it is there. */
interface Move {
  /** Which of the reports still to arrive arrive after it. */
  comes: number[];
  /** Whether each of them is processed before the next arrives. */
  isEachWorked: boolean;
}

const moves = fc.array(
  fc.record<Move>({ comes: fc.array(fc.nat(), { maxLength: 3 }), isEachWorked: fc.boolean() }),
  { minLength: 1, maxLength: 5 },
);

const control = (path: string, body: unknown) => pipeline.story.product.control('notion', 'POST', path, body);

/** Adds a rule for each event and a page, of which nothing was reported yet. Returns its id. */
async function begin(): Promise<string> {
  await pipeline.idle();
  await pipeline.clear();
  for (const [eventType, channel] of Object.entries(RULES)) {
    await pipeline.rule({ eventType, watchedProperties: [], channelId: pipeline.story.channel(channel) });
  }
  // Only what the test sends arrives.
  pipeline.fault({ target: 'notion.webhook', kind: 'drop', times: 0 });
  const body = { database: 'Sprint board', properties: { Name: `Page ${randomUUID()}` } };
  return (await control('/rows', body)).id;
}

/** How many cards each rule has posted. */
async function counts(): Promise<Record<keyof typeof RULES, number>> {
  const entries = Object.entries(RULES).map(
    async ([type, channel]) => [type, (await pipeline.cards(channel)).length] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as Record<keyof typeof RULES, number>;
}

test('however a page is moved before its first report arrives, each card is true when it is posted, and none comes twice', async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (given) => {
      const pageId = await begin();
      const late = [{ id: randomUUID(), type: 'page.created', pageId, at: new Date() }];
      const done = { trash: 0, restore: 0 };
      let isTrashed = false;
      let before = await counts();
      const look = async () => {
        const now = await counts();
        const possible = isTrashed
          ? { page_created: 0, page_deleted: done.trash, page_restored: 0 }
          : { page_created: 1, page_deleted: 0, page_restored: done.restore };
        for (const [type, most] of Object.entries(possible) as [keyof typeof RULES, number][]) {
          expect(now[type] - before[type]).toBeLessThanOrEqual(most);
        }
        before = now;
      };
      const deliver = async (which: number) => {
        const [event] = late.splice(which % late.length, 1);
        for (let copy = 0; event && copy < 2; copy += 1) await pipeline.send(event);
      };
      for (const { comes, isEachWorked } of given) {
        const what = isTrashed ? 'restore' : 'trash';
        isTrashed = !isTrashed;
        done[what] += 1;
        await control(`/rows/${what}`, { page: pageId, as: 'mira' });
        late.push({ id: randomUUID(), type: TYPES[what], pageId, at: new Date() });
        for (const which of comes.slice(0, late.length)) {
          await deliver(which);
          if (!isEachWorked) continue;
          await pipeline.idle();
          await look();
        }
        await pipeline.idle();
        await look();
      }
      const isUnheard = late.some(({ type }) => type === 'page.created');
      while (late.length > 0) await deliver(0);
      await pipeline.settle();
      await look();
      expect(before.page_created).toBeLessThanOrEqual(1);
      if (isUnheard && !isTrashed) expect(before.page_created).toBe(1);
      expect(before.page_deleted).toBeLessThanOrEqual(done.trash);
      expect(before.page_restored).toBeLessThanOrEqual(done.restore);
    }),
    { numRuns: 10 },
  );
});
