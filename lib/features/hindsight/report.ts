import { DAY_MS, dayInUtc } from '@/lib/time';
import { type Clock, type TimedRule, tellLaterAt } from '../calendar/calendar';
import { reasonText } from '../deliveries/reasons';
import { followPace, type Paced } from '../floods/follow-pace';
import { type KeepingRule, keepsCards, postsInForum } from '../matching/kept-cards';
import type { CardMode } from '../matching/schema';
import { fitName } from '../matching/shown-value';
import { summaryText } from '../matching/summary';
import type { Hindsight } from './judge';
import { MAX_EVENTS } from './load-past';
import type { PastEvent } from './past';
import type { PagesRead } from './read-pages';
import { type Tried, type TriedEvent, triedSchema } from './schema';

/** The most events that are listed. */
const MAX_LISTED = 300;

/** What would have become of an event, with the current title of its page; null when the page was not found. */
export type Judged<Event = Happened> = Hindsight<Event> & { title: string | null; url: string | null };

/** The parts of an event that are in the answer. */
type Happened = Pick<PastEvent, 'pageId' | 'occurredAt'>;

interface Findings {
  now: Date;
  days: number;
  found: Judged[];
  /** Whether there are more events than were looked at. */
  isCut: boolean;
  read: PagesRead;
  rule: TimedRule & KeepingRule & { rollUp: boolean };
  clock: Clock;
  /** Further sentences for the note. */
  notes?: string[];
}

/** The result of trying a rule: counts, days, and the newest events. */
export function toReport({ now, days, found, isCut, read, rule, clock, notes }: Findings): Tried {
  const newest = found.toSorted(
    (one, other) => other.event.occurredAt.getTime() - one.event.occurredAt.getTime(),
  );
  const all = newest.filter(({ outcome }) => outcome === 'posted');
  const putOff = rule.timing.kind === 'now' ? putOffBy(all, rule, clock) : new Map<Judged, PutOff>();
  const told = all.filter((one) => !putOff.has(one));
  // A living card is posted for the first event of its page.
  const isFirst = (one: Judged) => told.findLast(({ event }) => event.pageId === one.event.pageId) === one;
  const posted = new Set(keepsCards(rule) ? told.filter(isFirst) : told);
  const paced = rule.rollUp && rule.timing.kind === 'now' ? paceOf([...posted]) : new Map<Judged, Paced>();
  const cards = all.filter(
    (one) => putOff.get(one) === 'first' || (posted.has(one) && paced.get(one) !== 'counted'),
  );
  const reasonFor = (one: Judged) => {
    if (one.outcome !== 'posted') return wordsOf(one);
    if (putOff.has(one)) return AFTER_QUIET;
    if (!posted.has(one)) return postsInForum(rule) ? IN_POST : LATER[rule.card];
    return (paced.get(one) ?? 'posted') === 'posted' ? null : ROLLED_UP;
  };
  const lost = new Set(
    newest
      .filter((one) => one.title === null && !read.lost.has(one.event.pageId))
      .map(({ event }) => event.pageId),
  );
  return triedSchema.parse({
    events: newest.length,
    cards: cards.length,
    digests: countDigests([...posted], rule, clock),
    unknown: newest.filter(({ outcome }) => outcome === 'unknown').length,
    perDay: lastDays(now, days).map((date) => ({
      date,
      cards: cards.filter(({ event }) => dayInUtc(event.occurredAt) === date).length,
    })),
    items: newest.slice(0, MAX_LISTED).map((one) => toItem(one, reasonFor(one))),
    note: noteOf({ isCut, unreached: lost.size, looked: read.looked, listed: newest.length }, notes),
  });
}

/** What becomes of each card, as if it had been queued when its event happened. */
function paceOf(posted: Judged[]): Map<Judged, Paced> {
  const inOrder = posted.toReversed();
  const paced = followPace(inOrder.map(({ event }) => event.occurredAt));
  return new Map(inOrder.map((one, nth) => [one, paced[nth] ?? 'posted']));
}

type PutOff = 'first' | 'with it';

/** What quiet hours put off, by whether it is the first that a message tells when they end. */
function putOffBy(all: Judged[], rule: TimedRule, clock: Clock): Map<Judged, PutOff> {
  const putOff = new Map<Judged, PutOff>();
  if (!clock.quietHours) return putOff;
  const ends = new Set<number>();
  for (const one of all.toReversed()) {
    const end = tellLaterAt(rule, clock, one.event.occurredAt)?.getTime();
    if (end === undefined) continue;
    putOff.set(one, ends.has(end) ? 'with it' : 'first');
    ends.add(end);
  }
  return putOff;
}

function countDigests(posted: Judged[], rule: TimedRule, clock: Clock): number | null {
  if (rule.timing.kind === 'now') return null;
  const times = posted.map(({ event: { occurredAt } }) => tellLaterAt(rule, clock, occurredAt)?.getTime());
  return new Set(times).size;
}

/** What a later event of a page does, in words, by card mode. */
const LATER: Record<CardMode, string | null> = {
  each: null,
  living: 'It edits the card of the page and is a line in its thread.',
  quiet: 'It edits the card of the page.',
};

const AFTER_QUIET = 'It is told when quiet hours end, in one message with all that happened in them.';

const IN_POST = 'It is a reply in the post of the page.';

const lastDays = (now: Date, days: number) =>
  Array.from({ length: days }, (_, nth) => dayInUtc(new Date(now.getTime() - (days - 1 - nth) * DAY_MS)));

function toItem(judged: Judged, reason: string | null): TriedEvent {
  const { event, title, url } = judged;
  const changes = judged.outcome === 'posted' ? judged.changes : [];
  return {
    at: event.occurredAt.toISOString(),
    pageId: event.pageId,
    title: title === null ? 'A page' : fitName(title) || 'Untitled',
    url: url || null,
    outcome: judged.outcome,
    reason,
    changes: changes.map(({ name, before, after }) => ({
      property: fitName(name),
      before: before && summaryText(before),
      after: after && summaryText(after),
    })),
  };
}

const ROLLED_UP = reasonText({ state: 'sent', reason: null, triedAt: null, isRolledUp: true });

function wordsOf(judged: Judged): string | null {
  if (judged.outcome === 'posted') return null;
  if (judged.outcome === 'unknown') return judged.why;
  const texts = judged.reasons.map((reasonCode) =>
    reasonText({ state: 'skipped', reasonCode, reason: null, triedAt: null }),
  );
  return texts.join(' Or: ');
}

interface Bounds {
  isCut: boolean;
  unreached: number;
  looked: number;
  listed: number;
}

const count = (number: number, noun: string) =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;

function noteOf({ isCut, unreached, looked, listed }: Bounds, others: string[] = []): string | null {
  const notes = [
    ...others,
    ...(isCut
      ? [`There were more events: it looked at the newest ${count(MAX_EVENTS, 'event')} at most.`]
      : []),
    ...(unreached > 0
      ? [
          `In the time it has, it looked at ${count(looked, 'page')}; ${count(unreached, 'page')} with events ${unreached === 1 ? 'was' : 'were'} not among them.`,
        ]
      : []),
    ...(listed > MAX_LISTED ? [`The newest ${MAX_LISTED} events are listed.`] : []),
  ];
  return notes.join(' ') || null;
}
