import { hash, randomToken } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import type { Account, OauthPurpose } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { afterDeletion } from '@/lib/http/gone-meanwhile';
import { log } from '@/lib/log';
import { MINUTE_MS } from '@/lib/time';
import type { SetupErrorCode } from './schema';

const LIFETIME_MS = 10 * MINUTE_MS;

// https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1
const CANCELLED = 'access_denied';

/**
 * A failed OAuth flow: a code of the setup page and, for oauth_failed, a sentence to go with it. `cancelledAt` is the
 * service where the person pressed Cancel.
 */
export class OauthFlowError extends Error {
  constructor(
    readonly code: SetupErrorCode,
    readonly details?: string,
    readonly cancelledAt?: OauthPurpose,
  ) {
    super(details ?? code);
  }
}

/** What the browser brought back from the other service. */
export interface OauthReturn {
  query: URLSearchParams;
  /** The secret of this browser; empty when it has none. */
  browserKey: string;
}

/** Starts a flow. Returns its random `state`, which works once, for ten minutes, for this account in this browser. */
export async function startOauthFlow(
  account: Account,
  purpose: OauthPurpose,
  browserKey: string,
  returnTo: string,
): Promise<string> {
  const state = randomToken();
  await db().oauthState.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  await db().oauthState.create({
    data: {
      stateHash: hash(state),
      accountId: account.id,
      purpose,
      browserHash: hash(browserKey),
      returnTo,
      expiresAt: new Date(Date.now() + LIFETIME_MS),
    },
  });
  return state;
}

/**
 * Finishes a flow: `connect` does what the other service allowed. Returns the path to redirect to: the flow's own, or
 * /setup with the error.
 */
export async function finishOauthFlow(
  back: OauthReturn,
  purpose: OauthPurpose,
  connect: (code: string, account: Account) => Promise<void>,
): Promise<string> {
  try {
    const { code, account, returnTo } = await takeReturned(back, purpose);
    await connect(code, account).catch(async (error) => {
      throw await afterDeletion(error, account.id);
    });
    return returnTo;
  } catch (error) {
    const failed = error instanceof AppError ? new OauthFlowError('oauth_failed', error.message) : error;
    if (!(failed instanceof OauthFlowError)) {
      log.error({ err: failed }, 'connecting failed');
      return setupPath({ error: 'internal_error' });
    }
    const { code, details, cancelledAt } = failed;
    return setupPath({
      error: code,
      ...(details && { details: details.slice(0, 300) }),
      ...(cancelledAt && { cancelled: cancelledAt }),
    });
  }
}

const setupPath = (query: { error: SetupErrorCode; details?: string; cancelled?: OauthPurpose }) =>
  `/setup?${new URLSearchParams(query)}`;

/**
 * Uses up the returned state. Returns the code, and the account and path for which the flow was started. Throws
 * OauthFlowError: `oauth_failed` for a cancelled flow, `invalid_state` for an unknown, used, expired or foreign state.
 */
async function takeReturned({ query, browserKey }: OauthReturn, purpose: OauthPurpose) {
  const [refused, code, state] = ['error', 'code', 'state'].map((name) => query.get(name));
  const flow = state ? await takeOauthFlow(state, purpose, browserKey) : null;
  if (refused) {
    const details = query.get('error_description') ?? refused;
    throw new OauthFlowError('oauth_failed', details, refused === CANCELLED ? purpose : undefined);
  }
  if (!code || !state) throw new OauthFlowError('missing_parameters');
  if (!flow) throw new OauthFlowError('invalid_state');
  return { code, account: flow.account, returnTo: flow.returnTo };
}

/** The flow that was started with this state; null when there is none, and for all but the first caller. */
async function takeOauthFlow(state: string, purpose: OauthPurpose, browserKey: string) {
  const [flow] = await db().oauthState.findMany({
    where: { stateHash: hash(state), purpose, browserHash: hash(browserKey), expiresAt: { gt: new Date() } },
    include: { account: true },
  });
  // A state works once, so only the request that deletes the row may continue.
  const used = flow && (await db().oauthState.deleteMany({ where: { stateHash: flow.stateHash } }));
  return used?.count === 1 ? flow : null;
}
