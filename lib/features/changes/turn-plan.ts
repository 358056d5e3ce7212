import type { DecisionOutcome } from '@/lib/db/generated/client';
import type { SkipReason } from '../matching/match';
import type { ClaimedTurn, LoadedTurn, Unsettled } from './loaded-turn';

/** What a rule made of an event. */
export interface NewDecision {
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
  isEarly: boolean;
}

/** What becomes of a card whose new page had not settled. */
export interface ChangedDecision {
  id: string;
  eventAt: Date;
  was: Unsettled['state'];
  outcome: 'message' | SkipReason;
  sealedSummary: Uint8Array | null;
  /** What is to be posted or edited; null for nothing. */
  message: SettledMessage | null;
  isEarly: boolean;
}

/** The card of a page that has settled, or the edit of a card that was posted early. */
export interface SettledMessage {
  /** The decision's own id for a card, a new one for an edit. */
  id: string;
  channelId: string;
  sealedBody: Uint8Array;
}

/** How an event ended: what its rules made of it, or that no rule was about it. */
export type EventOutcome = Exclude<DecisionOutcome, 'message'> | 'posted' | 'no_rules';

/** Everything that a turn has decided; it is saved as a whole or not at all. */
export interface TurnPlan {
  /** When to look again, on the database's clock; null when nothing is left to do. */
  dueAt: Date | null;
  finished: { id: string; outcome: EventOutcome }[];
  created: NewDecision[];
  changed: ChangedDecision[];
  /** The page's values now, if they differ from the stored ones. */
  snapshot: { databaseId: string; sealed: Uint8Array } | null;
  /** Whether the page is gone, so that its stored values are deleted. */
  isForgotten: boolean;
}

export type Commit = { dueInMs: number | null } | 'stale';

export interface CommitItem {
  turn: ClaimedTurn & Pick<LoadedTurn, 'workspace' | 'snapshotVersion' | 'loadedAt'>;
  plan: TurnPlan;
}
