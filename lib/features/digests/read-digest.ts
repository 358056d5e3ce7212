import { Prisma, type Transaction } from '@/lib/db/database';
import type { Rule } from '@/lib/db/generated/client';
import {
  type DigestPage,
  digestLines,
  type FurtherPages,
  findScreen,
  PAGES_PER_SCREEN,
} from '../cards/digest-card';
import { READABILITY, type Readability } from '../decisions/gathered';
import type { EventType } from '../matching/schema';
import { idOfSource } from '../matching/sources';
import { openSummary } from '../matching/summary';
import { nameOfSource } from '../matching/words';
import { statusPropertyOf } from '../workspaces/database-schema';
import { type Fold, PageFold } from './fold';

// How many summaries are held in memory at once.
const CHUNK = 200;

// More than anybody reads, and few enough to be told well within the time limit of a transaction.
const MAX_TOLD = 10_000;

/** A decision that a digest tells. */
export interface DigestDecision {
  id: string;
  pageId: string;
  eventAt: Date;
  /** Its place among the decisions about the page. The events of these may have come in another order. */
  sequence: bigint;
}

/** A page of a digest, without what happened to it. */
export interface PageOfDigest extends Omit<Fold, 'news'> {
  told: DigestDecision[];
}

interface Wanted {
  /** The digest, or the message that it became. */
  id: string;
  accountId: string;
}

/**
 * What a digest tells: the decisions that it has gathered, oldest first, at most as many as one message tells. The one
 * whose message tells them all was the first that was made, and has a later place in the log since.
 */
export async function readTold(
  tx: Transaction,
  { id, accountId }: Wanted,
): Promise<(DigestDecision & Readability)[]> {
  return tx.$queryRaw`
    select d.id, d.page_id as "pageId", d.event_at as "eventAt",
      case when d.id = d.message_id then 0 else d.sequence end as sequence, ${READABILITY} from decision d
    where d.message_id = ${id}::uuid and d.account_id = ${accountId}::uuid and d.outcome = 'gathered'
    order by d.event_at, d.sequence limit ${MAX_TOLD}`;
}

/** What a digest's pages are read with, of its rule as it is now. */
export interface ReadingRule {
  workspaceId: string;
  eventType: EventType;
  source: NonNullable<Fold['source']>;
}

export const toReadingRule = (
  rule: Pick<Rule, 'workspaceId' | 'eventType' | 'databaseId' | 'pageId'> &
    Parameters<typeof nameOfSource>[0],
): ReadingRule => {
  const { workspaceId, eventType } = rule;
  return { workspaceId, eventType, source: { id: idOfSource(rule), name: nameOfSource(rule) } };
};

/**
 * The pages of a rule's decisions, each with the source in which the rule found it: by source, then by status as Notion
 * orders those of that source. A source that the rule still has is named as it is now.
 */
export async function readPages(
  tx: Transaction,
  decisions: DigestDecision[],
  { workspaceId, eventType, source: current }: ReadingRule,
) {
  const folded = await foldDecisions(tx, decisions, eventType);
  const pages = folded.map(({ source, ...page }) => ({
    ...page,
    source: source && source.id !== current.id ? source : current,
  }));
  const ids = [...new Set(pages.filter(({ isUndone }) => !isUndone).map(({ source }) => source.id))];
  const databases = await tx.notionDatabase.findMany({ where: { workspaceId, id: { in: ids } } });
  const statuses = new Map(
    databases.map((each) => [each.id, statusPropertyOf(each)?.options.map(({ name }) => name)]),
  );
  const rank = ({ source, status }: (typeof pages)[number]) => {
    const known = statuses.get(source.id) ?? [];
    if (status === null) return known.length + 1;
    const nth = known.indexOf(status);
    return nth < 0 ? known.length : nth;
  };
  return pages.toSorted(
    (one, other) => ids.indexOf(one.source.id) - ids.indexOf(other.source.id) || rank(one) - rank(other),
  );
}

/**
 * The pages of these decisions, in the order in which something first happened to them, as the decisions come in the
 * order in which things happened. What became of a page is collected in the order in which it was decided, because each
 * change begins at the value that the one before ended with. Holds the details of only a few changes at once, however
 * many there are. `eventType` is of decisions that do not say theirs.
 */
export async function foldDecisions(
  tx: Transaction,
  decisions: DigestDecision[],
  eventType: EventType,
): Promise<PageOfDigest[]> {
  const byPage = new Map<string, DigestDecision[]>();
  for (const told of decisions) {
    const ofPage = byPage.get(told.pageId);
    if (ofPage) ofPage.push(told);
    else byPage.set(told.pageId, [told]);
  }
  const pages: PageOfDigest[] = [];
  const decided = [...byPage.values()].map((told) => told.toSorted(bySequence));
  await foldPages(tx, decided, eventType, (told, { news: _, ...fold }) => pages.push({ told, ...fold }));
  return pages;
}

/** Sorts decisions into the order in which they were made. */
export const bySequence = (one: DigestDecision, other: DigestDecision) =>
  Number(one.sequence - other.sequence);

/** One screen of these pages, with what happened to them. */
export async function readScreen(
  tx: Transaction,
  pages: PageOfDigest[],
  screen: number,
): Promise<DigestPage[]> {
  const shown = pages.slice(screen * PAGES_PER_SCREEN, (screen + 1) * PAGES_PER_SCREEN);
  const lines: DigestPage[] = [];
  const all = shown.map(({ told }) => told);
  const [first] = shown;
  if (!first) return [];
  await foldPages(tx, all, first.eventType, (_, { status, news }) => lines.push({ status, news }));
  return lines;
}

/** The screen of these pages that somebody asks for; null when it shows none. */
export async function readFurtherPages(
  tx: Transaction,
  pages: PageOfDigest[],
  wanted: number,
): Promise<FurtherPages | null> {
  const place = findScreen(wanted, pages.length);
  const shown = await readScreen(tx, pages, place.screen);
  if (shown.length === 0) return null;
  return { ...place, lines: digestLines(shown), to: place.from + shown.length - 1 };
}

async function foldPages(
  tx: Transaction,
  pages: DigestDecision[][],
  eventType: EventType,
  take: (told: DigestDecision[], fold: Fold) => void,
): Promise<void> {
  const all = pages.flat();
  let chunk = new Map<string, Uint8Array>();
  let read = 0;
  for (const told of pages) {
    const fold = new PageFold(eventType);
    for (const { id } of told) {
      if (read % CHUNK === 0) chunk = await readSummaries(tx, all.slice(read, read + CHUNK));
      read += 1;
      const sealed = chunk.get(id);
      if (sealed) fold.add(openSummary(id, sealed));
    }
    const ended = fold.end();
    if (ended) take(told, ended);
  }
}

async function readSummaries(tx: Transaction, told: DigestDecision[]): Promise<Map<string, Uint8Array>> {
  const rows = await tx.$queryRaw<{ id: string; sealed: Uint8Array | null }[]>(Prisma.sql`
    select d.id, d.sealed_summary as sealed
    from unnest(${told.map(({ id }) => id)}::uuid[], ${told.map(({ eventAt }) => eventAt)}::timestamptz[])
      as wanted (id, event_at)
    cross join lateral (
      select id, sealed_summary from decision where id = wanted.id and event_at = wanted.event_at limit 1) d`);
  return new Map(rows.flatMap(({ id, sealed }) => (sealed ? [[id, sealed] as const] : [])));
}
