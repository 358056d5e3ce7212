import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { STARTER } from './plan';

const KEYS = ['mira', 'jonas'] as const;
type Key = (typeof KEYS)[number];
const IDS = { mira: '208917000000000101', jonas: '208917000000000102' };
const TRIAL_DAYS = 14;

let product: TestProduct;
let till: StripeSteps;
let guild = '';
let board = '';

beforeAll(async () => {
  product = await TestProduct.start();
  till = new StripeSteps(product);
  const list: { id: string; name: string }[] = await product.control('discord', 'GET', '/guilds');
  guild = list.find(({ name }) => name === 'Lantern Works')?.id ?? '';
  board = (await product.databases()).get('Sprint board')?.id ?? '';
});
afterAll(() => product.stop());

const who = fc.constantFrom(...KEYS);
const step = fc.oneof(
  fc.record({
    do: fc.constantFrom('sign up', 'delete', 'install', 'leave server', 'connect', 'leave workspace'),
    who,
  }),
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('use'), who, messages: fc.integer({ min: 1, max: 900 }) }),
  },
  fc.record({ do: fc.constant('pass'), who, days: fc.integer({ min: 1, max: 9 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const find = (key: Key) =>
  db().account.findFirst({
    where: { discordUserId: IDS[key] },
    include: { servers: true, workspaces: true },
  });

/** What people, servers and workspaces have used of trials, and when the first trial of each began. */
class TrialUse {
  private day = 0;
  private readonly began = new Map<string, number>();
  private readonly used = new Map<string, number>();

  async take(each: Step): Promise<void> {
    const account = await find(each.who);
    const call = (method: string, path: string) => product.call(each.who, method, `/api/app/${path}`);
    if (each.do === 'sign up') await signUp(each.who);
    if (each.do === 'pass' && 'days' in each) await this.pass(each.days);
    if (!account) return;
    if (each.do === 'delete') await call('DELETE', 'account');
    if (each.do === 'install') await product.installBot(each.who, guild);
    if (each.do === 'leave server') await call('DELETE', 'discord/server');
    if (each.do === 'connect') await product.connectNotion(each.who, [board]);
    if (each.do === 'leave workspace') await call('DELETE', 'notion/workspace');
    await this.look();
    if (each.do === 'use' && 'messages' in each) await this.use(each.who, each.messages);
  }

  /** Notes the holders whose trials have begun. */
  private async look(): Promise<void> {
    for (const key of KEYS) {
      for (const holder of await holdersOf(key)) {
        if (!this.began.has(holder)) this.began.set(holder, this.day);
      }
    }
  }

  /** Sends as many messages as the account may. */
  private async use(key: Key, messages: number): Promise<void> {
    const { usage, subscription } = (await product.call(key, 'GET', '/api/app/billing')).body;
    if (!subscription.isTrialActive) return;
    const sent = Math.min(messages, STARTER.notifications - usage.notificationsUsed);
    const { periodStart: startsAt } = usage;
    const own = await db().usagePeriod.findFirst({
      where: { startsAt, account: { discordUserId: IDS[key] } },
    });
    await till.use((own?.sent ?? 0) + sent, IDS[key]);
    for (const holder of await holdersOf(key)) {
      const total = (this.used.get(holder) ?? 0) + sent;
      this.used.set(holder, total);
      expect([holder, total <= STARTER.notifications]).toEqual([holder, true]);
      expect([holder, this.day - (this.began.get(holder) ?? 0) < TRIAL_DAYS]).toEqual([holder, true]);
    }
  }

  private async pass(days: number): Promise<void> {
    this.day += days;
    await db().$executeRaw`update account set trial_ends_at = trial_ends_at - ${`${days} days`}::interval`;
    await db().$executeRaw`update trial set ends_at = ends_at - ${`${days} days`}::interval`;
  }
}

/** The person, the server and the workspace of an account on trial. */
async function holdersOf(key: Key): Promise<string[]> {
  const account = await find(key);
  if (!account || account.trialEndsAt <= new Date()) return [];
  const connected = [...account.servers.map(() => 'server'), ...account.workspaces.map(() => 'workspace')];
  return [key, ...connected];
}

async function signUp(key: Key): Promise<void> {
  expect((await product.call(key, 'GET', '/api/app/me')).status).toBe(200);
}

// Cases that random steps rarely reach: without sharing, the second account would have a whole plan for the same
// server, or both accounts a whole plan for the workspace that they have at the same time.
const MOVED_SERVER: Step[] = [
  { do: 'install', who: 'mira' },
  { do: 'use', who: 'mira', messages: 900 },
  { do: 'leave server', who: 'mira' },
  { do: 'install', who: 'jonas' },
  { do: 'use', who: 'jonas', messages: 900 },
];

const SHARED_WORKSPACE: Step[] = [
  { do: 'connect', who: 'mira' },
  { do: 'use', who: 'mira', messages: 300 },
  { do: 'connect', who: 'jonas' },
  { do: 'use', who: 'jonas', messages: 500 },
  { do: 'use', who: 'mira', messages: 500 },
  { do: 'delete', who: 'jonas' },
  { do: 'sign up', who: 'jonas' },
  { do: 'connect', who: 'jonas' },
  { do: 'use', who: 'jonas', messages: 500 },
];

test('however accounts, servers and workspaces come and go, none has more than one trial', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      await db().account.deleteMany();
      await db().trial.deleteMany();
      const had = new TrialUse();
      for (const key of KEYS) await had.take({ do: 'sign up', who: key });
      for (const each of steps) await had.take(each);
    }),
    { numRuns: 20, examples: [[MOVED_SERVER], [SHARED_WORKSPACE]] },
  );
});
