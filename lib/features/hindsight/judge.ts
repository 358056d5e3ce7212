import { creditChat, creditPeople, isNews } from '../changes/own-changes';
import { FILTERS, filteredBy, possibleRefusals, withoutFilters } from '../matching/filters';
import {
  CREATED,
  type Decision,
  decide,
  decidedTogether,
  explain,
  type PageEvent,
  type SkipReason,
} from '../matching/match';
import { type PageWrite, TOLD_WITHIN_MS } from '../writes/page-writes';
import { gatherEdits } from './gather-edits';
import { type Known, type Past, type PastEvent, type PastTurn, unreadReason } from './past';
import { type TriedRule, trashingOf, type View, viewTurns } from './past-views';
import { mayBeTrashedFirst } from './settled';
import { type Lost, whyUnknown } from './why-unknown';

/** What the rule would have made of an event. */
export type Hindsight<Event = PastEvent> = { event: Event } & (
  | { outcome: 'posted'; changes: FoundChange[] }
  /** Several reasons if each of them is possible. */
  | { outcome: 'skipped'; reasons: SkipReason[] }
  | { outcome: 'unknown'; why: string }
);

/** A change that was found; a null value is one that was not kept. */
interface FoundChange extends Pick<Known, 'before' | 'after'> {
  name: string;
}

/** What applies to all pages that are judged. */
export interface Setting {
  rule: TriedRule;
  botId: string;
  now: Date;
  /** Since when it is known for whom our bot wrote. */
  writesSince: Date;
}

export interface JudgedPage {
  past: Past;
  /** What our bot wrote on it, oldest first. */
  writes: PageWrite[];
  /** Why the page could not be read; null if it was. */
  lost: Lost | null;
}

/** What may have become of a turn: one of these decisions, about these events. */
interface Possible {
  news: PageEvent[];
  decisions: Decision[];
}

// Reasons that are about the event alone, not about the page.
const OF_EVENT: (SkipReason | null)[] = ['not_created', 'not_updated', 'property_not_watched', 'other_event'];
// The event types whose rules look at the page. Rules for other events post because the event happened, whatever has
// become of the page since.
const LOOKS_AT_PAGE: string[] = ['page_created', 'page_updated'];
// Outcomes of events whose page was read.
const READ = ['posted', 'settling', 'gathered'];

/**
 * What a rule would have made of a page's events, judged as the pipeline judges them. Unknown values are tried with
 * everything that they may have been; if the results differ, the outcome is unknown.
 */
export function judgePage(setting: Setting, page: JudgedPage): Hindsight[] {
  const views = viewTurns(setting.rule, page.past, setting.now);
  let hasPosted = false;
  const judged = page.past.turns.flatMap((turn, nth) => {
    const rule = { ...setting.rule, hasPosted };
    const ofTurn = decidedTogether(rule, turn.events).flatMap((events) =>
      judgeTurn({ ...setting, rule }, page, { ...turn, events }, views[nth] as View),
    );
    hasPosted ||= ofTurn.some(({ event, outcome }) => event.type === CREATED && outcome !== 'skipped');
    return ofTurn;
  });
  return setting.rule.eventType === 'content_updated' ? gathered(judged, page.past.turns) : judged;
}

/** Marks edits of content that get no card: another tells them, or their page was in the trash before they settled. */
function gathered(judged: Hindsight[], turns: PastTurn[]): Hindsight[] {
  const edits = judged.filter(({ outcome }) => outcome === 'posted').map(({ event }) => event);
  const { told, trashed } = gatherEdits(
    edits,
    turns.flatMap((turn) => trashingOf(turn) ?? []),
  );
  return judged.map((one) =>
    one.outcome === 'posted' && !told.has(one.event.id)
      ? {
          event: one.event,
          outcome: 'skipped',
          reasons: [trashed.has(one.event.id) ? 'page_trashed' : 'merged'],
        }
      : one,
  );
}

function judgeTurn(setting: Setting, page: JudgedPage, turn: PastTurn, view: View): Hindsight[] {
  const { eventType } = setting.rule;
  // A page in the trash is what a rule for it tells, as it was last seen.
  const unread = eventType === 'page_deleted' ? null : unreadReason(turn);
  if (unread) return turn.events.map((event) => ({ event, outcome: 'skipped', reasons: [unread] }));
  const possible = possibleDecisions(setting, page.writes, turn, view);
  const isOursUnknown = turn.events.some(
    ({ authors, occurredAt }) => authors.includes(setting.botId) && occurredAt < setting.writesSince,
  );
  const wasRead = eventType === 'page_updated' && turn.events.some(isRead);
  const lost = wasRead || !LOOKS_AT_PAGE.includes(eventType) ? null : page.lost;
  return turn.events.map((event) => {
    const reasons = reasonsFor(setting, page.past, event, possible);
    const isOfEvent = [...reasons].every((reason) => OF_EVENT.includes(reason));
    const isUnknown = reasons.size > 1 && reasons.has(null);
    if (isUnknown || (!isOfEvent && (lost || isOursUnknown))) {
      return { event, outcome: 'unknown', why: whyUnknown({ ...setting, view, lost, isOursUnknown }) };
    }
    if (!reasons.has(null)) return { event, outcome: 'skipped', reasons: [...reasons] as SkipReason[] };
    return { event: credited(event, possible), outcome: 'posted', changes: changesOf(possible, view) };
  });
}

const isRead = ({ outcome }: PastEvent) => outcome !== null && READ.includes(outcome);

/** Every decision that the pipeline may have made. */
function possibleDecisions(setting: Setting, writes: PageWrite[], turn: PastTurn, view: View): Possible {
  const { rule, botId } = setting;
  const since = Math.min(...turn.events.map(({ occurredAt }) => occurredAt.getTime())) - TOLD_WITHIN_MS;
  const told = {
    workspace: { botId },
    writes: writes.filter(({ at }) => at.getTime() > since && at.getTime() <= turn.endedAt),
  };
  const news = turn.events.filter((event) => isNews(told, event)).map((event) => creditPeople(told, event));
  const decisions = view.befores.flatMap((before): Decision[] => {
    const decision = decide(withoutFilters(rule, view.open), view.page, news, before);
    if (!isOpen(rule, view, decision)) return [decision];
    const refused = possibleRefusals(rule).map((reason): Decision => ({ post: false, reason }));
    return [decide(withoutFilters(rule), view.page, news, before), ...refused];
  });
  // A rule that is tried has no cards, and so no threads in which somebody may have acted.
  return { news, decisions: decisions.map((each) => creditChat(told, [rule.channelId], news, each)) };
}

/** Whether the filters' result depends on something unknown. */
function isOpen(rule: TriedRule, { open, unsure, known }: View, decision: Decision): boolean {
  const isRefused = !decision.post && decision.reason in FILTERS;
  if (open.length > 0) return decision.post || isRefused;
  if (decision.post || !isRefused) return false;
  if (unsure.length > 0 && decision.reason === 'condition_unknown') return true;
  // It may have been posted at once, before it was edited again.
  const isEdited = filteredBy(rule).some((id) => known.get(id)?.isTouchedLater);
  return rule.eventType === 'page_created' && rule.atOnce && isEdited;
}

/** Every reason that the log may give for an event; null for its card. */
function reasonsFor(
  { rule }: Setting,
  past: Past,
  event: PastEvent,
  { news, decisions }: Possible,
): Set<SkipReason | null> {
  const told = news.find(({ id }) => id === event.id);
  const reasons = decisions.map((decision) => (told ? explain(rule, told, decision) : 'own_change'));
  const isNew = rule.eventType === 'page_created' && event.type === CREATED;
  if (isNew && mayBeTrashedFirst(past, event)) reasons.push('page_trashed');
  return new Set(reasons);
}

/** The event, with the people in chat for whom our bot wrote among its authors. */
function credited(event: PastEvent, { decisions }: Possible): PastEvent {
  const told = decisions.flatMap((decision) => (decision.post ? [decision.event] : []));
  return { ...event, ...told.find(({ id }) => id === event.id) };
}

function changesOf({ decisions }: Possible, { known }: View): FoundChange[] {
  const posted = decisions.find((decision) => decision.post);
  return (posted?.post ? posted.changes : []).map(({ propertyId, name }) => {
    const { before = null, after = null } = known.get(propertyId) ?? {};
    return { name, before, after };
  });
}
