import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { databaseIdOf, MESSAGE_PATH, MESSAGES_PATH, PAGE_PATH, QUERY_PATH, THREADS_PATH } from './bench-ids';
import type { Ask, Card, Delays, Report, Setup } from './upstream';

const HOST = '127.0.0.1';
const EMPTY_LIST = JSON.stringify({ object: 'list', results: [], has_more: false, next_cursor: null });
// Discord always says how many calls are left; here there are always plenty.
const DISCORD_HEADERS = {
  'content-type': 'application/json',
  'x-ratelimit-bucket': 'bench',
  'x-ratelimit-limit': '1000000',
  'x-ratelimit-remaining': '999999',
  'x-ratelimit-reset-after': '1.000',
};
const NOTION_HEADERS = { 'content-type': 'application/json', 'x-notion-request-id': 'bench' };

/**
 * Notion and Discord, as fast as a server can be: all pages are one text with the id filled in, and messages are stored
 * unparsed. Calls about anything else are passed on to the sandbox.
 */
let setup: Setup = { notionUrl: '', discordUrl: '', page: '' };
let delays: Delays = { notion: 0, discord: 0 };
let cards: { at: number; took: number; channel: string; body: string }[] = [];
let pages = new Map<string, { count: number; took: number }>();
let made = new Map<string, string>();
let awaited = 0;
let value = 1000;
let messageId = 0;

const now = () => performance.timeOrigin + performance.now();

const server = createServer((incoming, outgoing) => {
  const startedAt = now();
  const path = incoming.url ?? '';
  const page = incoming.method === 'GET' ? PAGE_PATH.exec(path) : null;
  if (page) return later(delays.notion, () => answerPage(page, startedAt, outgoing));
  const channel = incoming.method === 'POST' ? MESSAGES_PATH.exec(path) : null;
  if (channel)
    return readAll(incoming, (body) =>
      later(delays.discord, () => keep(channel[1] ?? '', body, startedAt, outgoing)),
    );
  const edited = incoming.method === 'PATCH' ? MESSAGE_PATH.exec(path) : null;
  if (edited) return readAll(incoming, () => later(delays.discord, () => answerEdit(edited, outgoing)));
  const begun = incoming.method === 'POST' ? THREADS_PATH.exec(path) : null;
  if (begun) return readAll(incoming, () => later(delays.discord, () => answerThread(begun, outgoing)));
  if (QUERY_PATH.test(path))
    return readAll(incoming, () => outgoing.writeHead(200, NOTION_HEADERS).end(EMPTY_LIST));
  return passOn(incoming, outgoing);
});

function later(delayMs: number, answer: () => void): void {
  if (delayMs > 0) setTimeout(answer, delayMs);
  else answer();
}

function answerPage(
  [, database = '', rest = '']: string[],
  startedAt: number,
  outgoing: ServerResponse,
): void {
  const id = `${database}${rest}`;
  value += 1;
  const text = setup.page
    .replaceAll('PAGE_ID', id)
    .replace('DATABASE_ID', databaseIdOf(Number.parseInt(database, 16)))
    .replace('"ESTIMATE"', String(value));
  outgoing.writeHead(200, NOTION_HEADERS).end(text);
  const known = pages.get(id) ?? { count: 0, took: 0 };
  pages.set(id, { count: known.count + 1, took: known.took + now() - startedAt });
}

/** Stores a message. Like Discord, treats one with a known nonce as the same message. */
function keep(channel: string, body: string, startedAt: number, outgoing: ServerResponse): void {
  const nonce = /"nonce":"([^"]+)"/.exec(body)?.[1] ?? '';
  const known = nonce ? made.get(nonce) : undefined;
  if (!known) messageId += 1;
  const id = known ?? String(1_000_000_000_000_000_000n + BigInt(messageId));
  outgoing.writeHead(200, DISCORD_HEADERS).end(`{"id":"${id}","channel_id":"${channel}"}`);
  if (known) return;
  if (nonce) made.set(nonce, id);
  const at = now();
  cards.push({ at, took: at - startedAt, channel, body });
  if (cards.length === awaited) process.send?.({ awaited });
}

function answerEdit([, channel = '', id = '']: string[], outgoing: ServerResponse): void {
  outgoing.writeHead(200, DISCORD_HEADERS).end(JSON.stringify({ id, channel_id: channel }));
}

/** A thread has the id of the message that it starts from. */
function answerThread([, channel = '', id = '']: string[], outgoing: ServerResponse): void {
  outgoing.writeHead(201, DISCORD_HEADERS).end(JSON.stringify({ id, type: 11, parent_id: channel }));
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const base = incoming.url?.startsWith('/v1/') ? setup.notionUrl : setup.discordUrl;
  const forwarded = request(
    `${base}${incoming.url}`,
    { method: incoming.method, headers: incoming.headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  forwarded.on('error', () => outgoing.destroy());
  incoming.pipe(forwarded);
}

function readAll(incoming: IncomingMessage, then: (body: string) => void): void {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => then(Buffer.concat(chunks).toString('utf8')));
}

function report(): Report {
  const posted = cards.map(({ at, took, channel, body }): Card => {
    const pageId = /[0-9a-f]{8}-0000-4000-8000-[0-9a-f]{12}/.exec(body)?.[0] ?? '';
    return { pageId, channel, at, took: took + (pages.get(pageId)?.took ?? 0) };
  });
  const fetches = [...pages.values()].reduce((sum, { count }) => sum + count, 0);
  return { cards: posted, fetches };
}

process.on('message', (ask: Ask) => {
  if (ask.kind === 'setup') setup = ask.setup;
  if (ask.kind === 'delay') delays = ask.delays;
  if (ask.kind === 'clear') {
    cards = [];
    pages = new Map();
    made = new Map();
    awaited = ask.awaited;
  }
  process.send?.(ask.kind === 'report' ? report() : { done: ask.kind });
});
process.on('disconnect', () => process.exit());
server.keepAliveTimeout = 60_000;
server.listen(0, HOST, () => process.send?.({ port: (server.address() as AddressInfo).port }));
