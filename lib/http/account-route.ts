import type { z } from 'zod';
import { type Account, requireAccount } from '@/lib/auth/account';
import { AppError } from '@/lib/errors';
import { throttleAccount } from './account-throttle';
import { browserKey } from './browser-key';
import { afterDeletion } from './gone-meanwhile';
import { limitAccount } from './limit-account';
import { limitAddress } from './limit-address';
import { parseInput } from './parse-input';
import { readJson } from './read-body';
import { jsonResponse, respond } from './respond';

const MAX_BODY_BYTES = 64 * 1024;

interface RouteInput<Params, Body, Query> {
  params?: z.ZodType<Params>;
  query?: z.ZodType<Query>;
  /** The schema of the body, or what chooses it by the body. */
  body?: z.ZodType<Body> | ((body: unknown) => z.ZodType<Body>);
  /** Status of a success; default 200. */
  status?: number;
  /** The most bytes that the body may have; default 64 kB. */
  maxBytes?: number;
  /** The file name under which a browser saves the answer. */
  fileName?: string;
}

interface AccountCall<Params, Body, Query> {
  account: Account;
  params: Params;
  query: Query;
  body: Body;
  /** A secret that binds an OAuth flow to this browser; reading it sets a cookie. */
  browserKey(): string;
}

interface RouteContext {
  params: Promise<Record<string, string | string[] | undefined>>;
}

/**
 * A handler of /api/app/*: authenticates by bearer, limits the rate, parses the named inputs, calls one feature
 * function and returns its result as JSON, or a Response as it is.
 */
export function accountRoute<Params = undefined, Body = undefined, Query = undefined>(
  input: RouteInput<Params, Body, Query>,
  handler: (call: AccountCall<Params, Body, Query>) => Promise<unknown>,
) {
  return (request: Request, context: RouteContext): Promise<Response> =>
    respond(request, async () => {
      limitAddress(request, 'calls');
      const account = await requireAccount(request);
      await limitAccount(account.id);
      // Reads are cheap, and a page makes several at once.
      if (request.method !== 'GET') await throttleAccount(account.id);
      const params = parseParams(input.params, await context.params);
      const query = input.query ? parseInput(input.query, queryOf(request)) : undefined;
      const body = input.body ? await parseBody(input.body, request, input.maxBytes) : undefined;
      const browser = browserKey(request);
      const result = await handler({
        account,
        params: params as Params,
        query: query as Query,
        body: body as Body,
        browserKey: browser.read,
      }).catch(async (error) => {
        throw await afterDeletion(error, account.id);
      });
      const response = result instanceof Response ? result : jsonResponse(result, input.status ?? 200);
      if (input.fileName) {
        response.headers.set('content-disposition', `attachment; filename="${input.fileName}"`);
      }
      if (browser.cookie()) response.headers.append('set-cookie', browser.cookie());
      return response;
    });
}

// An id of the wrong shape belongs to no row, so the answer is the same as for an unknown id.
function parseParams<T>(schema: z.ZodType<T> | undefined, value: unknown): T | undefined {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new AppError('not_found', 'Not found.');
  return parsed.data;
}

async function parseBody<T>(
  schema: z.ZodType<T> | ((body: unknown) => z.ZodType<T>),
  request: Request,
  maxBytes = MAX_BODY_BYTES,
): Promise<T> {
  const body = await readJson(request, maxBytes);
  return parseInput(typeof schema === 'function' ? schema(body) : schema, body);
}

const queryOf = (request: Request) => Object.fromEntries(new URL(request.url).searchParams);
