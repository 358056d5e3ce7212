import { hash } from '@/lib/crypto';
import { Prisma, runStatement } from '@/lib/db/database';
import { env } from '@/lib/env';
import { isSignedWith } from '@/lib/http/notion-signature';
import { handshakeToken } from '@/lib/integrations/notion/notion-webhook';
import { log } from '@/lib/log';
import { MINUTE_MS } from '@/lib/time';
import { isFirstIn } from '../calls/call-limits';

const LINE = 'notion:offered-token';

// The token with which this process has seen an event signed.
let proven: string | undefined;

/**
 * Logs the token of a subscription that is being created, for the operator to configure: Notion sends it once, and
 * nobody can know it before. The call is signed with the token that it carries, which proves nothing about the sender,
 * so nothing is stored and no other call is trusted because of it. All processes together log at most one line a
 * minute, and none after an event that was signed with the configured token.
 */
export async function showOfferedToken(raw: string, headers: Headers): Promise<boolean> {
  const token = handshakeToken(parse(raw));
  if (!token || !isSignedWith(token, raw, headers)) return false;
  if ((await isConfiguredTokenProven()) || !(await isFirstIn(LINE, MINUTE_MS))) return true;
  log.warn(
    `Notion, or anybody else, offers a webhook token. Use it only while you create the Notion subscription yourself: enter it there, and when Notion accepts it set NOTION_WEBHOOK_TOKEN=${token}`,
  );
  return true;
}

/** Records for all processes that events are signed with the configured token. Each process writes this once. */
export async function noteSignedEvent(): Promise<void> {
  const token = env().NOTION_WEBHOOK_TOKEN;
  if (proven === token) return;
  proven = token;
  try {
    await runStatement(Prisma.sql`
      insert into proven_webhook_token (token_hash) values (${hash(token)}) on conflict do nothing`);
  } catch (error) {
    proven = undefined;
    log.warn({ err: error }, 'the webhook token could not be noted as proven');
  }
}

async function isConfiguredTokenProven(): Promise<boolean> {
  const token = env().NOTION_WEBHOOK_TOKEN;
  if (proven === token) return true;
  const rows = await runStatement(Prisma.sql`
    select 1 from proven_webhook_token where token_hash = ${hash(token)}`);
  if (rows.length > 0) proven = token;
  return rows.length > 0;
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
