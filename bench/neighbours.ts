import { setTimeout as wait } from 'node:timers/promises';
import type { Lifetime } from '../scripts/lifetime';
import type { BenchProduct } from './bench-product';
import { type BenchStory, openPlaytest, tellStory } from './bench-story';
import { sendInteractions } from './chat';
import { measureEditToCard } from './edit-to-card';
import { addHostile, attack, type Hostile } from './hostile';
import { type Figures, figures, timed } from './measure';
import { type Aim, below, type Row, toRow } from './row';
import { Sender } from './sender';

const CARDS = 30;
// A channel takes five messages in five seconds, so this stays below the limit.
const CARD_PAUSE_MS = 1100;
const CALLS = 120;
const CALL_PAUSE_MS = 250;
const INTERACTION_ROUNDS = 20;
const INTERACTIONS_PER_ROUND = 7;
const ROUND_PAUSE_MS = 1500;
const WARM_UP_MS = 3000;

// Channels and servers that Discord refuses.
const REFUSED = [
  { guildId: '990000000000000002', channelId: '990000000000000012', refusedWith: 429 },
  { guildId: '990000000000000003', channelId: '990000000000000013', refusedWith: 403 },
] as const;

const atMostThreeTimes: Aim = { text: '≤ 3 × the quiet machine', isMet: (figure) => figure <= 3 };

interface Neighbour {
  cards: Figures;
  calls: Figures;
  interactions: Figures;
}

/**
 * What one account notices of three others that save, preview, send again and check 600 times a minute each, while
 * Discord enforces its limits and answers every call for one of them with 429 and for another with 403.
 */
export async function neighbourRows(product: BenchProduct, lifetime: Lifetime): Promise<Row[]> {
  // For sealing cards in this process.
  Object.assign(process.env, product.sandbox.env, { DATABASE_URL: product.databaseUrl });
  const story = await tellStory(product, 1);
  const sender = Sender.start(lifetime);
  await measureEditToCard(product, story, 5);
  await product.control('discord', 'PUT', '/limits', { limits: 'on' });
  const hostile: Hostile[] = [await addHostile(product, story, await openPlace(product))];
  for (const server of REFUSED) hostile.push(await addHostile(product, story, server));
  const begin = () => Promise.all(hostile.map((each) => attack(product, story, each)));
  await product.control('discord', 'DELETE', '/calls');
  // A warm-up: the first calls after a start load code.
  const first = await begin();
  await wait(WARM_UP_MS);
  await Promise.all(first.map((each) => each.stop()));
  await wait(WARM_UP_MS);
  const quiet = await measureNeighbour(product, story, sender);

  await product.database.query('delete from call_count');
  const attacks = await begin();
  const beside = await measureNeighbour(product, story, sender);
  const answers = await Promise.all(attacks.map((each) => each.stop()));
  const { invalidAnswers } = (await product.control('discord', 'GET', '/calls')) as {
    invalidAnswers: number;
  };
  const calls = answers.flatMap((each) => [...each.values()]).reduce((sum, count) => sum + count, 0);

  const row = (what: string, one: Figures, other: Figures) =>
    toRow(
      `${what} beside three hostile accounts, 99th percentile`,
      { figure: one.p99 / other.p99, unit: '×', note: `${inWords(one)}; alone ${inWords(other)}` },
      atMostThreeTimes,
    );
  return [
    row('card', beside.cards, quiet.cards),
    row('/me', beside.calls, quiet.calls),
    row('interaction', beside.interactions, quiet.interactions),
    toRow(
      'invalid answers of Discord meanwhile',
      { figure: invalidAnswers, unit: 'answers', note: `${calls} hostile calls` },
      below(500, 'answers'),
    ),
  ];
}

const inWords = ({ median, p99 }: Figures) => `${p99} ms, median ${median} ms`;

async function openPlace(product: BenchProduct) {
  const { id, channels } = await openPlaytest(product);
  const channel = channels.find(({ type }) => type === 0);
  if (!channel) throw new Error('The sandbox tells another story');
  return { guildId: id, channelId: channel.id };
}

async function measureNeighbour(
  product: BenchProduct,
  story: BenchStory,
  sender: Sender,
): Promise<Neighbour> {
  const [cards, calls, interactions] = await Promise.all([
    measureEditToCard(product, story, CARDS, CARD_PAUSE_MS),
    repeat(CALLS, CALL_PAUSE_MS, async () => [await timed(() => product.api('GET', '/api/app/me'))]),
    repeat(INTERACTION_ROUNDS, ROUND_PAUSE_MS, () =>
      sendInteractions(product, story, sender, { count: INTERACTIONS_PER_ROUND, inFlight: 1 }),
    ),
  ]);
  return { cards, calls: figures(calls), interactions: figures(interactions) };
}

async function repeat(times: number, pauseMs: number, measure: () => Promise<number[]>): Promise<number[]> {
  const durations: number[] = [];
  for (let time = 0; time < times; time += 1) {
    durations.push(...(await measure()));
    await wait(pauseMs);
  }
  return durations;
}
