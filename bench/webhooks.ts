import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

const DOOR = '/api/notion/webhook';

export interface Webhook {
  pageId: string;
  body: string;
  signature: string;
}

interface Draft {
  workspaceId: string;
  botId: string;
  databaseId: string;
  pageId: string;
  updated: string[];
}

/** A webhook as Notion sends it, signed. */
export function makeWebhook(draft: Draft, token: string): Webhook {
  const { workspaceId, botId, databaseId, pageId, updated } = draft;
  const body = JSON.stringify({
    id: randomUUID(),
    timestamp: new Date().toISOString(),
    workspace_id: workspaceId,
    type: 'page.properties_updated',
    authors: [{ id: randomUUID(), type: 'person' }],
    accessible_by: [{ id: botId, type: 'bot' }],
    attempt_number: 1,
    api_version: '2026-03-11',
    entity: { id: pageId, type: 'page' },
    data: {
      parent: { id: randomUUID(), type: 'database', data_source_id: databaseId },
      updated_properties: updated,
    },
  });
  return { pageId, body, signature: `sha256=${createHmac('sha256', token).update(body).digest('hex')}` };
}

/** Posts webhooks to a door over open connections, as fast as possible. */
export class WebhookSender {
  private readonly agent: Agent;
  private readonly door: URL;

  constructor(
    appUrl: string,
    private readonly inFlight: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: inFlight });
    this.door = new URL(DOOR, appUrl);
  }

  /** Posts all of them and returns how long the acknowledgement of each took, in milliseconds. */
  async postAll(webhooks: Webhook[]): Promise<number[]> {
    const durations: number[] = [];
    let next = 0;
    const lane = async () => {
      for (let webhook = webhooks[next++]; webhook; webhook = webhooks[next++]) {
        durations.push(await this.post(webhook));
      }
    };
    await Promise.all(Array.from({ length: this.inFlight }, lane));
    return durations;
  }

  post({ body, signature }: Webhook): Promise<number> {
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = request(
        this.door,
        {
          method: 'POST',
          agent: this.agent,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'x-notion-signature': signature,
          },
        },
        (answer) => {
          answer.resume();
          answer.once('end', () => {
            if (answer.statusCode === 200) resolve(performance.now() - start);
            else reject(new Error(`The door answered ${answer.statusCode}`));
          });
        },
      );
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
