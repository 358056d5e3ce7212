import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import type { PropertyChange } from '../matching/match';
import type { EventType, Mentions, RuleTerms } from '../matching/schema';
import type { ChosenActions } from './action-buttons';
import type { ShownComment } from './comment-words';
import type { ClockFinding } from './words';

/** What a card shows. */
export interface CardInput {
  eventType: EventType;
  /** The name that a person gave the rule; null without one. */
  ruleName?: string | null;
  page: Page;
  database: { name: string; icon: string | null; isTask: boolean };
  /** The name of what the rule watches, if that is not the database. */
  sourceName?: string;
  channelName: string;
  changes: PropertyChange[];
  /** What happened, if that is not what the rule is about. */
  happened?: EventType;
  /** The values that a living card shows instead of changes. */
  states?: PropertyChange[];
  /** Whether Notion no longer shows the page, so that its known values are old. */
  isGone?: boolean | undefined;
  /** The comment; absent for other events. */
  comment?: ShownComment | undefined;
  /** What the clock found; absent for events in Notion. */
  finding?: ClockFinding | undefined;
  /** What the buttons do; absent for those of a task. */
  chosen?: ChosenActions | undefined;
  /** The rule, if its card reminds of a date and has buttons to move it; absent for other cards. */
  reminder?: { ruleId: string; propertyId: string; canComplete: boolean } | undefined;
  /** Names and values of the displayed fields, in the rule's order. */
  fields: { name: string; value: PropertyValue }[];
  /** Who caused the event; null when Notion names nobody we know. */
  actor: { notionUserId: string; name: string } | null;
  /** The Notion users who caused the event: nobody is pinged about a change of their own. */
  authors: string[];
  /** Who is pinged; absent for the people of the card. */
  mentions?: Mentions;
  /** Absent for a full card. */
  size?: RuleTerms['size'];
  /** Whether the card is being brought up to date after a quick action. */
  isRefreshed?: boolean;
  at: Date;
  /** Names and Discord users of the Notion users on the card. */
  people: Map<string, { name: string; discordUserId: string | null }>;
  statusColor?: string;
}
