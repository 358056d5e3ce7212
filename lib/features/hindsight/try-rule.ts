import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { DAY_MS, SECOND_MS, type TimeLeft, timeLeft } from '@/lib/time';
import { clockOf } from '../calendar/clock-of';
import { isClockEvent } from '../matching/words';
import { checkDraft } from '../rules/check-draft';
import type { RuleInput } from '../rules/schema';
import { TITLE_ONLY } from '../rules/sources';
import { KEPT_MS } from '../tasks/interactions';
import { withoutUnreached } from './find-reach';
import { judgePage, type Setting } from './judge';
import { loadPast, type StoredPast } from './load-past';
import { locatePages } from './locate-pages';
import { type PastEvent, toTurns } from './past';
import { decidingProperties, type TriedRule } from './past-views';
import { lostOf, type PagesRead, readPages } from './read-pages';
import { type Judged, toReport } from './report';
import type { Tried, TryInput } from './schema';
import { tryClock } from './try-clock';
import { TooLate, withDeadline } from './with-deadline';

// A part of the account's sixty calls a minute, because it takes several calls to Notion.
const COST = 6;
// After this time it answers with what it knows.
const PATIENCE_MS = 4 * SECOND_MS;

/**
 * What a draft rule would have made of the events of its source in the last days, including today, as far as that is
 * known from the stored events and the current pages. Checks the draft as createRule does; stores and sends nothing.
 * Also throws `rate_limited`, and `upstream_failed` when the draft cannot be checked in time.
 */
export async function tryRule(account: Account, { rule: input, days }: TryInput): Promise<Tried> {
  const left = timeLeft(PATIENCE_MS);
  await limitOutsideCalls(account.id, COST);
  const { workspace, source, fields } = await checkInTime(account, input, left);
  const { database } = source;
  const now = new Date();
  const since = startOfDays(now, days);
  const rule: TriedRule = { ...fields, enabled: true, database: database ?? TITLE_ONLY };
  if (database && isClockEvent(fields.eventType)) {
    return tryClock({ account, workspace, database, rule, days, since, now }, left);
  }
  const writesSince = new Date(now.getTime() - KEPT_MS);
  const stored = await loadPast({ workspace, database, since, writesSince });
  const located = await locatePages(workspace, source.columns, stored.events, left);
  const isOfDatabase = database !== null;
  const mayBeWatched = (id: string, ofPage: PastEvent[]) =>
    located.get(id) !== false || (isOfDatabase && isOfAny(ofPage));
  const past = {
    ...stored,
    events: new Map([...stored.events].filter(([id, ofPage]) => mayBeWatched(id, ofPage))),
  };
  const { destination } = fields;
  const propertyIds = new Set(decidingProperties(rule).map(({ id }) => id));
  if (destination.kind === 'people') propertyIds.add(destination.propertyId);
  const wanted = firstEvents(past, isOfDatabase);
  const read = await readPages({ workspace, databaseId: database?.id ?? null, propertyIds, ...wanted }, left);
  const judged = judgeAll({ rule, botId: workspace.botId, now, writesSince }, past, { read, located });
  const found = await withoutUnreached({ accountId: account.id, destination }, judged, read);
  const ofSpan = found.filter(({ event }) => event.occurredAt >= since && event.occurredAt <= now);
  return toReport({
    now,
    days,
    found: ofSpan,
    isCut: stored.isCut,
    read,
    rule: fields,
    clock: clockOf(account),
  });
}

async function checkInTime(account: Account, input: RuleInput, left: TimeLeft) {
  try {
    return await withDeadline(left, checkDraft(account, input));
  } catch (error) {
    if (!(error instanceof TooLate)) throw error;
    throw new AppError(
      'upstream_failed',
      'Notion or Discord takes too long to answer. Try again in a minute.',
    );
  }
}

/** When the first of these days began in UTC; the last day is today. */
const startOfDays = (now: Date, days: number) =>
  new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - (days - 1) * DAY_MS);

/** When the first event of each page happened, and the pages that may be in another database. */
function firstEvents({ events }: StoredPast, isOfDatabase: boolean) {
  const pages = new Map<string, Date>();
  const others = new Set<string>();
  for (const [id, ofPage] of events) {
    const first = Math.min(...ofPage.map(({ occurredAt }) => occurredAt.getTime()));
    if (isOfDatabase && isOfAny(ofPage)) others.add(id);
    else pages.set(id, new Date(first));
  }
  return { pages, others };
}

// Notion names no database in some events.
const isOfAny = (events: PastEvent[]) => events.every(({ databaseId }) => databaseId === null);

const NOT_LOCATED = 'It is unknown where the page is: Notion did not show in time what is above it.';

interface Found {
  read: PagesRead;
  located: Map<string, boolean | null>;
}

function judgeAll(setting: Setting, { events, kept, writes }: StoredPast, { read, located }: Found) {
  return [...events].flatMap(([id, ofPage]): Judged<PastEvent>[] => {
    const page = read.pages.get(id) ?? null;
    const about = { title: page?.title ?? null, url: page?.url ?? null };
    if (located.get(id) === null) {
      return ofPage.map((event) => ({ event, outcome: 'unknown', why: NOT_LOCATED, ...about }));
    }
    if (!page && located.get(id) === false) return [];
    const past = { turns: toTurns(ofPage), page, kept };
    const lost = page ? null : lostOf(read, id);
    const judged = judgePage(setting, { past, writes: writes.get(id) ?? [], lost });
    return judged.map((one) => ({ ...one, ...about }));
  });
}
