import type { ParentKind } from '@/lib/integrations/notion/notion-parent';
import type { DatabaseTime } from '@/lib/queue/database-clock';
import type { Clock } from '../calendar/calendar';
import type { KnownEcho } from '../echoes/plan-echo';
import type { KnownPeople } from '../links/people';
import type { KnownCard } from '../living/plan-living';
import type { PageEvent } from '../matching/match';
import type { Snapshot } from '../matching/snapshot';
import type { PageWrite } from '../writes/page-writes';
import type { PipelineRule } from './pipeline-rules';

export interface PendingEvent extends PageEvent {
  databaseId: string | null;
  /** The kind of the page's parent; null when Notion did not say. */
  parentKind: Exclude<ParentKind, 'unknown'> | null;
  parentId: string | null;
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

export interface ClaimedTurn {
  workspaceId: string;
  pageId: string;
  /** The turn's version when it was claimed. */
  version: number;
  /** When the lease ends. Another time in the turn's row means that the lease was lost. */
  leasedUntil: Date;
}

/** A claimed turn with everything that a decision needs but the page itself. */
export interface LoadedTurn extends ClaimedTurn {
  /** When it was loaded, on the database's clock: before its page is read. */
  loadedAt: Date;
  databaseTime: DatabaseTime;
  /** `known`: its people, as loaded with the turn. */
  workspace: { id: string; accountId: string; botId: string; sealedTokens: Uint8Array; known: KnownPeople };
  /** The clock for the account's digests and quiet hours. */
  clock: Clock;
  /** Until when Notion refuses this connection's calls; null when it does not. */
  blockedUntil: Date | null;
  snapshot: Snapshot | null;
  /** Whether this process lacks the key of the stored snapshot; `snapshot` is null then. */
  isSnapshotLocked: boolean;
  snapshotVersion: number | null;
  /** In the order in which things happened. */
  events: PendingEvent[];
  /** When the last event of the page came in; only known while something is unsettled. */
  lastEventAt: Date | null;
  unsettled: Unsettled[];
  /** What our bot wrote for people in chat, oldest first. */
  writes: PageWrite[];
  /**
   * Whether our bot is creating a page, perhaps this one, and does not know its id yet. Read with the writes, so that a
   * page of ours is either among them or pending.
   */
  isCreationPending: boolean;
  /** The living cards of the page. */
  cards: KnownCard[];
  /** The message from which the page was made; null for most pages. */
  echo: KnownEcho | null;
  /** The rules of every database that the events name, of pages and of workspaces, oldest first. */
  rules: PipelineRule[];
}
