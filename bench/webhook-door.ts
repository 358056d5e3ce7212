import { createHmac, randomUUID } from 'node:crypto';
import type { BenchProduct } from './bench-product';
import type { BenchStory } from './bench-story';
import { type Figures, figures, timedAll } from './measure';

/**
 * How long the webhook door takes to verify, commit and answer an event of a watched database. Each event is of
 * a page that nobody knows, so that the jobs behind the door stay short.
 */
export async function measureDoor(
  product: BenchProduct,
  story: BenchStory,
  { events, inFlight }: { events: number; inFlight: number },
): Promise<Figures> {
  return figures(await timedAll(events, inFlight, () => knock(product, story)));
}

async function knock({ appUrl, sandbox }: BenchProduct, story: BenchStory): Promise<void> {
  const body = JSON.stringify({
    id: randomUUID(),
    timestamp: new Date().toISOString(),
    workspace_id: story.workspaceId,
    type: 'page.properties_updated',
    authors: [{ id: randomUUID(), type: 'person' }],
    accessible_by: [{ id: story.botId, type: 'bot' }],
    attempt_number: 1,
    api_version: '2026-03-11',
    entity: { id: randomUUID(), type: 'page' },
    data: {
      parent: { id: randomUUID(), type: 'database', data_source_id: story.databaseId },
      updated_properties: ['title'],
    },
  });
  const key = sandbox.context.credentials.notion.webhookToken;
  const response = await fetch(`${appUrl}/api/notion/webhook`, {
    method: 'POST',
    headers: { 'x-notion-signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}` },
    body,
  });
  if (response.status !== 200) throw new Error(`The door answered ${response.status}`);
  await response.arrayBuffer();
}
