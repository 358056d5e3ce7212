import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { hash, open, seal } from '@/lib/crypto';
import { db, type Transaction } from '@/lib/db/database';
import { type NotionAuthorization, revokeNotionToken } from '@/lib/integrations/notion/notion-oauth';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { log } from '@/lib/log';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { openNotionTokens, sealNotionTokens } from './notion-tokens';

/** Revokes a token. Sealed values are in base64; older jobs have only the token. */
export const revokeTokenJob = defineJob({
  name: 'revoke-notion-token',
  payload: z.object({
    /** The id for which the token is sealed: that of the row that had it, or a new one. */
    id: z.string().default(''),
    sealedTokens: z.string(),
    sealedBotId: z.string().optional(),
  }),
  // A row may have had several tokens, each of which is revoked.
  key: ({ sealedTokens }) => `revoke-notion-token:${hash(sealedTokens)}`,
  queue: null,
});

type Revocation = z.infer<typeof revokeTokenJob.payload>;

export const botIdPurpose = (id: string) => `notion-bot:${id}`;

/** Enqueues the revocation of a row's token, in the transaction that deletes the row or gives it another token. */
export async function enqueueTokenRevocation(
  tx: Transaction,
  { id, botId, sealedTokens }: { id: string; botId: string; sealedTokens: Uint8Array },
): Promise<void> {
  const payload: Revocation = {
    id,
    sealedTokens: Buffer.from(sealedTokens).toString('base64'),
    sealedBotId: Buffer.from(seal(botId, botIdPurpose(id))).toString('base64'),
  };
  await enqueue(tx, revokeTokenJob, payload, { accountId: null });
}

type Unkept = Pick<NotionAuthorization, 'tokens' | 'botId'>;

/** Enqueues the revocation of a token that was never stored. A failure here is only logged. */
export async function revokeUnkept({ tokens, botId }: Unkept): Promise<void> {
  const id = randomUUID();
  const sealedTokens = sealNotionTokens(id, tokens);
  await enqueueTokenRevocation(db(), { id, botId, sealedTokens }).catch((error) =>
    log.error({ err: error }, 'Notion token not revoked'),
  );
}

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
