import type { World } from '../world';
import { eventsUrl, signedPost } from './signed-post';

const DEADLINE_MS = 3000;
const RETRY_AFTER_MS = [1000, 5000, 30_000, 120_000, 300_000];

/**
 * Sends a webhook event and returns the status of the first attempt (0 when there was no response). After anything but
 * 204 it retries with growing pauses for up to ten minutes.
 */
export async function sendEvent(world: World, type: string, data: unknown): Promise<number | undefined> {
  const { eventWebhooksStatus, eventWebhooksTypes } = world.state.application;
  if (eventWebhooksStatus !== 2 || !eventWebhooksTypes.includes(type)) return undefined;
  const event = { type, timestamp: world.now().toISOString(), data };
  const payload = { version: 1, application_id: world.applicationId, type: 1, event };
  const status = await tryOnce(world, payload);
  if (status !== 204) retry(world, payload, 0);
  return status;
}

function retry(world: World, payload: unknown, attempt: number): void {
  const pause = RETRY_AFTER_MS[attempt];
  if (pause === undefined) return;
  const again = async () => {
    if ((await tryOnce(world, payload)) !== 204) retry(world, payload, attempt + 1);
  };
  setTimeout(() => void again(), pause).unref();
}

async function tryOnce(world: World, payload: unknown): Promise<number> {
  try {
    const response = await signedPost(world, eventsUrl(world), payload, {
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
