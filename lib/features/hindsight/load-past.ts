import { db, runPageStatement } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import { MINUTE_MS } from '@/lib/time';
import { readSummary } from '../deliveries/delivery-log';
import type { StoredDatabase } from '../workspaces/refresh-database';
import { listWrites, type PageWrite, TOLD_WITHIN_MS } from '../writes/page-writes';
import { toKept } from './kept-values';
import type { Past, PastEvent } from './past';
import { type EVENT_ROW, eventsSql, type KEPT_ROW, keptSql } from './past-sql';

/** The most events that are looked at. */
export const MAX_EVENTS = 5000;
const MAX_KEPT = 1000;
const MAX_BYTES = 4 * 1024 * 1024;
// An event from before the span may have been looked at together with one in it.
const TOGETHER_MS = 10 * MINUTE_MS;

/** Everything that is stored about the events of a database since a time. */
export interface StoredPast {
  /** By page id; includes some from shortly before that time. */
  events: Map<string, PastEvent[]>;
  /** Whether there are more events than were read. */
  isCut: boolean;
  kept: Past['kept'];
  /** By page id, oldest first. */
  writes: Map<string, PageWrite[]>;
}

interface Span {
  workspace: { id: string; accountId: string; botId: string };
  /** Null if the source is not a database: its pages may be in any database or in none. */
  database: StoredDatabase | null;
  since: Date;
  /** Since when it is known for whom our bot wrote. */
  writesSince: Date;
}

/** Reads what is stored about the newest events of a database, or of everything that is shared. */
export async function loadPast({ workspace, database, since, writesSince }: Span): Promise<StoredPast> {
  const span = {
    accountId: workspace.accountId,
    workspaceId: workspace.id,
    since: new Date(since.getTime() - TOGETHER_MS),
    mostBytes: MAX_BYTES,
  };
  const databaseIds = database ? [database.id] : await listDatabaseIds(workspace.id);
  const [rows, summaries] = await Promise.all([
    runPageStatement<Row>(eventsSql({ ...span, databaseIds, most: MAX_EVENTS })),
    database
      ? runPageStatement<RowOf<typeof KEPT_ROW>>(
          keptSql({ ...span, databaseId: database.id, most: MAX_KEPT }),
        )
      : [],
  ]);
  const ours = rows.filter((row) => row.authors.includes(workspace.botId)).map(({ pageId }) => pageId);
  const writtenSince = new Date(writesSince.getTime() - TOLD_WITHIN_MS);
  const writes = ours.length > 0 ? await listWrites(workspace.id, [...new Set(ours)], writtenSince) : [];
  const kept: Past['kept'] = new Map();
  for (const row of summaries) {
    const summary = readSummary(row);
    if (summary)
      kept.set(
        row.eventId,
        new Map([...(kept.get(row.eventId) ?? []), ...toKept(summary, database?.properties ?? [])]),
      );
  }
  return {
    events: byPage(rows),
    isCut: rows.length < (rows[0]?.found ?? 0),
    kept,
    writes: byPage(writes),
  };
}

type Row = RowOf<typeof EVENT_ROW> &
  Pick<PastEvent, 'authors' | 'botAuthors' | 'updatedProperties' | 'parentKind'>;

async function listDatabaseIds(workspaceId: string): Promise<string[]> {
  const databases = await db().notionDatabase.findMany({ where: { workspaceId }, select: { id: true } });
  return databases.map(({ id }) => id);
}

function byPage<T extends { pageId: string }>(rows: T[]): Map<string, T[]> {
  const pages = new Map<string, T[]>();
  for (const row of rows) {
    const known = pages.get(row.pageId);
    if (known) known.push(row);
    else pages.set(row.pageId, [row]);
  }
  return pages;
}
