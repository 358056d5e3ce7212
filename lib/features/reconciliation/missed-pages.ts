import { db, type Transaction } from '@/lib/db/database';
import { isSameValue } from '@/lib/integrations/notion/bounded-value';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { isUncomputed } from '@/lib/integrations/notion/property-value';
import { type PageEvent, PROPERTIES_UPDATED } from '../matching/match';
import { oldValue } from '../matching/old-value';
import type { RuleTerms } from '../matching/schema';
import type { Snapshot } from '../matching/snapshot';
import { readSnapshots, type StoredSnapshot } from '../snapshots/stored-snapshots';

/** A page with changes that no webhook reported, or that could not be read then, and the events that should have come. */
export interface MissedPage {
  page: Page;
  events: PageEvent[];
}

interface Database {
  workspaceId: string;
  rules: Pick<RuleTerms, 'watchedProperties'>[];
  /** Pages created before this are not looked for. */
  createdSince: Date;
}

/** The prefix of the ids of events that a pass makes because Notion sent none. */
export const RECONCILED = 'reconciled:';

/**
 * The pages among these that changed without a webhook, and new ones that could not be read when theirs came. A page
 * with an unprocessed event is left to that event, whose turn reads the page anyway.
 */
export async function findMissed(database: Database, pages: Page[]): Promise<MissedPage[]> {
  const ids = pages.map(({ id }) => id);
  const [snapshots, heard] = await Promise.all([
    readSnapshots(database.workspaceId, ids),
    listHeard(database.workspaceId, ids),
  ]);
  return pages.flatMap((page) => {
    const known = heard.get(page.id);
    if (known?.isPending) return [];
    const events = missedEvents(database, page, snapshots.get(page.id), known?.isCreated ?? false);
    return events.length > 0 ? [{ page, events }] : [];
  });
}

/**
 * The events for the difference between a page and its snapshot. Their ids derive from the page, the time of its last
 * edit and the snapshot's version, so that another pass makes the same ones. The time alone is not enough, because it is
 * only a minute: a page may change again after the first change was told. A page whose snapshot this process cannot open
 * may have changed: its event names no property, and its turn waits for the key. Notion does not say whether the last
 * editor is a bot.
 */
function missedEvents(
  { rules, createdSince }: Database,
  page: Page,
  snapshot: StoredSnapshot | undefined,
  isCreationKnown: boolean,
): PageEvent[] {
  const events: PageEvent[] = [];
  if (!isCreationKnown && page.createdAt >= createdSince) {
    events.push({
      id: `${RECONCILED}${page.id}:created`,
      type: 'page.created',
      authors: page.createdBy ? [page.createdBy] : [],
      botAuthors: [],
      updatedProperties: [],
      occurredAt: page.createdAt,
    });
  }
  const changed = snapshot?.values ? changedProperties(rules, page, snapshot.values) : [];
  if (snapshot && (changed.length > 0 || snapshot.isLocked)) {
    events.push({
      id: `${RECONCILED}${page.id}:${page.lastEditedAt.toISOString()}:${snapshot.version}`,
      type: PROPERTIES_UPDATED,
      authors: page.lastEditedBy ? [page.lastEditedBy] : [],
      botAuthors: [],
      updatedProperties: changed,
      occurredAt: page.lastEditedAt,
    });
  }
  return events;
}

function changedProperties(rules: Database['rules'], page: Page, snapshot: Snapshot): string[] {
  const watched = new Set(rules.flatMap(({ watchedProperties }) => watchedProperties));
  return [...watched].filter((id) => {
    const after = page.values.get(id);
    const before = after && oldValue(snapshot, id, after);
    return before ? !after.isCut && !isUncomputed(after) && !isSameValue(before, after) : false;
  });
}

/**
 * What was heard of pages: whether an event is unprocessed, and whether their creation is known. It is not while Notion
 * did not show the page to the turn of its event, as it does without a valid token, or while its database is not shared.
 * A pass repeats that event once.
 */
async function listHeard(workspaceId: string, pageIds: string[]) {
  const rows = await db().$queryRaw<{ pageId: string; isPending: boolean; isCreated: boolean }[]>`
    select page_id as "pageId", bool_or(processed_at is null) as "isPending",
      bool_or(type = 'page.created' and (starts_with(id, ${RECONCILED})
        or coalesce(outcome, '') not in ('notion_refused', 'notion_unreachable', 'page_gone'))) as "isCreated"
    from notion_event where workspace_id = ${workspaceId}::uuid and page_id = any(${pageIds}::text[])
    group by page_id`;
  return new Map(rows.map((row) => [row.pageId, row]));
}

/**
 * Stores missed events once, as if Notion had sent them, and wakes the turns of their pages. A page that Notion has
 * reported meanwhile is left to that event.
 */
export async function storeMissed(
  tx: Transaction,
  { workspaceId, databaseId }: { workspaceId: string; databaseId: string },
  missed: MissedPage[],
): Promise<void> {
  if (missed.length === 0) return;
  const rows = missed.flatMap(({ page, events }) => events.map((event) => ({ ...event, pageId: page.id })));
  await tx.$executeRaw`
    with stored as (
      insert into notion_event (workspace_id, id, type, page_id, database_id, authors, bot_authors, updated_properties,
        occurred_at)
      select w.id, m.id, m.type, m."pageId", ${databaseId}, m.authors, m."botAuthors", m."updatedProperties", m."occurredAt"
      from notion_workspace w
      cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(id text, type text, "pageId" text,
        authors text[], "botAuthors" text[], "updatedProperties" text[], "occurredAt" timestamptz)
      where w.id = ${workspaceId}::uuid and not exists (
        select 1 from notion_event e
        where e.workspace_id = w.id and e.page_id = m."pageId" and e.processed_at is null)
      on conflict do nothing
      returning workspace_id, page_id
    )
    select wake_pages(array_agg(workspace_id), array_agg(page_id)) from stored having count(*) > 0`;
}
