import { randomUUID } from 'node:crypto';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { composeMessage } from '../cards/compose-message';
import { passesAuthors } from '../matching/authors';
import { asItIs } from '../matching/conditions';
import { findRefusal } from '../matching/filters';
import type { Decision, SkipReason } from '../matching/match';
import { sealSummary, toSummary } from '../matching/summary';
import { sealMessage } from '../outbox/sealed-body';
import type { LineRule } from './line-rules';
import type { LoadedTurn, Unsettled } from './loaded-turn';
import { creditChat, creditPeople } from './own-changes';
import { isFollowed, nextLook, settlesAt } from './settle';
import type { ChangedDecision } from './turn-plan';

interface Settling {
  changed: ChangedDecision[];
  /** When to look at the page again; null when none of its cards is unsettled. */
  dueAt: Date | null;
}

/**
 * What becomes of a new page's cards. One that waits is posted once the page has settled. One that was posted early is
 * completed by an edit, again and again for as long as the page has no title.
 */
export async function settlePages(turn: LoadedTurn, page: Page, rules: LineRule[]): Promise<Settling> {
  const changed: ChangedDecision[] = [];
  const due: number[] = [];
  for (const unsettled of turn.unsettled) {
    const rule = rules.find(({ id }) => id === unsettled.ruleId);
    const next = await settle(turn, page, rule, unsettled);
    if (next instanceof Date) due.push(next.getTime());
    else changed.push(next);
  }
  return { changed, dueAt: due.length > 0 ? new Date(Math.min(...due)) : null };
}

/** What becomes of them when their page cannot be read. */
export function endUnsettled(unsettled: Unsettled[], reason: SkipReason): ChangedDecision[] {
  return unsettled.map((one) => end(one, reason));
}

async function settle(
  turn: LoadedTurn,
  page: Page,
  rule: LineRule | undefined,
  unsettled: Unsettled,
): Promise<ChangedDecision | Date> {
  const now = turn.databaseTime();
  const isWanted = rule?.enabled && rule.eventType === 'page_created';
  if (!rule || !isWanted) return end(unsettled, 'rule_off');
  if (!passesAuthors(rule, creditPeople(turn, unsettled.event))) return end(unsettled, 'filtered_by_author');
  const news = [unsettled.event, ...turn.events];
  const created: Decision = { post: true, event: unsettled.event, changes: [] };
  const decision = creditChat(turn, rule.channelId, news, created);
  if (!decision.post) return end(unsettled, decision.reason);
  if (unsettled.state !== 'settling' && !isFollowed(unsettled, now)) return end(unsettled, 'merged');
  const lastEventAt = turn.lastEventAt ?? unsettled.createdAt;
  const at = settlesAt({ ...page, createdAt: unsettled.createdAt, lastEventAt });
  if (at > now) return at;
  if (unsettled.state === 'settling') {
    const refusal = findRefusal(rule, asItIs(page, unsettled.event.occurredAt));
    if (refusal) return end(unsettled, refusal);
  }
  // The early card is still waiting in its channel; it can be edited once it is posted.
  if (unsettled.state === 'waiting') return nextLook(unsettled, now);
  const message = await composeMessage(turn.workspace, rule, page, decision);
  const { id, eventAt, state: was } = unsettled;
  const messageId = was === 'settling' ? id : randomUUID();
  return {
    id,
    eventAt,
    was,
    outcome: 'message',
    sealedSummary: sealSummary(id, toSummary(page, [])),
    message: { id: messageId, channelId: rule.channelId, sealedBody: sealMessage(messageId, message) },
    isEarly: page.title === '',
  };
}

// A card that was posted stays as it is.
function end({ id, eventAt, state: was }: Unsettled, reason: SkipReason): ChangedDecision {
  const outcome = was === 'settling' ? reason : 'message';
  return { id, eventAt, was, outcome, sealedSummary: null, message: null, isEarly: false };
}
