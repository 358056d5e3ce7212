import type { MessageRemark } from '@/lib/db/generated/client';
import { FILTERS, type FilterReason } from '../matching/filters';
import { CONTENT_UPDATED, type SkipReason } from '../matching/match';

/**
 * Why a rule posted nothing for an event, in words, for every code that a decision may hold except those of filters.
 */
const SENTENCES: Record<Exclude<SkipReason, FilterReason> | 'gathered', string> = {
  rule_off: 'The rule was switched off.',
  not_created: 'The page existed already, and the rule is for new pages.',
  already_posted: 'The rule had posted this page before, or was about to.',
  not_updated: 'The page had only just been created, and the rule is for changes.',
  unchanged: 'No watched property has a new value.',
  property_not_watched: 'Nothing that changed is a watched property.',
  filtered_by_author: 'The rule leaves out what this person or bot does.',
  source_unknown:
    'It is unknown whether the page is below the one that the rule watches: Notion does not show Pagewire where it is.',
  own_change:
    'Pagewire made the change: for somebody in this channel, where the reply shows it, or without being asked in Discord.',
  not_asked_for:
    'Nobody whom it concerns has said yes to direct messages. They can do so with `/notion notify` in Discord.',
  inbox_closed:
    'Discord does not deliver direct messages to this person. They get messages again once they use `/notion notify`.',
  by_themselves: 'Whoever it concerns did it themselves.',
  nobody_linked: 'Nobody whom it is for is linked to a Discord user.',
  other_event: 'What happened to the page is not what the rule is about.',
  undone: 'It was undone before it could be posted: the page is as it was before.',
  comment_gone:
    'Notion no longer has the comment, or it is a suggested edit: Notion reports those as comments, but does not show them.',
  suggested_edit: 'It was a suggested edit, or a comment without any text.',
  comments_refused: 'Notion does not let Pagewire read comments: its connection lacks that capability.',
  no_channel: 'Before it could be posted, the rule was edited to write to people instead of a channel.',
  merged: 'The card for another event of this page covers it too.',
  gathered: 'It is posted in one message together with others.',
  page_moved: 'The page was moved out of the database before it was read.',
  page_trashed: 'The page was moved to the trash.',
  page_gone: 'The page was deleted, or is no longer shared with Pagewire.',
  page_unknown:
    'The page is gone for good, and no rule had looked at it before: not even its title is known.',
  not_understood: 'Notion returned the page in a form that Pagewire does not understand.',
  page_too_large: 'The properties of the page are too large: Pagewire reads up to 8 MB of a page.',
  key_gone:
    'For a day Pagewire did not have the encryption key that it needed: that of its access to Notion, or of what it had kept of the change.',
  notion_refused:
    'Notion refused to show the page, or the pages of the database that the rule looks through.',
  notion_unreachable: 'Notion did not return the page for a day.',
};

/** What is unusual about the message of a living card. */
const REMARKS: Record<MessageRemark, string> = {
  card_deleted: 'The card of the page had been deleted in Discord, so a new one was posted.',
  card_unsent: 'The card of the page had not been sent, so this is a new one.',
  card_asleep:
    'Nothing had been posted about the page for a week, so its card was posted anew. The old one links to it.',
  thread_cap: 'It is on the card only: the server has as many active threads as Discord allows.',
  thread_permission:
    'It is on the card only: the bot may not start threads there or write in them. It needs Create Public Threads and Send Messages in Threads.',
  thread_blocked:
    'It is on the card only: the automatic moderation of the server blocked the title of its thread.',
  thread_impossible: 'It is on the card only: Discord does not accept a thread below it.',
  thread_deleted: 'It is on the card only: its thread was deleted in Discord.',
  thread_locked: 'It is on the card only: its thread is locked.',
};

// Why one person gets no message of their own.
const OF_PERSON: Record<string, string> = {
  not_asked_for: 'Has not said yes to direct messages.',
  inbox_closed: 'Discord does not deliver direct messages to them.',
  merged: 'A later message about the page covers it too.',
  undone: 'It was undone before it was sent.',
  rule_off: 'The rule was switched off before it was sent.',
  key_gone: 'For a day Pagewire did not have the encryption key of what it had kept of the change.',
};

/** Why a person got no message of their own, in words; null when that is said elsewhere. */
export const personReason = (outcome: string, isGathered: boolean): string | null =>
  isGathered ? 'It waits for their digest.' : (OF_PERSON[outcome] ?? null);

const SETTLING =
  'The page is new. Its card waits until it has a title and nobody has edited it for 20 seconds, 2 minutes at most.';

const EDITING =
  'The content was edited. All edits become one card once nobody has edited the page for 5 minutes, after an hour at most.';

const ROLLED_UP =
  'More than ten cards of the rule came within five minutes. One card counts the rest, and lists this one behind its button.';

const MAY_BE_POSTED = ' The card may have been posted.';

interface LogEntry {
  state: string;
  /** What Notion called the event; null once it is no longer kept. */
  eventType?: string | null;
  /** Why it was skipped. */
  reasonCode?: string | null;
  /** Why its message waits, was held or failed, in words. */
  reason: string | null;
  /** What is unusual about its message, as a code. */
  remark?: string | null;
  /** Since when Discord may have been asked to post it; null before that, and if it certainly was not posted. */
  triedAt: Date | null;
  /** Whether it was part of a flood, which one message counts. */
  isRolledUp?: boolean;
  /** The time of the digest that it waits for, in words; absent without one. */
  digest?: string | null;
}

/** Why a delivery is in its state, in words; null when the state says everything. */
export function reasonText({
  state,
  eventType = null,
  reasonCode = null,
  reason,
  remark = null,
  triedAt,
  isRolledUp = false,
  digest = null,
}: LogEntry): string | null {
  if (digest !== null) return `It waits for the digest of ${digest}.`;
  if (isRolledUp) return reason === null ? ROLLED_UP : `${ROLLED_UP} ${reason}`;
  if (state === 'settling') return eventType === CONTENT_UPDATED ? EDITING : SETTLING;
  if (reasonCode !== null) {
    const filter = (FILTERS as Record<string, { sentence: string }>)[reasonCode];
    return (
      filter?.sentence ?? (SENTENCES as Record<string, string>)[reasonCode] ?? `Not posted (${reasonCode}).`
    );
  }
  if (remark !== null && state === 'sent') return (REMARKS as Record<string, string>)[remark] ?? null;
  return reason !== null && state === 'failed' && triedAt ? reason + MAY_BE_POSTED : reason;
}
