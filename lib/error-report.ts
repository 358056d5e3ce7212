// Sentry's names for the parts of a URL or a call that may hold a secret, in requests, breadcrumbs and spans.
const SECRET = /(^|[._-])(query|query_?string|search|fragment|cookies?|authorization|body)($|[._-])/i;

const QUERY = /[?#][^\s"'<>]*=[^\s"'<>]*/g;
const AFTER_PATH = /((?:https?:\/\/|\/)[^\s"'<>?#]*)[?#][^\s"'<>]*/g;

/**
 * A copy of a report without the query strings of URLs, which contain codes and states of OAuth legs, and without
 * cookies, authorization headers and bodies.
 */
export function scrubReport<T>(report: T): T {
  return scrub(report, '', []) as T;
}

function scrub(value: unknown, name: string, around: unknown[]): unknown {
  if (typeof value === 'string') return value.replace(QUERY, '').replace(AFTER_PATH, '$1');
  if (around.includes(value)) return '[Circular]';
  const within = [...around, value];
  if (Array.isArray(value)) return value.map((item) => scrub(item, name, within));
  if (!isPlain(value)) return value;
  const isKept = (key: string) => !SECRET.test(key) && !(name === 'request' && key === 'data');
  const kept = Object.entries(value).filter(([key]) => isKept(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, scrub(item, key, within)]));
}

// The SDK attaches its own objects, which it does not send.
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** The options about what to collect and send that both sides pass to Sentry's SDK. */
export const REPORT_OPTIONS = {
  dataCollection: {
    userInfo: false,
    cookies: false,
    httpHeaders: false,
    httpBodies: [],
    urlQueryParams: false,
    databaseQueryData: false,
    queues: false,
    stackFrameVariables: false,
  },
  beforeSend: scrubReport,
  beforeSendSpan: scrubReport,
  beforeBreadcrumb: scrubReport,
};
