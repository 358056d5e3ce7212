import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { channelIdOf, UNWATCHED } from './bench-ids';

/**
 * The floors that the product's figures are compared with: the minimum that turns a signed webhook into a card. With
 * DATABASE_URL each event is committed before the webhook is acknowledged, and processed from the table; without,
 * nothing is stored. No rules, accounts, order, limits or second attempts.
 */
const { UPSTREAM_URL: upstream = '', WEBHOOK_TOKEN: token = '', DATABASE_URL: databaseUrl } = process.env;
const atOnce = Number(process.env['AT_ONCE']);
const pool = databaseUrl ? new pg.Pool({ connectionString: databaseUrl, max: 10 }) : null;

interface Event {
  id: string;
  page: string;
  channel: string;
}

const server = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', async () => {
    const body = Buffer.concat(chunks);
    const expected = Buffer.from(`sha256=${createHmac('sha256', token).update(body).digest('hex')}`);
    const given = Buffer.from(String(incoming.headers['x-notion-signature']));
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return outgoing.writeHead(401).end();
    const { id, entity } = JSON.parse(body.toString('utf8'));
    const channel = channelIdOf(Number.parseInt(entity.id.slice(0, 8), 16));
    const event = { id, page: entity.id, channel };
    const isWatched = !UNWATCHED.test(event.page);
    if (!pool) {
      outgoing.writeHead(200).end();
      return isWatched ? post(event) : undefined;
    }
    await pool.query({
      name: 'store',
      text: 'insert into floor_event (id, page, channel, state) values ($1, $2, $3, $4) on conflict do nothing',
      values: [event.id, event.page, event.channel, isWatched ? 'new' : 'done'],
    });
    outgoing.writeHead(200).end();
    return isWatched ? work(pool) : undefined;
  });
});

let isWorking = false;
let isWanted = false;
async function work(database: pg.Pool): Promise<void> {
  isWanted = true;
  if (isWorking) return;
  isWorking = true;
  while (isWanted) {
    isWanted = false;
    const { rows } = await database.query<Event>({
      name: 'claim',
      text: `update floor_event set state = 'taken' where id in (
        select id from floor_event where state = 'new' order by number limit ${atOnce} for update skip locked)
        returning id, page, channel`,
    });
    if (rows.length === 0) continue;
    isWanted = true;
    await Promise.all(rows.map(post));
    const ids = rows.map(({ id }) => id);
    await database.query({
      name: 'finish',
      text: `update floor_event set state = 'done' where id = any($1)`,
      values: [ids],
    });
  }
  isWorking = false;
}

async function post({ id, page, channel }: Event): Promise<void> {
  const answer = await fetch(`${upstream}/v1/pages/${page}`);
  const { url, properties } = (await answer.json()) as {
    url: string;
    properties: Record<string, { type: string; number?: number }>;
  };
  const changed = Object.entries(properties).find(([, { type }]) => type === 'number');
  const description = `${changed?.[0]}: ${changed?.[1].number}`;
  const sent = await fetch(`${upstream}/api/v10/channels/${channel}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nonce: id.slice(0, 25), embeds: [{ title: 'Changed', url, description }] }),
  });
  await sent.arrayBuffer();
}

process.on('disconnect', () => process.exit());
await pool?.query(`create table if not exists floor_event (id text primary key, page text, channel text,
  state text not null default 'new', number bigint generated always as identity)`);
await pool?.query(`create index if not exists floor_event_new on floor_event (number) where state = 'new'`);
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
