import type { z } from 'zod';
import { open } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { revokeNotionToken } from '@/lib/integrations/notion/notion-oauth';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { botIdPurpose, openNotionTokens, type revokeTokenJob } from './notion-access';

type Revocation = z.infer<typeof revokeTokenJob.payload>;

/** Revokes a token, unless a workspace uses it. Throws errors that are worth a retry. */
export async function revokeSealedToken(job: Revocation): Promise<void> {
  const { id } = job;
  const { accessToken } = openNotionTokens({ id, sealedTokens: Buffer.from(job.sealedTokens, 'base64') });
  if (await isKept(job, accessToken)) return;
  await revokeNotionToken(accessToken).catch((error) => {
    // With 401 Notion refuses our client secret, and has not looked at the token.
    if (!(error instanceof NotionError) || error.isTransient || error.isUnauthorized) throw error;
  });
}

// For older connections Notion may return the same token when somebody authorises them again.
async function isKept({ id, sealedBotId }: Revocation, accessToken: string): Promise<boolean> {
  if (!sealedBotId) return false;
  const botId = open(Buffer.from(sealedBotId, 'base64'), botIdPurpose(id));
  const rows = await db().notionWorkspace.findMany({ where: { botId } });
  return rows.some((row) => openNotionTokens(row).accessToken === accessToken);
}
