import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, Prisma } from '@/lib/db/database';
import { followDatabaseClock } from '@/lib/queue/database-clock';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import { followPace, type Paced } from './follow-pace';
import { paceSql } from './pace-sql';
import { forgetOldFloods } from './retention';
import { FLOOD_TIMES } from './table-times';

let pipeline: Pipeline;
let accountId: string;
let rules: string[];
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  rules = [
    (await pipeline.rule()).id,
    (await pipeline.rule({ eventType: 'page_created', watchedProperties: [] })).id,
  ];
  ({ accountId } = await db().rule.findFirstOrThrow());
});
afterAll(() => pipeline.story.product.stop());

interface Coming {
  ruleId: string;
  channelId: string;
}

/** Lets cards come in one statement. Returns the flood of each; null for a card that is posted. */
async function come(cards: Coming[]): Promise<(string | null)[]> {
  const rows = cards.map((card, sequence) => ({ id: randomUUID(), sequence, accountId, ...card }));
  const given = Prisma.sql`select id, "ruleId" as rule_id, "accountId" as account_id, "channelId" as channel_id, sequence,
      now() as at
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as g(id uuid, "ruleId" uuid, "accountId" uuid, "channelId" text, sequence bigint)`;
  const found = await db().$queryRaw<{ id: string; flood: string }[]>(
    Prisma.sql`with ${paceSql(given)} select id, flood_id as flood from rolled where (select count(*) from counted) >= 0`,
  );
  return rows.map(({ id }) => found.find((each) => each.id === id)?.flood ?? null);
}

/** Lets time pass, by making the noted times older. */
const pass = (ms: number) => db().$executeRaw`
  update posting_pace set last_at = last_at - ${ms} * interval '1 millisecond',
    recent = array(select at - ${ms} * interval '1 millisecond' from unnest(recent) at)`;

const step = fc.record({
  afterMs: fc.constantFrom(0, SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 4 * MINUTE_MS, 6 * MINUTE_MS),
  cards: fc.array(fc.record({ rule: fc.nat({ max: 1 }), channel: fc.constantFrom('a', 'b') }), {
    minLength: 1,
    maxLength: 14,
  }),
});

test('whatever comes, each card is posted or in one flood, as the rule says, and rules and channels do not mix', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await db().postingPace.deleteMany();
      await db().flood.deleteMany();
      const lanes = new Map<string, { times: Date[]; floods: (string | null)[] }>();
      let now = 0;
      for (const { afterMs, cards } of steps) {
        now += afterMs;
        await pass(afterMs);
        const given = cards.map(({ rule, channel: channelId }) => ({ ruleId: rules[rule] ?? '', channelId }));
        const floods = await come(given);
        for (const [nth, { ruleId, channelId }] of given.entries()) {
          const key = `${ruleId} ${channelId}`;
          const lane = lanes.get(key) ?? { times: [], floods: [] };
          lanes.set(key, lane);
          lane.times.push(new Date(now));
          lane.floods.push(floods[nth] ?? null);
        }
      }
      for (const { times, floods } of lanes.values()) expect(outcomesOf(floods)).toEqual(followPace(times));
      const opened = new Set(
        [...lanes.values()].flatMap(({ floods }) => floods.filter((each) => each !== null)),
      );
      expect((await db().flood.findMany()).map(({ id }) => id).sort()).toEqual([...opened].sort());
    }),
    { numRuns: 60 },
  );
});

function outcomesOf(floods: (string | null)[]): Paced[] {
  return floods.map((flood, nth) => {
    if (flood === null) return 'posted';
    return floods.indexOf(flood) === nth ? 'opens' : 'counted';
  });
}

test('many workers at once post ten together and open one flood', async () => {
  await db().postingPace.deleteMany();
  const cards = Array.from({ length: 3 }, () => ({ ruleId: rules[0] ?? '', channelId: 'c' }));
  const all = (await Promise.all(Array.from({ length: 12 }, () => come(cards)))).flat();
  expect(all.filter((flood) => flood === null)).toHaveLength(10);
  expect(new Set(all).size).toBe(2);
});

test('a clock that is set back prolongs no flood', async () => {
  await db().postingPace.deleteMany();
  const lane = { ruleId: rules[0] ?? '', channelId: 'd' };
  await come(Array.from({ length: 12 }, () => lane));
  // The database and the flood have noted times an hour ahead, as if the clock had been set back since.
  await pass(-60 * MINUTE_MS);
  await db().$executeRaw`
    insert into seen_clock (id, at) values (1, now() + interval '1 hour')
    on conflict (id) do update set at = excluded.at`;
  await followDatabaseClock(FLOOD_TIMES);
  const [before] = await come([lane]);
  expect(before).not.toBeNull();
  await pass(6 * MINUTE_MS);
  expect(await come([lane])).toEqual([null]);
});

test('the pace of long ago is forgotten, and one without any time, but not that of today', async () => {
  await db().postingPace.deleteMany();
  const [ruleId = ''] = rules;
  const pace = { ruleId, accountId, came: 1, admitted: 1 };
  const long = new Date(Date.now() - 2 * DAY_MS);
  await db().postingPace.createMany({
    data: [
      { ...pace, channelId: 'posted long ago', recent: [long] },
      { ...pace, channelId: 'flooded long ago', recent: [], lastAt: long },
      { ...pace, channelId: 'without a time', recent: [] },
      { ...pace, channelId: 'flooded today', recent: [long], lastAt: new Date() },
      { ...pace, channelId: 'posted today', recent: [new Date()] },
    ],
  });
  await forgetOldFloods();
  const kept = await db().postingPace.findMany({ orderBy: { channelId: 'asc' } });
  expect(kept.map(({ channelId }) => channelId)).toEqual(['flooded today', 'posted today']);
});
