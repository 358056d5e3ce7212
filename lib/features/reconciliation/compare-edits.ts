import { setTimeout as sleep } from 'node:timers/promises';
import { db, Prisma, type Transaction, transaction } from '@/lib/db/database';
import type { NotionDatabase, NotionWorkspace, Rule } from '@/lib/db/generated/client';
import {
  type ListPart,
  listEditedPages,
  type Page,
  type PageBatch,
} from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { metrics } from '@/lib/metrics';
import { readDatabaseClock } from '@/lib/queue/database-clock';
import { DAY_MS, HOUR_MS, MINUTE_MS, toMinute } from '@/lib/time';
import { hasForgottenSince } from '../recovery/queries';
import { forgetPages } from '../snapshots/stored-snapshots';
import { withNotion } from '../workspaces/notion-access';
import { hasDrifted, refreshKeptDatabase } from '../workspaces/refresh-database';
import { gatherPage, isGathering } from './gather';
import { findMissed, type MissedPage, storeMissed } from './missed-pages';

/** Leaves out clock rules, which no change in Notion concerns. */
export const IS_ABOUT_EVENTS = { schedule: { equals: Prisma.DbNull } };

export type WatchedDatabase = NotionDatabase & { rules: Rule[] };

/** What one run of a pass over a workspace knows and counts. */
export interface Pass {
  workspace: NotionWorkspace;
  /** Edits before this minute, on the database's clock, are compared. */
  until: Date;
  waited: Record<string, string[]>;
  /** The pages, by database, that this pass leaves out because they have just been edited. */
  tooFresh: Record<string, string[]>;
  /** The number of calls to Notion since `countedSince`, which is on this process's own clock. */
  requests: number;
  countedSince: number;
}

// Notion's list of edits may lag; comparing a page again costs nothing and changes nothing.
export const OVERLAP_MS = 5 * MINUTE_MS;
// If no pass has run for this long, missed changes are gathered into one card.
const AWAY_MS = HOUR_MS;
// Who moves a page to the trash by mistake soon restores it, and what changes then is compared with its old values.
const TRASHED_FOR_MS = HOUR_MS;
// A third of the calls that Notion allows a connection; the rest is for pages that people are editing.
const REQUESTS_PER_MINUTE = 60;
const MAX_TRASH_BATCHES = 20;

/** The run has used up its calls for this minute; a later run continues from the checkpoint. */
export class PassPaused extends Error {
  constructor(readonly retryInMs: number) {
    super('paused');
  }
}

/**
 * Goes through the edits of a database since its checkpoint and moves the checkpoint on, after storing what no webhook
 * reported. Throws NotionError, and PassPaused.
 */
export async function compareEdits(pass: Pass, database: WatchedDatabase): Promise<void> {
  const { workspace, until } = pass;
  const watchedSince = Math.min(...database.rules.map(({ createdAt }) => createdAt.getTime()));
  const since = toMinute(Math.max(watchedSince, database.checkpointAt?.getTime() ?? 0));
  const span = {
    // The list is sorted by edits, so a new page that is edited again and again appears late.
    createdSince: toMinute(Math.max(watchedSince, since.getTime() - DAY_MS)),
    isAway: (await isLongAgo(since, until)) || (await isGathering(workspace.accountId)),
  };
  let known = database;
  let missed = 0;
  let part: ListPart | null = { since: new Date(since.getTime() - OVERLAP_MS) };
  while (part) {
    const asked = part;
    const askedAt = await readDatabaseClock();
    const batch: PageBatch = await ask(pass, (token) => listEditedPages(token, database.id, asked));
    if (known === database && batch.pages.some((page) => hasDrifted(known, page))) {
      known = await rereadSchema(pass, database);
    }
    missed += await compareBatch(pass, known, { ...batch, askedAt }, span);
    const last = batch.pages.at(-1);
    if (batch.next && last && last.lastEditedAt.getTime() > since.getTime() + OVERLAP_MS) {
      pauseWhenSpent(pass);
    }
    part = batch.next;
  }
  const isNewDay = database.checkpointAt?.getUTCDate() !== until.getUTCDate();
  await advance(db(), pass, database.id, until);
  if (missed > 0 || isNewDay)
    await forgetTrashed(pass, database.id, new Date(since.getTime() - DAY_MS - TRASHED_FOR_MS));
}

// Changes that a restored database has forgotten are told one by one, because each may have been told already.
const isLongAgo = async (since: Date, until: Date) =>
  until.getTime() - since.getTime() > AWAY_MS && !(await hasForgottenSince(since));

/** Compares one batch of pages and stores what was missed. Returns the number of missed pages. */
async function compareBatch(
  pass: Pass,
  database: WatchedDatabase,
  { pages, askedAt }: Pick<PageBatch, 'pages'> & { askedAt: Date },
  { createdSince, isAway }: { createdSince: Date; isAway: boolean },
): Promise<number> {
  const { workspace, until } = pass;
  const last = pages.at(-1);
  if (!last) return 0;
  const { id, rules } = database;
  const missed = await findMissed({ workspaceId: workspace.id, rules, createdSince }, pages);
  const waited = new Set(pass.waited[id]);
  const isDue = (page: Page) => page.lastEditedAt < until || waited.has(page.id);
  const due = missed.filter(({ page }) => isDue(page));
  const fresh = missed.filter(({ page }) => !isDue(page)).map(({ page }) => page.id);
  if (fresh.length > 0) pass.tooFresh[id] = [...(pass.tooFresh[id] ?? []), ...fresh];
  const left: MissedPage[] = [];
  for (const each of due) {
    const isGathered =
      isAway && (await gatherPage({ workspaceId: workspace.id, databaseId: id }, each, askedAt));
    if (!isGathered) left.push(each);
  }
  await transaction(async (tx) => {
    // The turns of these pages read them anew.
    await storeMissed(tx, { workspaceId: workspace.id, databaseId: id }, left);
    await advance(tx, pass, id, last.lastEditedAt);
  });
  metrics.found.inc(due.length);
  return due.length;
}

async function advance(tx: Transaction, { workspace, until }: Pass, databaseId: string, to: Date) {
  const checkpointAt = to < until ? to : until;
  await tx.notionDatabase.updateMany({
    where: {
      workspaceId: workspace.id,
      id: databaseId,
      OR: [{ checkpointAt: null }, { checkpointAt: { lt: checkpointAt } }],
    },
    data: { checkpointAt },
  });
}

// A page in the trash appears in no other list of edits, and its old values are kept only until it is found here.
// Notion does not document that the trash can be queried. If it refuses, values are kept as long as those of other
// pages that nobody edits.
async function forgetTrashed(pass: Pass, databaseId: string, since: Date): Promise<void> {
  let part: ListPart | null = { since };
  const before = new Date(pass.until.getTime() - TRASHED_FOR_MS);
  for (let batch = 0; part && batch < MAX_TRASH_BATCHES; batch += 1) {
    const asked: ListPart = part;
    const { pages, next }: PageBatch = await ask(pass, (token) =>
      listEditedPages(token, databaseId, { ...asked, inTrash: true }),
    ).catch(unlessRefused);
    const trashed = pages.filter(({ isTrashed, lastEditedAt }) => isTrashed && lastEditedAt < before);
    await forgetPages(
      pass.workspace.id,
      trashed.map(({ id }) => id),
    );
    part = next;
  }
}

function unlessRefused(error: unknown): PageBatch {
  if (error instanceof NotionError && error.isInvalid) return { pages: [], next: null };
  throw error;
}

/** Reads the properties of a database again. */
export async function rereadSchema(
  pass: Pass,
  { workspaceId, id }: WatchedDatabase,
): Promise<WatchedDatabase> {
  await pace(pass);
  await refreshKeptDatabase({ workspaceId, databaseId: id });
  return db().notionDatabase.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId, id } },
    include: { rules: { where: IS_ABOUT_EVENTS } },
  });
}

async function ask<T>(pass: Pass, call: (token: string) => Promise<T>): Promise<T> {
  await pace(pass);
  return withNotion(pass.workspace, call);
}

const untilNextMinuteMs = ({ countedSince }: Pass) =>
  Math.max(0, countedSince + MINUTE_MS - performance.now());

// Ends the run, so that other workspaces get their turn: only once the checkpoint is past the overlap.
function pauseWhenSpent(pass: Pass): void {
  if (pass.requests >= REQUESTS_PER_MINUTE) throw new PassPaused(untilNextMinuteMs(pass));
}

// Waits instead of ending the job, because a later run might get no further.
async function pace(pass: Pass): Promise<void> {
  if (pass.requests >= REQUESTS_PER_MINUTE) {
    await sleep(untilNextMinuteMs(pass));
    Object.assign(pass, { requests: 0, countedSince: performance.now() });
  }
  pass.requests += 1;
}
