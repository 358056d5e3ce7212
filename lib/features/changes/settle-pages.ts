import { randomUUID } from 'node:crypto';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { toDigestDetails } from '../cards/digest-details';
import { composeMessage } from '../composing/compose-message';
import { digestPlaceOf } from '../digests/open-digests';
import { tellPeople } from '../letters/tell-people';
import { composeLiving } from '../living/compose-living';
import { passesAuthors } from '../matching/authors';
import { asItIs } from '../matching/conditions';
import { findRefusal } from '../matching/filters';
import { keepsCards } from '../matching/kept-cards';
import { CONTENT_UPDATED, type Decision, type PageEvent, type SkipReason } from '../matching/match';
import { editsSettleAt, isFollowed, nextLook, settlesAt } from '../matching/settle';
import { sealSummary, toSummary } from '../matching/summary';
import { isToPeople } from '../matching/words';
import { sealMessage } from '../messages/sealed-body';
import { tellAt } from './judge-page';
import type { LoadedTurn, Unsettled } from './loaded-turn';
import { creditChat, creditPeople } from './own-changes';
import type { PipelineRule } from './pipeline-rules';
import type { ChangedDecision } from './turn-plan';

interface Settling {
  changed: ChangedDecision[];
  /** When to look at the page again; null when none of its cards is unsettled. */
  dueAt: Date | null;
}

/**
 * What becomes of cards that wait for their page. The card of a new page is posted once the page has settled. A card
 * that was posted early is completed by edits until the page has a title. Edits of a page's content become one card for
 * each rule once nobody has edited it for a while.
 */
export async function settlePages(turn: LoadedTurn, page: Page, rules: PipelineRule[]): Promise<Settling> {
  const changed: ChangedDecision[] = [];
  const due: number[] = [];
  for (const gathered of gather(turn.unsettled)) {
    const rule = rules.find(({ id }) => id === gathered[0]?.ruleId);
    const next = await settle({ turn, page, rule }, gathered);
    if (next instanceof Date) due.push(next.getTime());
    else changed.push(...next);
  }
  return { changed, dueAt: due.length > 0 ? new Date(Math.min(...due)) : null };
}

/** What becomes of waiting cards when their page cannot be read. */
export function endUnsettled(unsettled: Unsettled[], reason: SkipReason): ChangedDecision[] {
  return unsettled.map((one) => end(one, reason));
}

/** Groups what is told together: each new page alone, and all content edits under one rule. */
function gather(unsettled: Unsettled[]): Unsettled[][] {
  const groups = new Map<string, Unsettled[]>();
  for (const one of unsettled) {
    const key = isEdit(one) ? one.ruleId : one.id;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

const isEdit = ({ event }: { event: PageEvent }) => event.type === CONTENT_UPDATED;

interface Scene {
  turn: LoadedTurn;
  page: Page;
  rule: PipelineRule | undefined;
}

async function settle({ turn, page, rule }: Scene, gathered: Unsettled[]): Promise<ChangedDecision[] | Date> {
  const [first] = gathered;
  if (!first) return [];
  const wanted = isEdit(first) ? 'content_updated' : 'page_created';
  if (rule?.isUnlocated) return endUnsettled(gathered, 'source_unknown');
  // The rule was edited meanwhile, or one of the two is in another place now.
  if (rule?.eventType !== wanted) return endUnsettled(gathered, 'other_event');
  if (!rule.enabled) return endUnsettled(gathered, 'rule_off');
  const isPosted = ({ event }: Unsettled) => passesAuthors(rule, creditPeople(turn, event));
  const posted = gathered.filter(isPosted);
  const ended = endUnsettled(
    gathered.filter((one) => !isPosted(one)),
    'filtered_by_author',
  );
  const last = newest(posted);
  if (!last) return ended;
  const next = isEdit(first)
    ? await settleEdits({ turn, page, rule }, posted, last)
    : await settleNew({ turn, page, rule }, last);
  // Edits by authors whom the rule leaves out end together with the others.
  return next instanceof Date ? next : [...ended, ...next];
}

const newest = (unsettled: Unsettled[]) =>
  unsettled
    .toSorted((one, other) => one.event.occurredAt.getTime() - other.event.occurredAt.getTime())
    .at(-1);

type Wanted = Scene & { rule: PipelineRule };

/** One card for all edits, under the newest decision, naming everybody who made one. */
async function settleEdits(
  { turn, page, rule }: Wanted,
  edits: Unsettled[],
  last: Unsettled,
): Promise<ChangedDecision[] | Date> {
  const arrived = edits.map(({ createdAt }) => createdAt.getTime());
  const more = turn.events.filter((event) => isEdit({ event })).map(({ receivedAt }) => receivedAt.getTime());
  const at = editsSettleAt({
    firstEventAt: new Date(Math.min(...arrived)),
    lastEventAt: new Date(Math.max(...arrived, ...more)),
    lastEditedAt: page.lastEditedAt,
  });
  if (at > turn.databaseTime()) return at;
  const refusal = findRefusal(rule, asItIs(page, last.event.occurredAt));
  if (refusal) return endUnsettled(edits, refusal);
  const authors = [...new Set(edits.flatMap(({ event }) => event.authors))];
  const botAuthors = edits.flatMap(({ event }) => event.botAuthors);
  const event = { ...last.event, authors, botAuthors };
  const decision = creditChat(turn, [rule.channelId], [event], { post: true, event, changes: [] });
  if (!decision.post) return endUnsettled(edits, decision.reason);
  const others = edits.filter(({ id }) => id !== last.id);
  return [...endUnsettled(others, 'merged'), await tell({ turn, page, rule }, last, decision)];
}

async function settleNew(
  { turn, page, rule }: Wanted,
  unsettled: Unsettled,
): Promise<ChangedDecision[] | Date> {
  const now = turn.databaseTime();
  const news = [unsettled.event, ...turn.events];
  const created: Decision = { post: true, event: unsettled.event, changes: [] };
  const decision = creditChat(turn, [rule.channelId], news, created);
  if (!decision.post) return [end(unsettled, decision.reason)];
  if (unsettled.state !== 'settling' && !isFollowed(unsettled, now)) return [end(unsettled, 'merged')];
  const lastEventAt = turn.lastEventAt ?? unsettled.createdAt;
  const at = settlesAt({ ...page, createdAt: unsettled.createdAt, lastEventAt });
  if (at > now) return at;
  if (unsettled.state === 'settling') {
    const refusal = findRefusal(rule, asItIs(page, unsettled.event.occurredAt));
    if (refusal) return [end(unsettled, refusal)];
  }
  // The early card is still waiting in its channel; it can be edited once it is posted.
  if (unsettled.state === 'waiting') return nextLook(unsettled, now);
  return [await tell({ turn, page, rule }, unsettled, decision)];
}

/** The card of a page that has settled, or the edit of one that was posted early. */
async function tell(
  { turn, page, rule }: Wanted,
  { id, eventAt, state: was, event }: Unsettled,
  decision: Decision & { post: true },
): Promise<ChangedDecision> {
  const told = { id, eventAt, was, ruleId: rule.id, message: null, isEarly: false, tellAt: null };
  const summary = toSummary(page, []);
  const at = was === 'settling' ? tellAt(turn, rule) : null;
  if (isToPeople(rule)) {
    return { ...told, ...(await tellPeople(turn, rule, page, { ...decision, id, summary, tellAt: at })) };
  }
  const message = await composeMessage(turn.workspace, rule, page, decision);
  if (at) {
    const later = { ...summary, later: toDigestDetails(rule, page, message) };
    const gathered = { outcome: 'gathered' as const, tellAt: at, place: digestPlaceOf(rule) };
    return { ...told, ...gathered, sealedSummary: sealSummary(id, later) };
  }
  const sealedSummary = sealSummary(id, summary);
  if (keepsCards(rule) && was === 'settling') {
    const living = await composeLiving(turn.workspace, rule, page, decision);
    return { ...told, outcome: 'message', sealedSummary, living };
  }
  const messageId = was === 'settling' ? id : randomUUID();
  return {
    ...told,
    outcome: 'message',
    sealedSummary,
    message: {
      id: messageId,
      channelId: rule.channelId,
      rollUp: rule.rollUp && was === 'settling',
      sealedBody: sealMessage(messageId, message),
    },
    isEarly: !isEdit({ event }) && page.title === '',
  };
}

// A card that was posted early stays as it is.
function end({ id, eventAt, ruleId, state: was }: Unsettled, reason: SkipReason): ChangedDecision {
  const outcome = was === 'settling' ? reason : 'message';
  const none = { sealedSummary: null, message: null, isEarly: false, tellAt: null };
  return { id, eventAt, was, ruleId, outcome, ...none };
}
