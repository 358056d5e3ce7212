/** @jsxImportSource hono/jsx */
import type { WebhookEvent, Workspace } from '../notion-state';
import type { NotionWorld } from '../notion-world';

const SHOWN = 12;

const STATES: Record<WebhookEvent['state'], string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  held: 'Held back',
  sent: 'Delivered',
  failed: 'Gave up',
  dropped: 'Dropped',
};

/** The webhooks sent about this workspace, newest first. */
export function DeliveryLog({ world, workspace }: { world: NotionWorld; workspace: Workspace }) {
  const events = world.state.events.filter((each) => each.payload.workspace_id === workspace.id);
  const isConnected = world.state.authorizations.some((each) => each.workspaceId === workspace.id);
  const empty = isConnected
    ? 'No events yet. Edit a row of a shared database.'
    : 'No application is connected to this workspace, so nothing is sent.';
  return (
    <details id="deliveries" class="panel" open>
      <summary>Webhook deliveries</summary>
      {events.length === 0 ? (
        <p class="quiet">{empty}</p>
      ) : (
        <div class="scroll" id="deliveries-scroll">
          <table class="log">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Event</th>
                <th scope="col">Page</th>
                <th scope="col">State</th>
                <th scope="col">Attempts</th>
                <th scope="col">Answer</th>
              </tr>
            </thead>
            <tbody>{events.slice(-SHOWN).reverse().map(line)}</tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function line(event: WebhookEvent) {
  const last = event.attempts.at(-1);
  return (
    <tr key={event.id}>
      <td>
        <time datetime={event.payload.timestamp}>{event.payload.timestamp.slice(11, 19)}</time>
      </td>
      <td>
        <code>{event.payload.type}</code>
      </td>
      <td>{event.title}</td>
      <td>
        <span class={`state ${event.state}`}>{STATES[event.state]}</span>
      </td>
      <td>{event.attempts.length}</td>
      <td>{last ? `${last.answer} (${last.durationMs} ms)` : '–'}</td>
    </tr>
  );
}
