import { db, runPageStatement } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { foldText } from '@/lib/fold-text';
import { DAY_MS, timeLeft } from '@/lib/time';
import { findPlaces } from '../letters/find-places';
import { typeOfEntry } from '../matching/match';
import { lastSeenChannels } from '../servers/read-guild';
import { type ActivityRow, activitySql, type Look, type LookedRow } from './activity-sql';
import { digestOf, readSummary, titleOf } from './delivery-log';
import { DECISIONS_KEPT_DAYS } from './log-sql';
import { reasonText } from './reasons';
import {
  type ActivityItem,
  type ActivityPage,
  type ActivityQuery,
  activityCursor,
  activityPageSchema,
  lookedBackTo,
} from './schema';

// With a filter, one statement looks at this many entries of each rule.
const FILTERED_DEPTH = 100;

// After this time a search returns how far it has looked, and leaves the rest for the next call.
const SEARCH_MS = 100;

// A page ends early when its JSON has this many characters.
const PAGE_MAX_LENGTH = 256 * 1024;

const DECISIONS_KEPT_MS = DECISIONS_KEPT_DAYS * DAY_MS;
const TOP = 2n ** 63n - 1n;

/** A position in the stream; what is below it was not looked at yet. */
interface Position {
  sequence: bigint;
  at: Date;
}

/** A page that is being filled. */
interface Filling {
  items: ActivityItem[];
  length: number;
}

/**
 * What all rules of the account made of events, newest first: the decisions of the last 30 days, then older messages.
 * Titles are sealed, so a search opens those of all entries it looks at, newest first, for at most a tenth of a second.
 * What it has not looked at begins at `next`.
 */
export async function listActivity(account: Account, query: ActivityQuery): Promise<ActivityPage> {
  const { before, limit, text, rule, channel, outcome, person } = query;
  const filter = { rule, channel, outcome, person };
  const isFiltered = [text, channel, outcome, person].some((each) => each !== undefined);
  const depth = isFiltered ? Math.max(FILTERED_DEPTH, limit + 1) : limit + 1;
  const most = isFiltered ? null : depth;
  // Older messages have no titles and authors, and with an outcome the statement looks at messages of all ages anyway.
  const hasOld = outcome === undefined && text === undefined && person === undefined;
  const [names, placeOf] = await Promise.all([findChannelNames(account.id), findRulePlaces(account.id)]);
  const left = timeLeft(SEARCH_MS);
  const filling: Filling = { items: [], length: 0 };
  let position: Position | null =
    before === undefined ? { sequence: TOP, at: new Date() } : toPosition(before);
  do {
    const isOld: boolean = hasOld && isOlder(position.at);
    const look: Look = { accountId: account.id, below: position.sequence, isOld, depth, most, filter };
    const rows: LookedRow[] = await runPageStatement<LookedRow>(activitySql(look));
    position =
      fill(filling, rows, { query, names, account, placeOf }) ??
      endOf(rows) ??
      (hasOld && !isOld ? topOfOld() : null);
    // Without a filter few statements fill a page, so only a search ends early.
  } while (position && filling.items.length < limit && !isFull(filling) && (!isFiltered || left() > 0));
  return activityPageSchema.parse({ items: filling.items, next: position && activityCursor(position) });
}

const isOlder = (at: Date) => at.getTime() < Date.now() - DECISIONS_KEPT_MS;

const topOfOld = (): Position => ({ sequence: TOP, at: new Date(Date.now() - DECISIONS_KEPT_MS - 1) });

function toPosition(cursor: string): Position {
  const sequence = BigInt(cursor.split('.')[0] ?? 0);
  return { sequence: sequence < TOP ? sequence : TOP, at: lookedBackTo(cursor) };
}

async function findChannelNames(accountId: string): Promise<Map<string, string>> {
  const servers = await db().discordServer.findMany({ where: { accountId } });
  return new Map(servers.flatMap(lastSeenChannels).map(({ id, name }) => [id, name]));
}

/** Returns a function that says where a rule posts that does not post to a channel. */
async function findRulePlaces(accountId: string) {
  const where = { accountId, destination: { path: ['kind'], not: 'channel' } };
  const rules = await db().rule.findMany({ where, include: { database: true } });
  const places = await findPlaces(accountId, rules);
  const databases = new Map(
    rules.map(({ destination, database }) => [JSON.stringify(destination), database]),
  );
  return (rule: Parameters<typeof places>[0]) =>
    places({ ...rule, database: databases.get(JSON.stringify(rule.destination)) ?? null });
}

const isFull = ({ length }: Filling) => length >= PAGE_MAX_LENGTH;

function endOf([row]: LookedRow[]): Position | null {
  return row?.endSequence && row.endAt ? { sequence: BigInt(row.endSequence), at: row.endAt } : null;
}

/** What is needed to show entries. */
interface Shown {
  names: Map<string, string>;
  account: Account;
  placeOf: Awaited<ReturnType<typeof findPlaces>>;
}

/** Adds rows to a page. Returns the position at which the page was full; null when all rows had room. */
function fill(
  filling: Filling,
  rows: LookedRow[],
  { query, ...shown }: { query: ActivityQuery } & Shown,
): Position | null {
  let last: Position | null = null;
  for (const row of rows.filter(isEntry)) {
    if (last && (filling.items.length === query.limit || isFull(filling))) return last;
    const item = toItem(row, shown, query.text);
    if (item) {
      filling.items.push(item);
      filling.length += JSON.stringify(item).length;
    }
    last = { sequence: BigInt(row.sequence), at: row.eventAt };
  }
  return null;
}

const isEntry = (row: LookedRow): row is LookedRow & ActivityRow => typeof row.id === 'string';

function toItem(row: ActivityRow, { names, account, placeOf }: Shown, text?: string): ActivityItem | null {
  const summary = readSummary(row);
  if (text !== undefined && !(summary && foldText(summary.title).includes(foldText(text)))) return null;
  const channelId = row.channelId ?? row.ruleChannelId;
  const nameOf = (id: string) => names.get(id) ?? (id === row.ruleChannelId ? row.ruleChannelName : id);
  const placeIn = (id: string) => placeOf({ ...row, channelName: nameOf(id) });
  return {
    id: row.id,
    at: row.eventAt.toISOString(),
    eventType: typeOfEntry(row.eventType, { eventType: row.ruleEventType }),
    pageId: row.pageId,
    title: titleOf(summary),
    url: summary?.url ?? null,
    ruleId: row.ruleId,
    ruleName: row.givenName ?? `${row.sourceName} → ${placeIn(row.ruleChannelId)}`,
    channelId: channelId || null,
    channelName: channelId ? nameOf(channelId) : null,
    // An entry that was posted in a channel names that channel, even if its rule posts elsewhere now.
    place: row.channelId ? `#${nameOf(row.channelId)}` : placeIn(row.ruleChannelId),
    outcome: row.state === 'sent' ? 'posted' : (row.state as Exclude<ActivityItem['outcome'], 'posted'>),
    reason: reasonText({ ...row, digest: digestOf(row, account) }),
    changes: (summary?.changes ?? []).map(({ name, before, after }) => ({ property: name, before, after })),
  };
}
