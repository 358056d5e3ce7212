import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import type { PropertyChange } from '../matching/match';
import type { EventType, Mentions } from '../matching/schema';

/** What a card shows. */
export interface CardInput {
  eventType: EventType;
  /** What people call the rule; null when they gave it no name. */
  ruleName?: string | null;
  page: Page;
  database: { name: string; icon: string | null; isTask: boolean };
  channelName: string;
  changes: PropertyChange[];
  /** Names and values of the displayed fields, in the rule's order. */
  fields: { name: string; value: PropertyValue }[];
  /** Who caused the event; null when Notion names nobody we know. */
  actor: { notionUserId: string; name: string } | null;
  /** The Notion users who caused the event: nobody is pinged about a change of their own. */
  authors: string[];
  /** Who is pinged; absent for the people of the card. */
  mentions?: Mentions;
  /** Whether this is a card that is brought up to date after a quick action. */
  isRefreshed?: boolean;
  at: Date;
  /** Names and Discord users of the Notion users in the card. */
  people: Map<string, { name: string; discordUserId: string | null }>;
  statusColor?: string;
}
