import type { Transaction } from '@/lib/db/database';
import type { NotionDatabase, NotionPage, NotionWorkspace, Rule } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { getPage, type Page } from '@/lib/integrations/notion/notion-page';
import { readDatabaseClock } from '@/lib/queue/database-clock';
import type { RuleSource } from '../matching/sources';
import { describeSource, EVERYTHING, nameOfSource } from '../matching/words';
import { withNotion } from '../workspaces/notion-access';
import { DATABASE_NOT_SHARED, notionProblem } from '../workspaces/notion-problem';
import { refreshDatabase, type StoredDatabase } from '../workspaces/refresh-database';
import { storePage } from '../workspaces/watched-pages';
import type { Source } from './schema';

/** What a draft watches, as Notion shows it now: a database, a page, or neither for everything that is shared. */
export interface FoundSource {
  database: StoredDatabase | null;
  page: Page | null;
  /** When Notion was asked, on the database's clock. */
  askedAt: Date;
  /** What would be stored. */
  columns: RuleSource;
}

/**
 * Reads a source from Notion. Throws `not_found` if it is not shared or in the trash, `not_connected`,
 * `upstream_failed`.
 */
export async function findSource(workspace: NotionWorkspace, source: Source): Promise<FoundSource> {
  const columns = columnsOf(source);
  const askedAt = await readDatabaseClock();
  if (source.kind === 'database') {
    const database = await refreshDatabase(workspace, source.databaseId).catch((error) => {
      throw notionProblem(error, DATABASE_NOT_SHARED);
    });
    if (database.isTrashed) throw new AppError('not_found', 'That database is in the trash.');
    return { database, page: null, askedAt, columns: { ...columns, databaseId: database.id } };
  }
  const page = source.kind === 'page' ? await findSourcePage(workspace, source.pageId) : null;
  return { database: null, page, askedAt, columns };
}

async function findSourcePage(workspace: NotionWorkspace, pageId: string): Promise<Page> {
  const page = await withNotion(workspace, (token) => getPage(token, pageId)).catch((error) => {
    throw notionProblem(error, 'source.pageId: that page is not shared with Pagewire, or is not a page.');
  });
  if (page.isTrashed) throw new AppError('not_found', 'source.pageId: that page is in the trash.');
  return page;
}

/**
 * Stores the page of a source that a rule is going to watch, or keeps its database until the transaction ends. Throws
 * `not_found` for a database that has been found to be gone since it was read.
 */
export async function keepSource(
  tx: Transaction,
  workspaceId: string,
  { page, columns: { databaseId } }: FoundSource,
): Promise<void> {
  if (page) await storePage(tx, workspaceId, page);
  if (databaseId === null) return;
  const kept = await tx.$queryRaw<unknown[]>`
    select 1 from notion_database
    where workspace_id = ${workspaceId}::uuid and id = ${databaseId} and is_shared for key share`;
  if (kept.length === 0) throw new AppError('not_found', DATABASE_NOT_SHARED);
}

/** A source as it is stored. */
export const columnsOf = (source: Source): RuleSource => ({
  sourceKind: source.kind,
  databaseId: source.kind === 'database' ? source.databaseId : null,
  pageId: source.kind === 'page' ? source.pageId : null,
  subpages: source.kind === 'page' ? source.subpages : null,
});

/** A stored source in the API's form. A CHECK in the database ensures which columns each kind has. */
export function sourceOf({ sourceKind, databaseId, pageId, subpages }: RuleSource): Source {
  if (sourceKind === 'page') return { kind: 'page', pageId: pageId ?? '', subpages: subpages ?? 'none' };
  return sourceKind === 'database'
    ? { kind: 'database', databaseId: databaseId ?? '' }
    : { kind: 'workspace' };
}

export type RuleWithSource = Rule & { database: NotionDatabase | null; page: NotionPage | null };

export const WITH_SOURCE = { database: true, page: true } as const;

/** A stored source in words: "Engineering wiki and all below". */
export const sourceInWords = (rule: RuleWithSource): string =>
  describeSource(nameOfSource(rule), rule.subpages);

/** What pages outside databases have in place of a database's properties. */
export const TITLE_ONLY = {
  name: EVERYTHING,
  properties: [{ id: 'title', name: 'Title', type: 'title', options: [], groups: [] }],
  statusPropertyId: null,
  formerNames: {},
};
