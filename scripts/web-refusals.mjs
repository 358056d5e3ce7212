import { STATUS_CODES } from 'node:http';
import { SECURITY_HEADERS } from '../next.config.mjs';

/** Node's limits for every caller. Handlers that read bodies have a shorter deadline. */
export const SERVER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
};

/** Connections at a time. Each may hold a header and the start of a body: little more than 100 MB in total. */
export const MAX_CONNECTIONS = 4096;

// Pages take no bodies, so nobody can make Next hold one.
const PAGE_METHODS = ['GET', 'HEAD'];
const API_METHODS = [...PAGE_METHODS, 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const ANSWERS = {
  400: { code: 'bad_request', error: 'This is not an HTTP request that can be read.' },
  405: { code: 'method_not_allowed', error: 'This method is not allowed here.' },
  408: { code: 'too_slow', error: 'The request took too long to arrive.' },
  413: { code: 'too_large', error: 'The request is too large.' },
  431: { code: 'too_large', error: 'The headers of the request are too large.' },
  503: { code: 'unavailable', error: 'Pagewire is starting: its database is being brought up to date.' },
};

/** @typedef {keyof typeof ANSWERS} Refusal */

/** @type {Record<string, Refusal>} */
const REFUSAL_BY_ERROR = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * Refuses a path that cannot be read, and a method that the path does not have. Returns whether it refused.
 * @param {import('node:http').IncomingMessage} incoming
 * @param {import('node:http').ServerResponse} outgoing
 */
export function refuseCall({ method = '', url = '' }, outgoing) {
  if (!isReadable(url)) return refuseWith(outgoing, 400);
  const allowed = methodsOf(url);
  if (allowed.includes(method)) return false;
  return refuseWith(outgoing, 405, { Allow: allowed.join(', ') });
}

/**
 * Refuses a call because migrations are not applied. The route for readiness answers in its own form.
 * @param {import('node:http').IncomingMessage} incoming
 * @param {import('node:http').ServerResponse} outgoing
 */
export function refuseUnready({ url }, outgoing) {
  const body = url === '/api/health/ready' ? { ready: false, reason: 'migrations' } : undefined;
  return refuseWith(outgoing, 503, { 'Retry-After': '5' }, body);
}

/**
 * Adds a body and the allowed methods to Next's 405, which has neither.
 * @param {import('node:http').ServerResponse} outgoing
 * @param {() => Promise<string>} askAllowed
 */
export function explainRefusedMethod(outgoing, askAllowed) {
  const writeHead = outgoing.writeHead.bind(outgoing);
  const end = outgoing.end.bind(outgoing);
  let isRefusal = false;
  Object.assign(outgoing, {
    writeHead: (/** @type {number} */ status, /** @type {any[]} */ ...rest) => {
      isRefusal = status === 405;
      return isRefusal ? outgoing : writeHead(status, ...rest);
    },
    end: (/** @type {any[]} */ ...rest) => {
      if (!isRefusal) return end(...rest);
      Object.assign(outgoing, { writeHead, end });
      askAllowed().then(
        (allow) => refuseWith(outgoing, 405, { Allow: allow }),
        () => refuseWith(outgoing, 405),
      );
      return outgoing;
    },
  });
}

/**
 * Limits how many connections a server has, and makes it answer calls that are too broken to become a request.
 * @param {import('node:http').Server} server
 */
export function refuseBrokenCalls(server) {
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connect', ({ url = '' }, socket) => {
    refuseOn(socket, 405, { Allow: methodsOf(url).join(', ') });
  });
  server.on('clientError', (/** @type {NodeJS.ErrnoException} */ { code = '' }, socket) => {
    // Node keeps the response in progress here; a second one would be written into the middle of it.
    const hasBegun = /** @type {any} */ (socket)._httpMessage?.headersSent;
    if (hasBegun || code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseOn(socket, REFUSAL_BY_ERROR[code] ?? 400);
  });
}

/** Whether it is a path, an address or `*`, and can be decoded. @param {string} url */
function isReadable(url) {
  try {
    decodeURI(url);
    return /^(?:\/|\*$)/.test(url) || (/^https?:\/\//i.test(url) && URL.canParse(url));
  } catch {
    return false;
  }
}

/** @param {string} url */
function methodsOf(url) {
  if (url === '*') return [];
  return /^\/api(?=[/?]|$)/.test(url) ? API_METHODS : PAGE_METHODS;
}

/**
 * @param {Refusal} status
 * @param {Record<string, string>} [more]
 * @param {object} [answer]
 */
function refusal(status, more, answer = ANSWERS[status]) {
  const body = JSON.stringify(answer);
  const security = SECURITY_HEADERS.map(({ key, value }) => [key, value]);
  return {
    body,
    headers: {
      ...Object.fromEntries(security),
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
      ...more,
    },
  };
}

/**
 * @param {import('node:http').ServerResponse} outgoing
 * @param {Refusal} status
 * @param {Record<string, string>} [more]
 * @param {object} [answer]
 */
function refuseWith(outgoing, status, more, answer) {
  const { headers, body } = refusal(status, more, answer);
  outgoing.writeHead(status, headers).end(body);
  return true;
}

/**
 * @param {import('node:stream').Duplex} socket
 * @param {Refusal} status
 * @param {Record<string, string>} [more]
 */
function refuseOn(socket, status, more) {
  const { headers, body } = refusal(status, more);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroy(),
  );
}
