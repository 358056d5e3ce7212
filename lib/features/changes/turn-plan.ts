import { randomUUID } from 'node:crypto';
import type { DecisionOutcome, MessageRemark } from '@/lib/db/generated/client';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { type DigestPlace, digestPlaceOf, type LaterRow } from '../digests/open-digests';
import type { EchoMove } from '../echoes/plan-echo';
import type { LetterRow } from '../letters/letters-sql';
import type { Letter } from '../letters/write-letters';
import type { LivingBodies } from '../living/compose-living';
import type { LivingMove } from '../living/plan-living';
import { COMMENTED, type SkipReason } from '../matching/match';
import { OUTSIDE, sealSnapshot, toSnapshot, trackedProperties } from '../matching/snapshot';
import { type Summary, sealSummary } from '../matching/summary';
import type { ClaimedTurn, LoadedTurn, PendingEvent, Unsettled } from './loaded-turn';
import { writtenFor } from './own-changes';
import type { PipelineRule } from './pipeline-rules';

/** How a decision is told. */
interface Telling {
  /** When a digest tells it; null when it is told at once. */
  tellAt: Date | null;
  /** Where its rule posted; a digest is told there if the rule has no channel by then. */
  place?: DigestPlace;
  /** What the living card and its thread say of it, if the rule keeps living cards. */
  living?: LivingBodies;
  /** What the rule's log says about its card. */
  remark?: MessageRemark | null;
  /** If the rule writes to people: their letters, and which message or link the log shows for it. */
  letters?: Letter[];
  tellsIn?: string | null;
}

/** A decision about a new event. */
export interface NewDecision extends Telling {
  id: string;
  accountId: string;
  ruleId: string;
  channelId: string;
  eventId: string;
  eventAt: Date;
  outcome: DecisionOutcome;
  /** Null when the page was not read. */
  sealedSummary: Uint8Array | null;
  /** The card, sealed for the decision's id; null when there is none. */
  sealedBody: Uint8Array | null;
  /** Whether its card may become part of a flood. */
  rollUp: boolean;
  isEarly: boolean;
}

/** A changed decision about a page that had not settled. */
export interface ChangedDecision extends Telling {
  id: string;
  eventAt: Date;
  was: Unsettled['state'];
  ruleId: string;
  outcome: 'message' | 'gathered' | SkipReason;
  sealedSummary: Uint8Array | null;
  /** What is to be posted or edited; null for nothing. */
  message: SettledMessage | null;
  isEarly: boolean;
}

/** The card of a page that has settled, or the edit of a card that was posted early. */
interface SettledMessage {
  /** The decision's own id for a card, a new one for an edit. */
  id: string;
  channelId: string;
  sealedBody: Uint8Array;
  /** Whether the card may become part of a flood. */
  rollUp: boolean;
}

/** How an event ended: what its rules made of it, or that no rule was about it. */
export type EventOutcome = Exclude<DecisionOutcome, 'message'> | 'posted' | 'no_rules';

/** Everything that a turn has decided; saved as a whole or not at all. */
export interface TurnPlan {
  /** When to look at the page again, on the database's clock; null when nothing is left to do. */
  dueAt: Date | null;
  /** The events that were looked at, with the people for whom our bot made them. */
  finished: { id: string; outcome: EventOutcome; writtenFor: string[] }[];
  created: NewDecision[];
  changed: ChangedDecision[];
  /** What becomes of living cards. */
  living: LivingMove[];
  /** What becomes of the reply to the message from which the page was made; null for nothing. */
  echo: EchoMove | null;
  /** The page's values now, if they differ from the stored ones. */
  snapshot: { databaseId: string; sealed: Uint8Array } | null;
  /** Whether the page is gone, so that its stored values are deleted. */
  isForgotten: boolean;
}

export interface CommitItem {
  turn: ClaimedTurn & Pick<LoadedTurn, 'workspace' | 'snapshotVersion' | 'loadedAt'>;
  plan: TurnPlan;
}

/** A plan in which nothing was decided. */
export const emptyPlan = (dueAt: Date | null): TurnPlan => ({
  dueAt,
  finished: [],
  created: [],
  changed: [],
  living: [],
  echo: null,
  snapshot: null,
  isForgotten: false,
});

/** A decision of a rule about an event, without a card. */
export function toDecision(
  rule: PipelineRule,
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
    rollUp: false,
    isEarly: false,
    tellAt: null,
    place: digestPlaceOf(rule),
  };
}

/** What is recorded with each event; the outcome `otherwise` for events that no rule is about. */
export function finish(
  turn: Pick<LoadedTurn, 'events' | 'workspace' | 'writes'>,
  decisions: NewDecision[],
  otherwise: EventOutcome,
): TurnPlan['finished'] {
  return turn.events.map((event) => {
    const seen = { id: event.id, writtenFor: writtenFor(turn, event) };
    const outcomes = decisions.filter(({ eventId }) => eventId === event.id).map(({ outcome }) => outcome);
    if (outcomes.includes('message')) return { ...seen, outcome: 'posted' };
    const waiting = (['settling', 'gathered'] as const).find((outcome) => outcomes.includes(outcome));
    return { ...seen, outcome: waiting ?? outcomes.find((outcome) => outcome !== 'message') ?? otherwise };
  });
}

/** The page's values to store; null if there are none to store. The properties in `left` keep their stored values. */
export function newSnapshot(
  { events, snapshot, workspaceId, pageId }: LoadedTurn,
  page: Page,
  rules: PipelineRule[],
  left: string[],
): TurnPlan['snapshot'] {
  const tracked = trackedProperties(rules);
  // A page shows changes before their events arrive. A turn of comments, or without events, tells no change, so it must
  // not store any.
  const tellsChanges = events.some(({ type }) => type !== COMMENTED);
  if (tracked.length === 0 || !tellsChanges) return null;
  const old = left.flatMap((id) => (snapshot?.[id] ? [[id, snapshot[id]]] : []));
  const after = { ...toSnapshot(page, tracked, snapshot), ...Object.fromEntries(old) };
  if (JSON.stringify(after) === JSON.stringify(snapshot)) return null;
  return { databaseId: page.databaseId ?? OUTSIDE, sealed: sealSnapshot(after, workspaceId, pageId) };
}

/** The turns of plans, as `commitSql` reads them. */
export function turnsJson(items: CommitItem[]): string {
  return JSON.stringify(
    items.map(({ turn, plan }, index) => ({
      index,
      workspaceId: turn.workspaceId,
      pageId: turn.pageId,
      version: turn.version,
      lease: turn.leasedUntil,
      dueAt: plan.dueAt,
      databaseId: plan.snapshot?.databaseId,
      snapshot: plan.snapshot && base64(plan.snapshot.sealed),
      snapshotVersion: turn.snapshotVersion,
      isForgotten: plan.isForgotten,
    })),
  );
}

/** The events of plans, as `commitSql` reads them. */
export function finishedJson(items: CommitItem[]): string {
  return JSON.stringify(
    items.flatMap(({ turn: { workspaceId }, plan }, index) =>
      plan.finished.map((event) => ({ index, workspaceId, ...event })),
    ),
  );
}

/** The decisions of plans, as `commitSql` reads them. */
export function createdJson(items: CommitItem[]): string {
  return JSON.stringify(
    items.flatMap(({ plan }, index) =>
      plan.created.map(({ sealedSummary, sealedBody, living, letters: _, place: __, ...row }) => ({
        index,
        ...row,
        isLiving: living !== undefined && row.outcome === 'message',
        sealedSummary: sealedSummary && base64(sealedSummary),
        sealedBody: sealedBody && base64(sealedBody),
      })),
    ),
  );
}

/** The changed decisions of plans, as `commitSql` reads them. */
export function changedJson(items: CommitItem[]): string {
  return JSON.stringify(
    items.flatMap(({ turn, plan }, index) =>
      plan.changed.map(({ sealedSummary, message, living, letters: _, place: __, ...row }) => ({
        index,
        ...row,
        accountId: turn.workspace.accountId,
        sealedSummary: sealedSummary && base64(sealedSummary),
        sealedBody: message && base64(message.sealedBody),
        messageId: message?.id ?? row.tellsIn ?? (living && row.outcome === 'message' ? row.id : undefined),
        channelId: message?.channelId,
        rollUp: message?.rollUp,
        readAt: turn.loadedAt,
      })),
    ),
  );
}

/** What digests tell later, as `commitSql` reads it. */
export function laterRows(items: CommitItem[]): LaterRow[] {
  return items.flatMap(({ turn, plan }, index) =>
    [...plan.created, ...plan.changed].flatMap(({ ruleId, outcome, tellAt, place }) => {
      const isLater = outcome === 'gathered' && tellAt !== null;
      return isLater ? [{ index, ruleId, accountId: turn.workspace.accountId, tellAt, place }] : [];
    }),
  );
}

/** The letters of plans, as `lettersSql` reads them. */
export function letterRows(items: CommitItem[]): LetterRow[] {
  return items.flatMap(({ turn: { workspace }, plan }, index) =>
    [...plan.created, ...plan.changed].flatMap(({ id, eventAt, ruleId, letters = [] }) => {
      const decided = { index, decisionId: id, eventAt, accountId: workspace.accountId, ruleId };
      return letters.map((letter) => ({ ...decided, ...letter }));
    }),
  );
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
