import { randomUUID } from 'node:crypto';
import { openNotionTokens, sealNotionTokens } from '@/lib/features/workspaces/notion-tokens';
import type { BenchProduct } from './bench-product';

/** The id for a new connection to the story's workspace, and the story's own token sealed for it. */
export async function copyWorkspace({
  database,
  databaseUrl,
  sandbox,
}: BenchProduct): Promise<{ id: string; sealedTokens: Buffer }> {
  // Tokens are sealed with the product's keys.
  Object.assign(process.env, sandbox.env, { DATABASE_URL: databaseUrl });
  const { rows } = await database.query<{ id: string; sealedTokens: Uint8Array }>(
    'select id, sealed_tokens as "sealedTokens" from notion_workspace order by connected_at limit 1',
  );
  const [known] = rows;
  if (!known) throw new Error('The story has no workspace');
  const id = randomUUID();
  return { id, sealedTokens: Buffer.from(sealNotionTokens(id, openNotionTokens(known))) };
}
