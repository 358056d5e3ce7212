import { z } from 'zod';
import { openFormer, seal } from '@/lib/crypto';
import { db, type Transaction } from '@/lib/db/database';
import { type NotionTokens, refreshNotionTokens } from '@/lib/integrations/notion/notion-oauth';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { SECOND_MS } from '@/lib/time';

const LOCK_TIMEOUT_MS = 30 * SECOND_MS;
const RECONNECT = 'Notion no longer accepts this connection. Connect the workspace again.';

const tokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string().optional() });

// Tokens used to be sealed without naming their row.
export const FORMER_TOKENS_PURPOSE = 'notion-tokens';
export const notionTokensPurpose = (workspaceId: string) => `notion-tokens:${workspaceId}`;

interface SealedAccess {
  /** Of the workspace's row. */
  id: string;
  sealedTokens: Uint8Array;
}

export const sealNotionTokens = (workspaceId: string, tokens: NotionTokens) =>
  seal(JSON.stringify(tokens), notionTokensPurpose(workspaceId));

export const openNotionTokens = ({ id, sealedTokens }: SealedAccess): NotionTokens =>
  tokensSchema.parse(JSON.parse(openFormer(sealedTokens, notionTokensPurpose(id), FORMER_TOKENS_PURPOSE)));

/**
 * Calls Notion with a workspace's access token, refreshed once when Notion no longer takes it. A workspace
 * that cannot be refreshed is marked, so that its owner can see it. Throws NotionError and UnknownKeyError.
 */
export async function withNotion<T>(
  workspace: SealedAccess,
  call: (accessToken: string) => Promise<T>,
): Promise<T> {
  const { accessToken } = openNotionTokens(workspace);
  try {
    return await call(accessToken);
  } catch (error) {
    if (!(error instanceof NotionError) || !error.isUnauthorized) throw error;
    const renewed = await renewToken(workspace.id, accessToken);
    if (renewed) return call(renewed);
    await db().notionWorkspace.updateMany({ where: { id: workspace.id }, data: { problem: RECONNECT } });
    throw error;
  }
}

// Two callers that meet the same stale token refresh it once: a refresh token works a single time.
async function renewToken(workspaceId: string, staleAccessToken: string): Promise<string | null> {
  return db().$transaction(
    async (tx) => {
      const tokens = await lockTokens(tx, workspaceId);
      if (!tokens) return null;
      if (tokens.accessToken !== staleAccessToken) return tokens.accessToken;
      if (!tokens.refreshToken) return null;
      const renewed = await refreshNotionTokens(tokens.refreshToken).catch(refusedAsNull);
      if (!renewed) return null;
      await tx.notionWorkspace.update({
        where: { id: workspaceId },
        data: { sealedTokens: sealNotionTokens(workspaceId, renewed), problem: null },
      });
      return renewed.accessToken;
    },
    { timeout: LOCK_TIMEOUT_MS, maxWait: LOCK_TIMEOUT_MS },
  );
}

async function lockTokens(tx: Transaction, workspaceId: string): Promise<NotionTokens | null> {
  await tx.$queryRaw`select 1 from notion_workspace where id = ${workspaceId}::uuid for update`;
  const row = await tx.notionWorkspace.findUnique({ where: { id: workspaceId } });
  return row && openNotionTokens(row);
}

function refusedAsNull(error: unknown): null {
  if (error instanceof NotionError && !error.isTransient) return null;
  throw error;
}
