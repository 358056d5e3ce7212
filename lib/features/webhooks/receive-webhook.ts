import { type Prisma, runStatement } from '@/lib/db/database';
import { parseBody } from '@/lib/http/read-body';
import {
  handshakeToken,
  type NotionPageEvent,
  toDatabaseEvent,
  toPageEvent,
} from '@/lib/integrations/notion/notion-webhook';
import { log } from '@/lib/log';
import { inFairBatches } from '@/lib/queue/in-fair-batches';
import { localLoopFor, withoutNotify } from '@/lib/queue/local-turns';
import { forgetParents } from '../tree/kept-parents';
import { noteDatabaseEvent } from '../workspaces/refresh-database';
import { storeEventsSql } from './store-events-sql';
import { noteSignedEvent } from './webhook-token-offer';

/**
 * Receives a signed webhook. Stores the event and makes its page's turn due, both or neither; an event that is already
 * stored changes nothing. An event about a database enqueues a read of it. A move voids the stored parent of what was
 * moved. Events of other kinds are acknowledged and ignored. Throws `invalid_json`.
 */
export async function receiveNotionWebhook(raw: string): Promise<undefined> {
  const body = parseBody(raw);
  // The handshake of the subscription whose token is already configured.
  if (handshakeToken(body)) return undefined;
  await noteSignedEvent();
  const event = toPageEvent(body);
  if (!event) {
    const database = toDatabaseEvent(body);
    if (database?.type.endsWith('.moved')) {
      await forgetParents([database.notionWorkspaceId], [database.entityId]);
    }
    if (await noteDatabaseEvent(body)) return undefined;
    log.info({ type: (body as { type?: unknown } | null)?.type }, 'webhook left alone');
    return undefined;
  }
  await storeEvent(event);
  return undefined;
}

const MOVED = 'page.moved';
const LARGEST_BATCH = 100;
const storeEvent = inFairBatches(storeEvents, LARGEST_BATCH, (event) => event.notionWorkspaceId);

async function storeEvents(events: NotionPageEvent[], patience: Prisma.Sql): Promise<undefined[]> {
  const loop = localLoopFor('page_turn');
  if (log.isLevelEnabled('debug')) log.debug({ eventIds: events.map(({ id }) => id) }, 'events arrived');
  const moved = events.filter(({ type }) => type === MOVED);
  if (moved.length > 0) {
    // Before the event is stored, so that every later look reads the new position from Notion.
    await forgetParents(
      moved.map(({ notionWorkspaceId }) => notionWorkspaceId),
      moved.map(({ pageId }) => pageId),
    );
  }
  const woken = await runStatement(storeEventsSql(events, withoutNotify(loop), patience));
  if (woken.length > 0) loop?.wake();
  return [];
}
