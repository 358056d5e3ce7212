import { randomUUID } from 'node:crypto';
import type { Authorization, WebhookEvent, WebhookPayload } from '../notion-state';
import type { NotionWorld } from '../notion-world';

type Told = Pick<WebhookPayload, 'type' | 'timestamp' | 'authors' | 'entity' | 'data'> & {
  /** Its name in the log of deliveries. */
  title: string;
};

/** The webhook for something in a workspace. Nothing is sent if no installed bot can see it. */
export function webhookEvent(
  world: NotionWorld,
  { workspaceId, bots }: { workspaceId: string; bots: Authorization[] },
  { title, ...told }: Told,
): WebhookEvent[] {
  if (bots.length === 0) return [];
  const workspace = world.workspace(workspaceId);
  const payload: WebhookPayload = {
    id: randomUUID(),
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    subscription_id: world.state.subscriptionId,
    integration_id: world.state.integrationId,
    accessible_by: bots.map((each) => ({ id: each.botId, type: 'bot' })),
    api_version: '2026-03-11',
    ...told,
  };
  return [
    {
      id: payload.id,
      title,
      payload,
      state: world.settings.webhooksPaused ? 'dropped' : 'waiting',
      dueAtMs: Date.now(),
      tries: 0,
      repeats: 0,
      faultDrawn: false,
      attempts: [],
    },
  ];
}
