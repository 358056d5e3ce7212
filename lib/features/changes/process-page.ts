import { randomUUID } from 'node:crypto';
import { UnknownKeyError } from '@/lib/crypto';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { log } from '@/lib/log';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import { composeMessage } from '../cards/compose-message';
import { NO_CONDITIONS } from '../matching/conditions';
import { CREATED, type Decision, decide, explain, mayTouch, type SkipReason } from '../matching/match';
import { comparedProperties, sealSnapshot, toSnapshot, trackedProperties } from '../matching/snapshot';
import { type Summary, sealSummary, toSummary } from '../matching/summary';
import { sealMessage } from '../outbox/sealed-body';
import type { LineRule } from './line-rules';
import { loadRules } from './load-turns';
import type { LoadedTurn, PendingEvent } from './loaded-turn';
import { creditChat, creditPeople, isOwn, waitsForAuthor } from './own-changes';
import { readPage } from './read-page';
import { settlesAt } from './settle';
import { endUnsettled, settlePages } from './settle-pages';
import type { EventOutcome, NewDecision, TurnPlan } from './turn-plan';

const GIVE_UP_AFTER_MS = DAY_MS;
const LONGEST_WAIT_MS = 5 * MINUTE_MS;
const LONGEST_KEY_WAIT_MS = 30 * SECOND_MS;

/**
 * Decides what becomes of a page's new events and of its unsettled cards. The page is fetched once for any number of
 * rules, and not at all when no rule could concern it.
 */
export async function planTurn(turn: LoadedTurn): Promise<TurnPlan> {
  try {
    return await decideTurn(turn);
  } catch (error) {
    const { workspaceId, pageId, events } = turn;
    const about = { workspaceId, pageId, eventIds: events.map(({ id }) => id) };
    const waitsForKey = error instanceof UnknownKeyError;
    if (waitsForKey) log.warn(about, 'page waits for a key');
    else log.error({ err: error, ...about }, 'page not decided');
    if (hasWaitedADay(turn)) return planUnread(turn, waitsForKey ? 'key_gone' : 'not_understood');
    const longestMs = waitsForKey ? LONGEST_KEY_WAIT_MS : LONGEST_WAIT_MS;
    return nothing(turn.databaseTime(Math.min(longestMs, Math.max(SECOND_MS, waitedMs(turn)))));
  }
}

async function decideTurn(turn: LoadedTurn): Promise<TurnPlan> {
  const { events, unsettled } = turn;
  if (events.length === 0 && unsettled.length === 0) return nothing(null);
  if (!mayBeRelevant(turn)) return planUnread(turn, 'unchanged');
  if (turn.blockedUntil) return nothing(turn.blockedUntil);
  if (waitsForAuthor(turn)) return nothing(turn.databaseTime(SECOND_MS));
  // After a day no process is expected to have the key any more, and the page counts as never seen.
  if (turn.isSnapshotLocked && !hasWaitedADay(turn)) throw new UnknownKeyError();
  const reading = await readPage(turn, comparedProperties(turn.rules), waitingSince(turn));
  if ('retryAt' in reading) return nothing(reading.retryAt);
  if ('gone' in reading) return { ...planUnread(turn, reading.gone), isForgotten: true };
  // The page may be readable again once the workspace is reconnected; its old values are kept until then.
  if ('refused' in reading) return planUnread(turn, reading.refused);
  return planPage(turn, reading.page);
}

const waitingSince = ({ events, lastEventAt, databaseTime }: LoadedTurn) =>
  events[0]?.receivedAt ?? lastEventAt ?? databaseTime();

const waitedMs = (turn: LoadedTurn) => turn.databaseTime().getTime() - waitingSince(turn).getTime();
const hasWaitedADay = (turn: LoadedTurn) => waitedMs(turn) > GIVE_UP_AFTER_MS;

const nothing = (dueAt: Date | null): TurnPlan => ({
  dueAt,
  finished: [],
  created: [],
  changed: [],
  snapshot: null,
  isForgotten: false,
});

/** Whether reading the page could lead to a card, or to values worth keeping. */
function mayBeRelevant({ events, unsettled, rules }: LoadedTurn): boolean {
  if (unsettled.length > 0) return true;
  const tracked = trackedProperties(rules);
  return events.some((event) => {
    if (event.databaseId === null) return true;
    if (event.type === CREATED) return rules.length > 0;
    return tracked.length > 0 && mayTouch(event, tracked);
  });
}

/** What is recorded for events whose page is not read, or cannot be. */
function planUnread(turn: LoadedTurn, reason: SkipReason): TurnPlan {
  const skipped = (rule: LineRule, event: PendingEvent) => {
    if (reason !== 'unchanged') return reason;
    return explain(rule, event, { post: false, reason: rule.enabled ? reason : 'rule_off' }) ?? reason;
  };
  const created = turn.events.flatMap((event) => {
    const rules = turn.rules.filter(({ databaseId }) => databaseId === event.databaseId);
    return rules.map((rule) => toDecision(rule, event, skipped(rule, event), null));
  });
  return {
    ...nothing(null),
    finished: finish(turn, created, reason),
    created,
    changed: endUnsettled(turn.unsettled, reason),
  };
}

/** Decides about the new events of a page that has been read. */
export async function planPage(turn: LoadedTurn, page: Page): Promise<TurnPlan> {
  const rules = await rulesOf(turn, page);
  const settling = await settlePages(turn, page, rules);
  const { events, workspace, writes, snapshot } = turn;
  // Our own writes that nobody in chat asked for are no news.
  const isNews = (event: PendingEvent) => writes.length > 0 || !isOwn(event, workspace);
  const news = events.filter(isNews).map((event) => creditPeople(turn, event));
  const created: NewDecision[] = [];
  const due = [settling.dueAt];
  const summary = toSummary(page, []);
  const creation = events.find(({ type }) => type === CREATED);
  const unsettledUntil = creation ? settlingUntil(turn, page, creation) : null;
  for (const rule of rules) {
    const whole = decide(rule, page, news, snapshot);
    // What a new page is like is judged when it has settled.
    const judged =
      unsettledUntil && rule.eventType === 'page_created'
        ? decide({ ...rule, conditions: NO_CONDITIONS }, page, news, snapshot)
        : whole;
    const decision = creditChat(turn, rule.channelId, news, judged);
    for (const event of events) {
      const told = news.find(({ id }) => id === event.id);
      const reason = told ? explain(rule, told, decision) : 'own_change';
      if (reason !== null) created.push(toDecision(rule, event, reason, summary));
      if (reason !== null || !decision.post) continue;
      const waits = event.type === CREATED ? unsettledUntil : null;
      due.push(waits);
      const isPostedNow = !waits || (rule.atOnce && whole.post);
      created.push(await post(turn, page, { rule, event, decision, isPostedNow, isSettled: !waits }));
    }
  }
  return {
    ...nothing(earliest(due)),
    finished: finish(turn, created, 'no_rules'),
    created,
    changed: settling.changed,
    snapshot: newSnapshot(turn, page, rules),
  };
}

/** An event about which a rule posts. */
interface Judged {
  rule: LineRule;
  event: PendingEvent;
  decision: Decision & { post: true };
  isPostedNow: boolean;
  /** False for a new page that has not settled. */
  isSettled: boolean;
}

/** The card of an event, or that it waits for its page to settle. */
async function post(
  { workspace }: LoadedTurn,
  page: Page,
  { rule, event, decision, isPostedNow, isSettled }: Judged,
): Promise<NewDecision> {
  const base = toDecision(rule, event, 'settling', toSummary(page, decision.changes));
  if (!isPostedNow) return base;
  const message = await composeMessage(workspace, rule, page, decision);
  const isEarly = event.type === CREATED && (!isSettled || page.title === '');
  return { ...base, outcome: 'message', sealedBody: sealMessage(base.id, message), isEarly };
}

/** When a new page settles; null once it has. */
function settlingUntil(turn: LoadedTurn, page: Page, event: PendingEvent): Date | null {
  const lastEventAt = new Date(Math.max(...turn.events.map(({ receivedAt }) => receivedAt.getTime())));
  const at = settlesAt({ ...page, createdAt: event.receivedAt, lastEventAt });
  return at > turn.databaseTime() ? at : null;
}

function toDecision(
  rule: LineRule,
  event: PendingEvent,
  outcome: NewDecision['outcome'],
  summary: Summary | null,
): NewDecision {
  const id = randomUUID();
  return {
    id,
    accountId: rule.accountId,
    ruleId: rule.id,
    channelId: rule.channelId,
    eventId: event.id,
    eventAt: event.occurredAt,
    outcome,
    sealedSummary: summary && sealSummary(id, summary),
    sealedBody: null,
    isEarly: false,
  };
}

/** The outcome recorded with each event. `otherwise` is for events that no rule is about. */
function finish(turn: LoadedTurn, decisions: NewDecision[], otherwise: EventOutcome): TurnPlan['finished'] {
  return turn.events.map(({ id }) => {
    const outcomes = decisions.filter(({ eventId }) => eventId === id).map(({ outcome }) => outcome);
    if (outcomes.includes('message')) return { id, outcome: 'posted' };
    const unposted = outcomes.find((outcome) => outcome !== 'message') ?? otherwise;
    return { id, outcome: outcomes.includes('settling') ? 'settling' : unposted };
  });
}

async function rulesOf({ rules, events, workspaceId }: LoadedTurn, page: Page): Promise<LineRule[]> {
  const { databaseId } = page;
  if (databaseId === null) return [];
  const isLoaded = events.every((event) => event.databaseId === databaseId);
  return isLoaded
    ? rules.filter((rule) => rule.databaseId === databaseId)
    : loadRules(workspaceId, page.id, databaseId);
}

function newSnapshot(turn: LoadedTurn, page: Page, rules: LineRule[]): TurnPlan['snapshot'] {
  const tracked = trackedProperties(rules);
  if (!page.databaseId || tracked.length === 0) return null;
  const after = toSnapshot(page, tracked);
  if (JSON.stringify(after) === JSON.stringify(turn.snapshot)) return null;
  return { databaseId: page.databaseId, sealed: sealSnapshot(after, turn.workspaceId, turn.pageId) };
}

function earliest(dates: (Date | null)[]): Date | null {
  const times = dates.flatMap((date) => (date ? [date.getTime()] : []));
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}
