import { hash } from '@/lib/crypto';
import { Prisma, runStatement } from '@/lib/db/database';
import { env } from '@/lib/env';
import { isSignedWith } from '@/lib/http/notion-signature';
import { handshakeToken } from '@/lib/integrations/notion/notion-webhook';
import { log } from '@/lib/log';
import { MINUTE_MS } from '@/lib/time';

// The token of which this process knows that an event was signed with it, and when it last showed an offered one.
let proven: string | undefined;
let shownAt = Number.NEGATIVE_INFINITY;

/**
 * Shows the token of a subscription that is being made, in the log, where the operator reads it: Notion sends
 * it once, before anybody can have configured it. It is signed with the very token that it carries, which proves
 * nothing about the sender: nothing is stored, and nothing changes about which calls are believed. One line a minute
 * at most, and none once an event came that was signed with the configured token.
 */
export async function showOfferedToken(raw: string, headers: Headers): Promise<boolean> {
  const token = handshakeToken(parse(raw));
  if (!token || !isSignedWith(token, raw, headers)) return false;
  if (Date.now() - shownAt < MINUTE_MS || (await isConfiguredTokenProven())) return true;
  shownAt = Date.now();
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
