import type { RowOf } from '@/lib/db/row-shape';
import type { DatabaseTime } from '@/lib/queue/database-clock';
import type { PageEvent } from '../matching/match';
import type { Snapshot } from '../matching/snapshot';
import type { CLAIMED_TURN } from './claim-pages-sql';
import type { LineRule } from './line-rules';
import type { PageWrite } from './page-writes';

export interface PendingEvent extends PageEvent {
  databaseId: string | null;
  receivedAt: Date;
}

/** A new page that has not settled: its card waits, or was posted early and is to be completed. */
export interface Unsettled {
  id: string;
  eventAt: Date;
  ruleId: string;
  state: 'settling' | 'waiting' | 'sent';
  createdAt: Date;
  event: PageEvent;
}

export type ClaimedTurn = RowOf<typeof CLAIMED_TURN>;

/** A claimed turn with everything that a decision needs except the page itself. */
export interface LoadedTurn extends ClaimedTurn {
  /** When it was loaded, on the database's clock: before its page is read. */
  loadedAt: Date;
  databaseTime: DatabaseTime;
  workspace: { id: string; accountId: string; botId: string; sealedTokens: Uint8Array };
  /** Until when Notion blocks the calls of this connection; null when it does not. */
  blockedUntil: Date | null;
  snapshot: Snapshot | null;
  /** Whether there is a snapshot that this process does not have the key for; `snapshot` is null then. */
  isSnapshotLocked: boolean;
  snapshotVersion: number | null;
  /** In the order in which things happened. */
  events: PendingEvent[];
  /** When the last event of the page arrived; only loaded while a card is unsettled. */
  lastEventAt: Date | null;
  unsettled: Unsettled[];
  /** What our bot wrote for people in chat, oldest first. */
  writes: PageWrite[];
  /**
   * Whether our bot created a page whose id it does not know yet, possibly this one. Read together with `writes`, so
   * that the creation of this page is either among them or pending.
   */
  isCreationPending: boolean;
  /** The rules of every database that the events name, oldest first. */
  rules: LineRule[];
}
