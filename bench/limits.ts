import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Prisma } from '@/lib/db/database';
import { wakeChannelsSql } from '@/lib/features/messages/queue-messages';
import { nonceOf, sealMessage } from '@/lib/features/messages/sealed-body';
import { type GuardedChild, startGuarded } from '../scripts/guarded-child';
import type { Lifetime } from '../scripts/lifetime';
import type { BenchProduct } from './bench-product';
import { openPlaytest } from './bench-story';
import { round } from './measure';
import { addOtherAccounts } from './other-accounts';
import { atLeast, atMost, below, type Row, toRow } from './row';

type Product = Pick<BenchProduct, 'sandbox' | 'database' | 'databaseUrl' | 'control'>;

const CHANNELS = 100;
const CARDS_PER_ACCOUNT = 500;
const MAX_MS = 180_000;

/**
 * How cards leave while Discord enforces its limits: 5 messages in 5 seconds for each channel and 50 calls a second in
 * total. The best possible times: 25 cards for each of 20 channels need five windows of each channel, so the last
 * hundred cards begin after 20 s and take one more second at 50 a second, 21 s together; 2,000 cards over 100 channels
 * need 2,000 / 50 = 40 slots of a second, and the first begins at once: 39 s.
 */
export async function measureLimits(product: Product, lifetime: Lifetime): Promise<Row[]> {
  // For sealing cards in this process.
  Object.assign(process.env, product.sandbox.env, { DATABASE_URL: product.databaseUrl });
  const channels = await makeChannels(product);
  await product.control('discord', 'PUT', '/limits', { limits: 'on' });
  const rows: Row[] = [];
  for (const processes of [1, 4]) {
    // One worker already runs in the web process.
    const workers = Array.from({ length: processes - 1 }, () => startWorker(product));
    for (const worker of workers) lifetime.add(worker.stop);
    const among = processes === 1 ? 'one process' : `${processes} processes`;
    rows.push(...(await measureWith(product, channels, among)));
    for (const worker of workers) await worker.stop();
  }
  await product.control('discord', 'PUT', '/limits', { limits: 'off' });
  return rows;
}

async function measureWith(product: Product, channels: string[], among: string): Promise<Row[]> {
  const few = channels.slice(0, 20);
  const spread = await send(product, few, 25);
  const backlog = await send(product, channels, 20);
  const neighbours = await measureNeighbours(product, few);
  const rateLimited = spread.rateLimited + backlog.rateLimited + neighbours.rateLimited;
  const share = (100 * 39) / backlog.seconds;
  const seconds = (figure: number) => ({ figure, unit: 's' });
  return [
    toRow(`500 cards over 20 channels, ${among}`, seconds(spread.seconds), atMost(21, 's')),
    toRow(
      `backlog of 2,000 cards, ${among}`,
      { figure: share, unit: '% of the limit' },
      atLeast(95, '% of the limit'),
    ),
    toRow(`card beside a channel with 500, ${among}`, seconds(neighbours.slowest), below(1, 's')),
    toRow(
      `calls that Discord refused (429), ${among}`,
      { figure: rateLimited, unit: 'calls' },
      atMost(0, 'calls'),
    ),
  ];
}

/** Makes cards wait for every channel, and measures the time from then until the last one is in Discord. */
async function send(product: Product, channels: string[], each: number) {
  await startFresh(product);
  const cards = channels.flatMap((channelId) => Array.from({ length: each }, () => channelId));
  const { nonces, addedAt } = await addCards(product, cards);
  const arrivals = await waitForArrivals(product, channels, nonces);
  return { seconds: round((Math.max(...arrivals) - addedAt) / 1000), rateLimited: await refused(product) };
}

/** How long a card of each other channel takes while one channel has 500 cards waiting. */
async function measureNeighbours(product: Product, [busy = '', ...others]: string[]) {
  await startFresh(product);
  await addCards(
    product,
    Array.from({ length: 500 }, () => busy),
  );
  let slowest = 0;
  for (const channelId of others) {
    await wait(100);
    const { nonces, addedAt } = await addCards(product, [channelId]);
    const arrivals = await waitForArrivals(product, [channelId], nonces);
    slowest = Math.max(slowest, ...arrivals.map((at) => at - addedAt));
  }
  await product.database.query(`delete from message where state = 'waiting'`);
  return { slowest: round(slowest / 1000), rateLimited: await refused(product) };
}

/** Waits until every limit has ended, and resets the counts of calls. */
async function startFresh(product: Product): Promise<void> {
  await wait(6000);
  await product.control('discord', 'DELETE', '/calls');
}

async function refused(product: Product): Promise<number> {
  return ((await product.control('discord', 'GET', '/calls')) as { rateLimited: number }).rateLimited;
}

/** Adds waiting cards in one transaction, as pages' turns do. Returns their nonces, and when they were added. */
async function addCards(
  product: Product,
  channelIds: string[],
): Promise<{ nonces: Set<string>; addedAt: number }> {
  const accounts = await addOwners(product, Math.ceil(channelIds.length / CARDS_PER_ACCOUNT));
  const owners = new Map(
    [...new Set(channelIds)].map((id, index) => [id, accounts[index % accounts.length]]),
  );
  const cards = channelIds.map((channelId) => {
    const id = randomUUID();
    const message = { embeds: [{ title: 'A page', description: `Status: **Backlog** → **Done** ${id}` }] };
    return { id, channelId, owner: owners.get(channelId), sealed: sealMessage(id, message) };
  });
  const addedAt = Date.now();
  await product.database.query(
    `with card as (
       select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::bytea[])
         as c (id, channel_id, account_id, rule_id, sealed)
     ), kept as (
       insert into message (id, at, account_id, source_id, target_id, sealed_body)
       select id, now(), account_id, rule_id, channel_id, sealed from card
     ), due as (
       ${wakeChannelsSql(Prisma.sql`select channel_id as target_id, account_id from card`).text}
     )
     select count(*) from due`,
    [
      cards.map(({ id }) => id),
      cards.map(({ channelId }) => channelId),
      cards.map(({ owner }) => owner?.accountId),
      cards.map(({ owner }) => owner?.ruleId),
      cards.map(({ sealed }) => Buffer.from(sealed)),
    ],
  );
  return { nonces: new Set(cards.map(({ id }) => nonceOf(id))), addedAt };
}

interface Owner {
  accountId: string;
  ruleId: string;
}

async function addOwners({ database }: Product, count: number): Promise<Owner[]> {
  const { rows } = await database.query<Owner>(
    `select account_id as "accountId", id as "ruleId" from rule where account_id = any($1)`,
    [await addOtherAccounts(database, count, 1)],
  );
  return rows;
}

/** Waits until every card is in its channel. Returns when each arrived, in milliseconds. */
async function waitForArrivals(product: Product, channels: string[], nonces: Set<string>): Promise<number[]> {
  const deadline = Date.now() + MAX_MS;
  for (;;) {
    // A single card is measured beside a backlog.
    if (nonces.size > 1) await waitUntilSent(product, deadline);
    const lists = await Promise.all(
      channels.map((id) => product.control('discord', 'GET', `/channels/${id}/messages`)),
    );
    const messages = (lists as { messages: { nonce: string | null; createdAt: string }[] }[])
      .flatMap((list) => list.messages)
      .filter(({ nonce }) => nonce !== null && nonces.has(nonce));
    if (messages.length === nonces.size) return messages.map(({ createdAt }) => Date.parse(createdAt));
    if (messages.length > nonces.size) throw new Error('A card was doubled');
    if (Date.now() > deadline) throw new Error(`${nonces.size - messages.length} cards did not come`);
    await wait(20);
  }
}

/** Waits until no card is left to send. */
async function waitUntilSent(product: Product, deadline: number): Promise<void> {
  while (Date.now() < deadline) {
    const { rows } = await product.database.query(`select 1 from message where state = 'waiting' limit 1`);
    if (rows.length === 0) return;
    await wait(50);
  }
}

async function makeChannels(product: Product): Promise<string[]> {
  const guild = await openPlaytest(product);
  const channels: string[] = [];
  for (let made = 0; made < CHANNELS; made += 1) {
    const body = { name: `limits-${made}` };
    const { id } = (await product.control('discord', 'POST', `/guilds/${guild.id}/channels`, body)) as {
      id: string;
    };
    channels.push(id);
  }
  return channels;
}

function startWorker({ sandbox, databaseUrl }: Product): GuardedChild {
  return startGuarded({
    command: process.execPath,
    args: ['--import', 'tsx', 'scripts/worker.ts'],
    env: { ...process.env, ...sandbox.env, DATABASE_URL: databaseUrl },
    signal: 'TERM',
    onOutput: () => {},
  });
}
