import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { webhookSignature } from '../../sandbox/notion/webhooks/webhook-signature';
import type { TestProduct } from './product';

export interface EventDraft {
  id?: string;
  type?: string;
  pageId: string;
  dataSourceId?: string;
  /** Bots that can see the page; null omits the list. */
  bots?: string[] | null;
  workspaceId?: string;
  authors?: string[];
  updated?: string[];
  at?: Date;
}

/** The body of a webhook as Notion writes it. */
export function notionEvent(draft: EventDraft) {
  const { id, type, pageId, dataSourceId, bots = null, workspaceId, authors, updated, at } = draft;
  return {
    id: id ?? randomUUID(),
    timestamp: (at ?? new Date()).toISOString(),
    workspace_id: workspaceId ?? randomUUID(),
    type: type ?? 'page.properties_updated',
    authors: (authors ?? []).map((author) => ({ id: author, type: 'person' })),
    ...(bots && { accessible_by: bots.map((bot) => ({ id: bot, type: 'bot' })) }),
    attempt_number: 1,
    api_version: '2026-03-11',
    entity: { id: pageId, type: 'page' },
    data: {
      parent: { id: randomUUID(), type: 'database', data_source_id: dataSourceId },
      ...(updated && { updated_properties: updated }),
    },
  };
}

/** Posts a text to Notion's door, signed with the right token unless another signature is given; null sends none. */
export function postToNotionDoor(
  product: TestProduct,
  body: string,
  signature: string | null = webhookSignature(body, product.sandbox.context.credentials.notion.webhookToken),
): Promise<Response> {
  return fetch(`${product.url}/api/notion/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signature && { 'x-notion-signature': signature }) },
    body,
  });
}

interface DiscordSignature {
  /** PEM of the private key; Discord's own when absent. */
  key?: string;
  timestamp?: string;
  /** The text to sign instead of the body. */
  signed?: string;
  /** The address of another process's doors. */
  url?: string;
}

/** Posts a text to Discord's door, signed as Discord does unless something is replaced. */
export function postToDiscordDoor(
  product: TestProduct,
  body: string,
  {
    key,
    timestamp = String(Math.floor(Date.now() / 1000)),
    signed = body,
    url = product.url,
  }: DiscordSignature = {},
): Promise<Response> {
  const pem = key ?? product.sandbox.context.credentials.discord.privateKey;
  const signature = sign(null, Buffer.from(timestamp + signed), createPrivateKey(pem)).toString('hex');
  const headers = { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp };
  return fetch(`${url}/api/discord/interactions`, { method: 'POST', headers, body });
}
