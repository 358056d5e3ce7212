import type { Page } from '@/lib/integrations/notion/notion-page';
import { SECOND_MS } from '@/lib/time';
import { tellLaterAt } from '../calendar/calendar';
import { isUsable } from '../living/plan-living';
import { withoutFilters } from '../matching/filters';
import {
  CONTENT_UPDATED,
  CREATED,
  type Decision,
  decide,
  decidedTogether,
  explain,
  type SkipReason,
} from '../matching/match';
import { editsSettleAt, settlesAt } from '../matching/settle';
import { isClockEvent, isToPeople } from '../matching/words';
import type { LoadedTurn, PendingEvent } from './loaded-turn';
import { creditChat, creditPeople, isNews } from './own-changes';
import type { PipelineRule } from './pipeline-rules';

// When people edit at the same time, their events arrive shortly after each other.
const WAIT_FOR_EDITOR_MS = 15 * SECOND_MS;

/** An event about which a rule posts. */
export interface PostedEvent {
  decision: Decision & { post: true };
  isPostedNow: boolean;
  /** Until when its card waits or may still be completed; null when the page has settled. */
  waitsUntil: Date | null;
}

/** What a rule makes of an event, before a card is composed and the decision is stored. */
export type Verdict = { rule: PipelineRule; event: PendingEvent } & (PostedEvent | { reason: SkipReason });

/** What a rule makes of each of a page's new events. */
export function judge(turn: LoadedTurn, page: Page, rule: PipelineRule): Verdict[] {
  if (isClockEvent(rule.eventType)) return [];
  return decidedTogether(rule, turn.events).flatMap((events) => judgeTogether(turn, page, rule, events));
}

/** What rules make of events of their database whose page was moved out of it before it was read. */
export function leaveMoved({ rules, events }: LoadedTurn, { databaseId: now }: Page): Verdict[] {
  return rules.flatMap((rule) => {
    const { sourceKind, databaseId, eventType, enabled } = rule;
    if (sourceKind !== 'database' || databaseId === now || isClockEvent(eventType)) return [];
    const left = events.filter((event) => event.databaseId === databaseId);
    return left.map((event): Verdict => ({ rule, event, reason: enabled ? 'page_moved' : 'rule_off' }));
  });
}

function judgeTogether(turn: LoadedTurn, page: Page, rule: PipelineRule, events: PendingEvent[]): Verdict[] {
  const { snapshot } = turn;
  const news = events.filter((event) => isNews(turn, event)).map((event) => creditPeople(turn, event));
  const waitsUntil = waitingUntil(turn, page, rule);
  const whole = decide(rule, page, news, snapshot);
  // While a card waits for its page, the rule's filters are not applied before the page has settled.
  const judged = waitsUntil ? decide(withoutFilters(rule), page, news, snapshot) : whole;
  const decision = creditChat(turn, placesOf(turn, rule), news, judged);
  // What a digest tells later has time to settle, so it is never posted early.
  const isAtOnce = rule.atOnce && !isToPeople(rule) && tellAt(turn, rule) === null;
  const isPostedNow = !waitsUntil || (isAtOnce && whole.post);
  return events.map((event) => {
    const told = news.find(({ id }) => id === event.id);
    const reason = told ? explain(rule, told, decision) : 'own_change';
    if (reason !== null || !decision.post) return { rule, event, reason: reason ?? 'merged' };
    return { rule, event, decision, isPostedNow, waitsUntil };
  });
}

/**
 * Until when to wait for an event by the page's last editor, if all events so far are filtered out by author. That
 * event may be about the same property, and would find its change already in the snapshot. Null for no wait.
 */
export function editorWaitUntil(turn: LoadedTurn, { lastEditedBy }: Page, verdicts: Verdict[]): Date | null {
  const [first] = turn.events;
  const isLeftOut = verdicts.some(
    (verdict) => 'reason' in verdict && verdict.reason === 'filtered_by_author',
  );
  const isPosted = verdicts.some((verdict) => 'decision' in verdict) || turn.unsettled.length > 0;
  if (!first || !lastEditedBy || !isLeftOut || isPosted) return null;
  if (turn.events.some(({ authors }) => authors.includes(lastEditedBy))) return null;
  const until = new Date(first.receivedAt.getTime() + WAIT_FOR_EDITOR_MS);
  return until > turn.databaseTime() ? until : null;
}

/** When the digest is due that tells what a rule finds now; null when it is told at once. */
export const tellAt = ({ clock, databaseTime }: LoadedTurn, rule: PipelineRule): Date | null =>
  tellLaterAt(rule, clock, databaseTime());

/**
 * Where people see what a rule says about the page: in its channel, and in the thread of the page's living card or its
 * post in a forum, which have the card's id.
 */
function placesOf({ cards }: LoadedTurn, rule: PipelineRule): string[] {
  const card = cards.find((known) => known.ruleId === rule.id && isUsable(known, rule));
  return [rule.channelId, ...(card?.discordMessageId ? [card.discordMessageId] : [])];
}

/** Until when a rule's cards wait for the page to settle; null when they do not wait. */
function waitingUntil(turn: LoadedTurn, page: Page, { eventType }: PipelineRule): Date | null {
  if (eventType === 'content_updated') return editsUntil(turn, page);
  const creation = turn.events.find(({ type }) => type === CREATED);
  return creation && eventType === 'page_created' ? settlingUntil(turn, page, creation) : null;
}

/** When the new edits have settled if no other follows. A time in the past means at the next look. */
function editsUntil({ events }: LoadedTurn, { lastEditedAt }: Page): Date | null {
  const at = events
    .filter(({ type }) => type === CONTENT_UPDATED)
    .map(({ receivedAt }) => receivedAt.getTime());
  if (at.length === 0) return null;
  const [firstEventAt, lastEventAt] = [new Date(Math.min(...at)), new Date(Math.max(...at))];
  return editsSettleAt({ firstEventAt, lastEventAt, lastEditedAt });
}

/** When a new page settles; null once it has. */
function settlingUntil(turn: LoadedTurn, page: Page, event: PendingEvent): Date | null {
  const lastEventAt = new Date(Math.max(...turn.events.map(({ receivedAt }) => receivedAt.getTime())));
  const at = settlesAt({ ...page, createdAt: event.receivedAt, lastEventAt });
  return at > turn.databaseTime() ? at : null;
}
