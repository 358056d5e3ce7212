import { scrubMessage, scrubText } from './scrub-text';

// Sentry's names for the parts of a URL or a call that may hold a secret, in requests, breadcrumbs and spans.
const SECRET = /(^|[._-])(query|query_?string|search|fragment|cookies?|authorization|body)($|[._-])/i;

// The texts of console lines and of elements on the page may be content.
const TELLING = /^(console|ui\.)/;

const THROWN_VALUE = 'Something that is no error was thrown';
const DEEPEST_CAUSE = 5;

interface Thrown {
  value?: unknown;
  mechanism?: { synthetic?: boolean };
}

/**
 * A copy of a report without the query strings of URLs, which contain codes and states of OAuth flows, and without
 * cookies, authorization headers, bodies, the signed-in person, and values quoted in error messages.
 */
export function scrubReport<T>(report: T): T {
  return scrub(report, '', []) as T;
}

function scrub(value: unknown, name: string, around: unknown[]): unknown {
  if (typeof value === 'string') return SAID.has(name) ? scrubMessage(value) : scrubText(value);
  if (around.includes(value)) return '[Circular]';
  const within = [...around, value];
  if (Array.isArray(value)) return value.map((item) => scrub(item, name, within));
  if (!isPlain(value)) return value;
  const isKept = (key: string) => !SECRET.test(key) && !LEFT_OUT[name]?.includes(key);
  const kept = Object.entries(value).filter(([key]) => isKept(key));
  const copy = Object.fromEntries(kept.map(([key, item]) => [key, scrub(item, key, within)]));
  return isThrownValue(copy) ? { ...copy, value: THROWN_VALUE } : copy;
}

// The fields that hold the messages of errors.
const SAID = new Set(['message', 'value', 'formatted']);

/** The fields that are never sent, by the part of the report that has them; the empty name is the report itself. */
const LEFT_OUT: Record<string, string[]> = {
  '': ['user', 'server_name'],
  // These hold a thrown object with all its values.
  extra: ['__serialized__', 'arguments'],
  request: ['data'],
};

const isThrownValue = (value: Thrown) => 'value' in value && value.mechanism?.synthetic === true;

// The SDK attaches its own objects, which it does not send.
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

interface Client {
  on(hook: 'beforeEnvelope', callback: (envelope: [object, ...unknown[]]) => void): unknown;
}

// The header of an envelope repeats the name of the traced request, and no other hook sees it.
const scrubHeaders = {
  name: 'ScrubHeaders',
  setup: (client: Client) => {
    client.on('beforeEnvelope', ([headers]) => void Object.assign(headers, scrubReport(headers)));
  },
};

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
  integrations: [scrubHeaders],
  beforeSend: scrubReport,
  beforeSendSpan: scrubReport,
  beforeBreadcrumb: <T extends { category?: string | undefined }>(breadcrumb: T): T | null =>
    TELLING.test(breadcrumb.category ?? '') ? null : scrubReport(breadcrumb),
};

/** The thrown error, or a new error if something else was thrown. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(THROWN_VALUE);
}

/** An error as it is logged. */
export interface DescribedError {
  type: string;
  message: string;
  stack?: string;
  code?: string | number;
  status?: string | number;
  cause?: DescribedError;
}

/** Describes an error without the values that it quotes or carries. */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: THROWN_VALUE };
  const { code, status } = error as { code?: unknown; status?: unknown };
  const isWord = (value: unknown) => typeof value === 'number' || typeof value === 'string';
  return {
    type: error.name,
    message: scrubMessage(error.message),
    ...(error.stack && { stack: framesOf(error) }),
    ...(isWord(code) && { code: typeof code === 'string' ? scrubText(code) : (code as number) }),
    ...(isWord(status) && { status: status as string | number }),
    ...(error.cause !== undefined &&
      depth < DEEPEST_CAUSE && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** An error for somebody who stores or logs it whole: without the values that this one quotes or carries. */
export function withoutValues(error: unknown): Error {
  const { type: name, message, ...rest } = describeError(error);
  return Object.assign(new Error(message), { name, ...rest });
}

// A stack begins with the message.
function framesOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.join('\n');
}
