import { UnknownKeyError } from '@/lib/crypto';
import type { Comment } from '@/lib/integrations/notion/notion-comment';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { log } from '@/lib/log';
import { earliest, SECOND_MS } from '@/lib/time';
import { commentAsChange, peopleIn, wordComment } from '../cards/comment-words';
import { toDigestDetails } from '../cards/digest-details';
import { composeMessage } from '../composing/compose-message';
import { askAhead } from '../composing/find-unlisted';
import { planEcho } from '../echoes/plan-echo';
import { tellPeople } from '../letters/tell-people';
import { listPeople } from '../links/people';
import { composeLiving } from '../living/compose-living';
import { planPageCards, withCards } from '../living/plan-page';
import { keepsCards } from '../matching/kept-cards';
import { CREATED, explain, type SkipReason } from '../matching/match';
import { sealSummary, toSummary } from '../matching/summary';
import { asUnchanged, unnamedChanges } from '../matching/unnamed-changes';
import { isClockEvent, isToPeople } from '../matching/words';
import { sealMessage } from '../messages/sealed-body';
import { followPage } from '../workspaces/watched-pages';
import { isForgotten } from './forget-page';
import { editorWaitUntil, judge, leaveMoved, type PostedEvent, tellAt, type Verdict } from './judge-page';
import type { LoadedTurn, PendingEvent } from './loaded-turn';
import { findNews, waitsForAuthor, withLatestWrites } from './own-changes';
import type { PipelineRule } from './pipeline-rules';
import {
  askAbout,
  type CommentReading,
  type Gone,
  lastSeen,
  readComments,
  readPage,
  type Shown,
} from './read-page';
import { endUnsettled, settlePages } from './settle-pages';
import { emptyPlan, finish, type NewDecision, newSnapshot, type TurnPlan, toDecision } from './turn-plan';
import { locateTurn, mayBeRelevant } from './turn-rules';
import { hasWaitedADay, nextAttemptAt } from './waiting';

const MAX_COMMENTS = 10;
const MAX_KEY_WAIT_MS = 30 * SECOND_MS;

/**
 * Decides what becomes of a page's new events and of its unsettled cards. The page is fetched once for any number of
 * rules, and not at all when no rule could concern it.
 */
export async function planTurn(turn: LoadedTurn): Promise<TurnPlan> {
  try {
    return await decideFew(turn);
  } catch (error) {
    const { workspaceId, pageId, events } = turn;
    const about = { workspaceId, pageId, eventIds: events.map(({ id }) => id) };
    const waitsForKey = error instanceof UnknownKeyError;
    if (waitsForKey) log.warn(about, 'page waits for a key');
    else log.error({ err: error, ...about }, 'page not decided');
    if (hasWaitedADay(turn)) return planUnread(turn, waitsForKey ? 'key_gone' : 'not_understood');
    return emptyPlan(nextAttemptAt(turn, waitsForKey ? MAX_KEY_WAIT_MS : undefined));
  }
}

/** Every comment has to be read, so only the first of many are looked at now; the rest follow in the next turn. */
async function decideFew(turn: LoadedTurn): Promise<TurnPlan> {
  const later = turn.events.filter(({ commentId }) => commentId).slice(MAX_COMMENTS);
  if (later.length === 0) return decideTurn(turn);
  const plan = await decideTurn({ ...turn, events: turn.events.filter((event) => !later.includes(event)) });
  return plan.finished.length > 0 ? { ...plan, dueAt: turn.databaseTime() } : plan;
}

async function decideTurn(loaded: LoadedTurn): Promise<TurnPlan> {
  if (loaded.events.length === 0 && loaded.unsettled.length === 0) return emptyPlan(null);
  const located = await askAbout(loaded, () => locateTurn(loaded));
  if (!('rules' in located)) return planMissing(loaded, located);
  const turn = { ...loaded, rules: located.rules };
  if (!mayBeRelevant(turn)) return planUnread(turn, 'unchanged');
  if (turn.blockedUntil) return emptyPlan(turn.blockedUntil);
  if (waitsForAuthor(turn)) return emptyPlan(turn.databaseTime(SECOND_MS));
  // After a day no process is expected to have the key any more, and the page counts as never seen.
  if (turn.isSnapshotLocked && !hasWaitedADay(turn)) throw new UnknownKeyError();
  askAhead(turn.workspace, turn.events);
  const reading = await readPage(turn);
  const isShown = 'page' in reading && !('gone' in reading);
  if (turn.rules.some(({ pageId }) => pageId === turn.pageId) && (isShown || 'gone' in reading)) {
    await followPage(turn.workspaceId, turn.pageId, isShown ? reading.page : null);
  }
  return isShown ? planPage(await withLatestWrites(turn), reading) : planMissing(turn, reading);
}

/** The plan while Notion does not show the turn's page. */
function planMissing(
  turn: LoadedTurn,
  reading: Exclude<Awaited<ReturnType<typeof readPage>>, Shown>,
): TurnPlan | Promise<TurnPlan> {
  if ('retryAt' in reading) return emptyPlan(reading.retryAt);
  if ('gone' in reading) return planGone(turn, reading);
  // The page may be readable again once the workspace is reconnected; its old values are kept until then.
  return planUnread(turn, reading.refused);
}

/** The plan for events whose page was not read, or cannot be. */
function planUnread(turn: LoadedTurn, reason: SkipReason): TurnPlan {
  const skipped = (rule: PipelineRule, event: PendingEvent) => {
    if (rule.isUnlocated && rule.enabled) return 'source_unknown';
    if (reason !== 'unchanged' && reason !== 'page_unknown') return reason;
    return explain(rule, event, { post: false, reason: rule.enabled ? reason : 'rule_off' }) ?? reason;
  };
  const created = turn.events.flatMap((event) => {
    const rules = turn.rules.filter(
      ({ sourceKind, databaseId, eventType }) =>
        !isClockEvent(eventType) && (sourceKind !== 'database' || databaseId === event.databaseId),
    );
    return rules.map((rule) => toDecision(rule, event, skipped(rule, event), null));
  });
  return {
    ...emptyPlan(null),
    // Of a page that should have been read, no rule has decided anything.
    finished: finish(turn, reason === 'unchanged' ? created : [], reason),
    created,
    changed: endUnsettled(turn.unsettled, reason),
  };
}

/** The plan for a page that is in the trash or gone: rules that tell of that show the page as it was last seen. */
async function planGone(turn: LoadedTurn, seen: Gone) {
  const { gone, page: shown, rules = turn.rules } = seen;
  const page = shown ?? lastSeen(turn);
  const databaseId = page?.databaseId ?? null;
  const events = turn.events.map((event) => ({ ...event, databaseId: event.databaseId ?? databaseId }));
  const known = { ...turn, events, rules };
  const unread = planUnread(known, gone);
  const telling = rules.filter(
    (rule) =>
      rule.eventType === 'page_deleted' &&
      !rule.isUnlocated &&
      (!page || rule.sourceKind !== 'database' || rule.databaseId === databaseId),
  );
  const told = page
    ? await toDecisions(known, page, [
        ...telling.flatMap((rule) => judge(known, page, rule)),
        ...(shown ? leaveMoved(turn, shown) : []),
      ])
    : planUnread({ ...known, rules: telling }, 'page_unknown').created;
  const others = unread.created.filter(({ ruleId }) => !telling.some(({ id }) => id === ruleId));
  const created = [...others, ...told];
  const finished = finish(known, created, gone);
  const plan = { ...unread, finished, created, isForgotten: await isForgotten(turn, seen) };
  return page ? tellCards(known, { page, rules, gone }, plan) : plan;
}

/** Adds to a plan what becomes of the page's living cards. `gone` says why the page is not shown any more. */
async function tellCards(
  turn: LoadedTurn,
  { page, rules, gone }: Shown & { gone?: Gone['gone'] },
  plan: TurnPlan,
): Promise<TurnPlan> {
  if (!rules.some(keepsCards)) return plan;
  const seen = {
    ...turn,
    known: turn.cards,
    news: findNews(turn, gone !== undefined),
    isGone: gone === 'page_gone',
  };
  const cards = await planPageCards(seen, page, rules, [...plan.created, ...plan.changed]);
  return { ...plan, ...withCards(plan, cards), living: cards.moves };
}

/** Decides about the new events of a page that has been read. */
export async function planPage(turn: LoadedTurn, { page, rules: all }: Shown): Promise<TurnPlan> {
  const rules = all.filter(({ isUnlocated }) => !isUnlocated);
  const left = unnamedChanges(rules, page, turn.events, turn.snapshot);
  const judged = { ...turn, snapshot: asUnchanged(turn.snapshot, page, left) };
  const verdicts = all.flatMap((rule) =>
    rule.isUnlocated ? leaveUnlocated(turn, rule) : judge(judged, page, rule),
  );
  verdicts.push(...leaveMoved(turn, page));
  const awaited = editorWaitUntil(turn, page, verdicts);
  if (awaited) return emptyPlan(awaited);
  const told = verdicts.flatMap((verdict) => ('decision' in verdict ? (verdict.event.commentId ?? []) : []));
  const comments = await readComments(turn, told);
  if ('retryAt' in comments) return emptyPlan(comments.retryAt);
  const settling = await settlePages(turn, page, all);
  const created = await toDecisions(turn, page, verdicts, comments);
  const due = verdicts.map((verdict) => ('decision' in verdict ? verdict.waitsUntil : null));
  const plan = {
    ...emptyPlan(earliest([settling.dueAt, ...due])),
    finished: finish(turn, created, 'no_rules'),
    created,
    changed: settling.changed,
    echo: await planEcho(turn, page),
    snapshot: newSnapshot(turn, page, rules, left),
  };
  return tellCards(turn, { page, rules }, plan);
}

const leaveUnlocated = ({ events }: LoadedTurn, rule: PipelineRule): Verdict[] =>
  events.map((event) => ({ rule, event, reason: rule.enabled ? 'source_unknown' : 'rule_off' }));

function toDecisions(
  turn: LoadedTurn,
  page: Page,
  verdicts: Verdict[],
  comments = new Map<string, CommentReading>(),
): Promise<NewDecision[]> {
  const summary = toSummary(page, []);
  return Promise.all(
    verdicts.map(async (verdict) => {
      const { rule, event } = verdict;
      if ('reason' in verdict) return toDecision(rule, event, verdict.reason, summary);
      const reading = event.commentId ? comments.get(event.commentId) : undefined;
      if (reading && 'refused' in reading) return toDecision(rule, event, reading.refused, summary);
      return post(turn, page, verdict, reading && 'comment' in reading ? reading.comment : undefined);
    }),
  );
}

/** The decision to post about an event, with its card, or without one while its page has not settled. */
async function post(
  turn: LoadedTurn,
  page: Page,
  { rule, event, decision, isPostedNow, waitsUntil }: Verdict & PostedEvent,
  comment?: Comment,
): Promise<NewDecision> {
  const { workspace } = turn;
  const shown = comment && wordComment(comment, await listPeople(workspace, peopleIn(comment)));
  const summary = { ...toSummary(page, shown ? [commentAsChange(shown)] : decision.changes), comment: shown };
  const at = tellAt(turn, rule);
  const base = { ...toDecision(rule, event, 'settling', summary), tellAt: at };
  if (!isPostedNow) return base;
  if (isToPeople(rule)) {
    const deciding = { ...decision, comment: shown, id: base.id, summary, tellAt: at };
    return { ...base, ...(await tellPeople(turn, rule, page, deciding)) };
  }
  const message = await composeMessage(workspace, rule, page, { ...decision, comment: shown });
  if (at) {
    const later = { ...summary, later: toDigestDetails(rule, page, message) };
    return { ...base, outcome: 'gathered', sealedSummary: sealSummary(base.id, later) };
  }
  if (keepsCards(rule)) {
    const living = await composeLiving(workspace, rule, page, { ...decision, comment: shown });
    return { ...base, outcome: 'message', living };
  }
  const isEarly = event.type === CREATED && (waitsUntil !== null || page.title === '');
  const { rollUp } = rule;
  return { ...base, outcome: 'message', sealedBody: sealMessage(base.id, message), rollUp, isEarly };
}
