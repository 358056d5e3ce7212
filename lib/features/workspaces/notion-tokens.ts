import { z } from 'zod';
import { openFormer, seal } from '@/lib/crypto';
import { env } from '@/lib/env';
import type { NotionTokens } from '@/lib/integrations/notion/notion-oauth';

const tokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string().optional() });

// Tokens used to be sealed without naming their row.
export const FORMER_TOKENS_PURPOSE = 'notion-tokens';
export const notionTokensPurpose = (workspaceId: string) => `notion-tokens:${workspaceId}`;

/** A workspace as far as calls to Notion need it: the id of its row, and its tokens. */
export interface WorkspaceAccess {
  id: string;
  sealedTokens: Uint8Array;
}

export const sealNotionTokens = (workspaceId: string, tokens: NotionTokens) =>
  seal(JSON.stringify(tokens), notionTokensPurpose(workspaceId));

export const openNotionTokens = (sealed: WorkspaceAccess): NotionTokens =>
  openNotionTokensWith(env().ENCRYPTION_KEYS, sealed);

/** Like `openNotionTokens`, with given keys instead of those of this process. */
export const openNotionTokensWith = (keys: Buffer[], { id, sealedTokens }: WorkspaceAccess): NotionTokens =>
  tokensSchema.parse(
    JSON.parse(openFormer(sealedTokens, notionTokensPurpose(id), FORMER_TOKENS_PURPOSE, keys)),
  );
