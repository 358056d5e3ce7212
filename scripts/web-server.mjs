/**
 * The production server: Next's own, plus a fast path for the few doors where a burst of calls needs responses within
 * milliseconds. Those calls go straight to the handlers of their routes, which the application registers at its start:
 * going through Next costs several times as much as the handler itself.
 */

import { on, once } from 'node:events';
import { createServer } from 'node:http';
import { isIPv6 } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { getRequestListener } from '@hono/node-server';
import next from 'next';
import { SECURITY_HEADERS } from '../next.config.mjs';
import {
  explainRefusedMethod,
  refuseBrokenCalls,
  refuseCall,
  refuseUnready,
  SERVER_LIMITS,
} from './web-refusals.mjs';

// A burst leaves a lot of short-lived garbage; without this, the heap doubles before the next collection. Collecting more
// often costs more than it saves: at 15 percent a seventh of the processor time, for 17 MB.
setFlagsFromString('--heap-growing-percent=40');

// The longest that a call is held while more connections arrive.
const MAX_HOLD_MS = 10;

// The longest that a call waits for the migrations of a start.
const MAX_MIGRATION_MS = 5000;

// A balancer that asked for readiness within this time gets to hear that we end before connections are refused.
const WATCHED_MS = 60_000;
const TURNING_AWAY_MS = 5000;

// Hosts usually kill a process 30 seconds after they told it to end. Other workers take over what is left.
const MAX_END_MS = 25_000;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };

const { values } = parseArgs({
  options: { hostname: { type: 'string' }, port: { type: 'string' }, hold: { type: 'boolean' } },
});

// With `--hold`, the parent sends the address, and then that the database is up to date.
const fromParent = values.hold ? on(process, 'message') : null;
const orphaned = () => process.exit(1);
if (fromParent) process.once('disconnect', orphaned);
/** @type {{ hostname?: string, port: number }} */
const { hostname, port } = fromParent
  ? (await fromParent.next()).value[0]
  : { hostname: values.hostname, port: Number(values.port) };

/** @type {import('../lib/http/own-server').OwnServer} */
const own = {
  migrated: untilMigrated(),
  doors: new Map(),
  endings: [],
  peerHeader: 'x-pagewire-peer',
  isEnding: false,
  readyAskedAt: Number.NEGATIVE_INFINITY,
};
Object.assign(globalThis, { pagewireServer: own });
let isMigrated = false;
own.migrated.then(() => {
  isMigrated = true;
});

// Next answers no offer to speak another protocol, and keeps some of these connections open for good. On a server that
// never listens it hears of none, and ours answers such calls as if nothing were offered.
const app = next({ dev: false, hostname, port, httpServer: createServer() });
await app.prepare();

const answerWithNext = app.getRequestHandler();
const answerAtDoor = getRequestListener(
  // Next bundles its own copies of these globals, and they must be the same everywhere in the process.
  (request, { incoming }) => doorOf(incoming)?.(request) ?? new Response(null, { status: 404 }),
  { overrideGlobalObjects: false },
);

const server = createServer(SERVER_LIMITS, (incoming, outgoing) => {
  if (refuseCall(incoming, outgoing)) return;
  if (isMigrated) answer(incoming, outgoing);
  else void answerOnceMigrated(incoming, outgoing);
});

/** @param {import('node:http').IncomingMessage} incoming @param {import('node:http').ServerResponse} outgoing */
async function answerOnceMigrated(incoming, outgoing) {
  if (incoming.url !== '/api/health/ready') await Promise.race([own.migrated, wait(MAX_MIGRATION_MS)]);
  if (isMigrated) answer(incoming, outgoing);
  else refuseUnready(incoming, outgoing);
}

/** @param {import('node:http').IncomingMessage} incoming @param {import('node:http').ServerResponse} outgoing */
function answer(incoming, outgoing) {
  namePeer(incoming);
  // Next leaves them out of its redirects.
  for (const { key, value } of SECURITY_HEADERS) outgoing.setHeader(key, value);
  // Closing the connection sends the next call to a process that keeps running.
  if (own.isEnding) outgoing.setHeader('connection', 'close');
  if (!doorOf(incoming)) {
    explainRefusedMethod(outgoing, () => askAllowed(incoming.url ?? ''));
    answerWithNext(incoming, outgoing).catch((error) => {
      console.error(error);
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
    });
    return;
  }
  admit(() => void answerAtDoor(incoming, outgoing));
}

refuseBrokenCalls(server);

/** Passes the peer of the socket on to Next in a header. @param {import('node:http').IncomingMessage} incoming */
function namePeer({ headers, rawHeaders, socket }) {
  const { peerHeader } = own;
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (rawHeaders[index]?.toLowerCase() === peerHeader) rawHeaders.splice(index, 2);
  }
  const address = socket.remoteAddress ?? '';
  rawHeaders.push(peerHeader, address);
  headers[peerHeader] = address;
}

/**
 * Resolves when the parent has brought the database up to date; at once without `--hold`. From then on, the server ends
 * with its parent.
 */
async function untilMigrated() {
  if (!fromParent) return;
  await fromParent.next();
  process.off('disconnect', orphaned).once('disconnect', () => void end('SIGTERM'));
  process.channel?.unref();
}

/** The allowed methods of a path, according to Next. @param {string} url */
async function askAllowed(url) {
  const host = isIPv6(hostname ?? '') ? `[${hostname}]` : (hostname ?? 'localhost');
  const answer = await fetch(`http://${host}:${port}${url}`, { method: 'OPTIONS' });
  return answer.headers.get('allow') ?? '';
}

// Node accepts one connection in each turn of its event loop. When many arrive at once, their calls are held until the
// last is accepted: answering the first makes the turns long, and every later connection would wait for one.
/** @type {(() => void)[]} */
let held = [];
let heldSince = 0;
let hasAccepted = false;
server.on('connection', () => {
  hasAccepted = true;
});

/** Answers a call once no more connections arrive. @param {() => void} answer */
function admit(answer) {
  held.push(answer);
  if (held.length > 1) return;
  heldSince = performance.now();
  setImmediate(answerHeld);
}

function answerHeld() {
  const isHeld = hasAccepted && performance.now() - heldSince < MAX_HOLD_MS;
  hasAccepted = false;
  if (isHeld) {
    setImmediate(answerHeld);
    return;
  }
  const answers = held;
  held = [];
  for (const answer of answers) answer();
}

/** @param {{ method?: string, url?: string }} call */
function doorOf({ method, url = '' }) {
  return method === 'POST' ? own.doors.get(url) : undefined;
}

/**
 * Finishes the calls and jobs in progress without starting new jobs. Calls are answered for a few more seconds if a
 * balancer checks the readiness of this process. @param {keyof typeof EXIT_CODES} signal
 */
async function end(signal) {
  if (own.isEnding) return;
  own.isEnding = true;
  setTimeout(() => {
    console.error('Pagewire ends although work is in progress: other workers take it over.');
    process.exit(EXIT_CODES[signal]);
  }, MAX_END_MS).unref();
  await Promise.all([closeServer(signal), ...own.endings.map((ending) => ending())]);
  process.exit(EXIT_CODES[signal]);
}

/** @param {keyof typeof EXIT_CODES} signal */
async function closeServer(signal) {
  const isWatched = performance.now() - own.readyAskedAt < WATCHED_MS;
  if (isWatched && signal === 'SIGTERM') await wait(TURNING_AWAY_MS);
  const closed = once(server, 'close');
  server.close();
  await closed;
  await app.close();
}

// A signal to the whole group comes twice: directly, and from the process that started this one.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => void end(signal));
server.once('error', ({ message }) => {
  console.error(`Pagewire cannot answer on port ${port}: ${message}`);
  process.exit(1);
});
server.listen(port, hostname);
await once(server, 'listening');
console.log(`Pagewire answers on port ${port}.`);
