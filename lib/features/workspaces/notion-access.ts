import { StillUnderWay } from '@/lib/db/call-claim';
import { db, type Transaction, transaction } from '@/lib/db/database';
import { singleFlight } from '@/lib/db/single-flight';
import { type NotionTokens, refreshNotionTokens } from '@/lib/integrations/notion/notion-oauth';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { log } from '@/lib/log';
import { SECOND_MS } from '@/lib/time';
import { RECONNECT } from './notion-problem';
import { openNotionTokens, sealNotionTokens, type WorkspaceAccess } from './notion-tokens';
import { revokeUnkept } from './revoke-token';

// Longer than a call to Notion may take.
const CLAIM_MS = 60 * SECOND_MS;
const OTHERS_WAIT_MS = 30 * SECOND_MS;
const PAUSE_MS = SECOND_MS;

/**
 * Calls Notion with a workspace's access token, and refreshes the token once when Notion no longer accepts it. If it
 * cannot be refreshed, the workspace is marked, and its owner sees that on the dashboard. Throws NotionError and
 * UnknownKeyError.
 */
export async function withNotion<T>(
  workspace: WorkspaceAccess,
  call: (accessToken: string) => Promise<T>,
): Promise<T> {
  const { accessToken } = openNotionTokens(workspace);
  try {
    return await call(accessToken);
  } catch (error) {
    if (!(error instanceof NotionError) || !error.isUnauthorized) throw error;
    const renewed = await renewToken(workspace.id, accessToken);
    const valid = renewed ?? (await markLost(workspace.id, accessToken));
    if (valid) return call(valid);
    throw error;
  }
}

/** For `catch` after a read: null if Notion no longer shows what was to be read. Throws any other error again. */
export function goneAsNull(error: unknown): null {
  if (error instanceof NotionError && error.isGone) return null;
  throw error;
}

/**
 * For `catch` after one of several reads: undefined if Notion's response is unreadable, which must not stop the others.
 * Throws any other error again.
 */
export function unreadableAsUndefined(error: unknown): undefined {
  if (!(error instanceof NotionError) || !error.isUnreadable) throw error;
  log.warn({ err: error }, 'what Notion returned was skipped');
  return undefined;
}

/** Marks a workspace whose token is lost. Returns its new token instead if it was connected again meanwhile. */
async function markLost(id: string, lost: string): Promise<string | null> {
  return transaction(async (tx) => {
    const tokens = await lockTokens(tx, id);
    if (tokens && tokens.accessToken !== lost) return tokens.accessToken;
    await tx.notionWorkspace.updateMany({ where: { id }, data: { problem: RECONNECT } });
    return null;
  });
}

/**
 * A token to replace a stale one; null when the connection is lost. Simultaneous callers share one refresh, because a
 * refresh token works only once. Throws NotionError while the outcome is unknown.
 */
async function renewToken(workspaceId: string, stale: string): Promise<string | null> {
  const workspace = await db().notionWorkspace.findUnique({ where: { id: workspaceId } });
  if (!workspace) return null;
  return singleFlight({
    key: `notion:${workspaceId}`,
    accountId: workspace.accountId,
    claimMs: CLAIM_MS,
    othersWaitMs: OTHERS_WAIT_MS,
    pauseMs: PAUSE_MS,
    findResult: async () => {
      const tokens = await findTokens(workspaceId);
      return tokens && tokens.accessToken !== stale ? tokens.accessToken : undefined;
    },
    run: async () => {
      const tokens = await findTokens(workspaceId);
      // Connected again meanwhile: its refresh token must not be spent.
      if (tokens && tokens.accessToken !== stale) return tokens.accessToken;
      if (!tokens?.refreshToken) return null;
      const renewed = await refreshNotionTokens(tokens.refreshToken).catch(spentAsNull);
      if (!renewed) return null;
      const kept = await replaceTokens(workspaceId, stale, renewed);
      // Somebody has disconnected the workspace meanwhile, or connected it again, so that nothing uses the new token.
      if (kept !== renewed.accessToken) await revokeUnkept({ tokens: renewed, botId: workspace.botId });
      return kept;
    },
  }).catch((error) => {
    if (error instanceof StillUnderWay) throw new NotionError(0, 'no_answer', 'Notion did not answer');
    throw error;
  });
}

async function findTokens(id: string): Promise<NotionTokens | null> {
  const row = await db().notionWorkspace.findUnique({ where: { id } });
  return row && openNotionTokens(row);
}

/** Stores new tokens, unless others were stored meanwhile. Returns the access token that is stored. */
async function replaceTokens(id: string, stale: string, renewed: NotionTokens): Promise<string | null> {
  return transaction(async (tx) => {
    const tokens = await lockTokens(tx, id);
    if (tokens?.accessToken !== stale) return tokens?.accessToken ?? null;
    const sealedTokens = sealNotionTokens(id, renewed);
    await tx.notionWorkspace.update({ where: { id }, data: { sealedTokens, problem: null } });
    return renewed.accessToken;
  });
}

/** Keeps the tokens of an account's workspace from being renewed until the transaction ends. */
export async function holdTokens(tx: Transaction, accountId: string): Promise<void> {
  await tx.$queryRaw`select 1 from notion_workspace where account_id = ${accountId}::uuid for no key update`;
}

async function lockTokens(tx: Transaction, workspaceId: string): Promise<NotionTokens | null> {
  await tx.$queryRaw`select 1 from notion_workspace where id = ${workspaceId}::uuid for no key update`;
  const row = await tx.notionWorkspace.findUnique({ where: { id: workspaceId } });
  return row && openNotionTokens(row);
}

function spentAsNull(error: unknown): null {
  if (!(error instanceof NotionError) || error.isTransient) throw error;
  if (error.isInvalidGrant) return null;
  // Anything else, such as a refused client secret, is no fault of the connection, so nobody needs to connect again.
  log.error({ err: error }, 'Notion token not refreshed');
  throw new NotionError(0, error.code, 'Notion did not refresh the token');
}
