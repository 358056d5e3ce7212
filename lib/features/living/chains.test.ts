import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';

const PAGE = 'Boss fight: ember golem';
const STATUSES = ['Backlog', 'In progress', 'In review', 'Done'];
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());

const control = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.control('discord', method, path, body);
const postedCards = async () => (await pipeline.cards()).filter(({ embeds }) => embeds.length > 0);

let now: Record<string, string | number> = {};

/** Makes a change, unless the properties have these values already: Notion would report nothing. */
async function change(properties: Record<string, string | number>) {
  if (Object.entries(properties).every(([name, value]) => now[name] === value)) return;
  now = { ...now, ...properties };
  await pipeline.edit(PAGE, properties, 'jonas');
}

/** Waits until Notion has reported everything, and nothing is left to do. */
async function idle() {
  await pipeline.allTold();
  await pipeline.idle();
}

/** What can happen to a page, to its card, and to the services between them. */
const MOVES = {
  status: (n: number) => change({ Status: STATUSES[n % STATUSES.length] ?? '' }),
  shown: (n: number) => change({ Estimate: n }),
  work: () => pipeline.idle(),
  week: () => db().$executeRaw`update living_card set last_event_at = now() - interval '8 days'`,
  deleteCard: async () => {
    const card = (await postedCards())[0];
    if (card) await control('DELETE', `/messages/${card.channelId}/${card.id}`);
  },
  deleteThread: async () => {
    const card = (await postedCards())[0];
    if (card) await control('DELETE', `/channels/${card.id}`).catch(() => undefined);
  },
  refuse: async () =>
    pipeline.fault({ target: 'discord', kind: 'fail', match: '(POST|PATCH) /api/v10/channels', status: 503 }),
  loseAnswer: async () =>
    pipeline.fault({ target: 'discord', kind: 'hangup', match: '(POST|PATCH) /api/v10/channels' }),
} satisfies Record<string, (n: number) => Promise<unknown>>;

const moves = fc.array(
  fc.record({
    what: fc.constantFrom(...(Object.keys(MOVES) as (keyof typeof MOVES)[])),
    n: fc.nat({ max: 99 }),
  }),
  { minLength: 3, maxLength: 12 },
);

test('whatever happens, a page has one card at most, and the last state of the card is that of the page', async () => {
  await fc.assert(
    fc.asyncProperty(moves, fc.constantFrom('living', 'quiet'), async (given, card) => {
      await pipeline.idle();
      await pipeline.clear();
      await pipeline.prepare(PAGE, { Status: 'Backlog', Estimate: 0 });
      now = { Status: 'Backlog', Estimate: 0 };
      await pipeline.rule({ card, displayedFields: ['Estimate'] });
      let [last, shown] = ['Backlog', 0];
      for (const { what, n } of given) {
        await MOVES[what](n);
        if (what === 'status') last = STATUSES[n % STATUSES.length] ?? '';
        if (what === 'shown') shown = n;
      }
      await idle();
      const next = STATUSES.find((status) => status !== last) ?? '';
      await change({ Status: next });
      await idle();
      const [only, ...others] = await postedCards();
      expect(others).toEqual([]);
      expect(only.embeds[0].description.split('\n')).toContain(`Status: ${next}`);
      expect(only.embeds[0].fields).toEqual([expect.objectContaining({ value: String(shown) })]);
    }),
    { numRuns: 6 },
  );
});
