import { FILTERS, type FilterReason } from '../matching/filters';
import type { SkipReason } from '../matching/match';

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
  own_change: 'The change was made with Pagewire in this channel, where its answer stands.',
  merged: 'The card of another event of this page tells it too.',
  gathered: 'It came while Notion or Pagewire was away, and is told in one card with the rest.',
  page_trashed: 'The page was moved to the trash.',
  page_gone: 'The page was deleted, or is no longer shared with Pagewire.',
  not_understood: 'Notion gave the page in a form that Pagewire does not understand.',
  page_too_large: 'The properties of the page are too large: Pagewire reads up to 8 MB of a page.',
  key_gone: 'Pagewire did not have the key to its access to Notion for a day.',
  notion_refused: 'Notion refused to show the page.',
  notion_unreachable: 'Notion did not give the page for a day.',
};

const SETTLING =
  'The page is new. Its card waits until it has a title and nobody has edited it for 20 seconds.';

const MAY_BE_POSTED = ' The card may have been posted.';

interface Told {
  state: string;
  /** Why it was skipped. */
  reasonCode?: string | null;
  /** Why its message waits, was held or failed, in words. */
  reason: string | null;
  /** Since when Discord may have been asked to post it; null before that, and when it certainly was not posted. */
  triedAt: Date | null;
}

/** Why a delivery is in its state, in words; null when the state says everything. */
export function reasonText({ state, reasonCode = null, reason, triedAt }: Told): string | null {
  if (state === 'settling') return SETTLING;
  if (reasonCode !== null) {
    const filter = (FILTERS as Record<string, { sentence: string }>)[reasonCode];
    return (
      filter?.sentence ?? (SENTENCES as Record<string, string>)[reasonCode] ?? `Not posted (${reasonCode}).`
    );
  }
  return reason !== null && state === 'failed' && triedAt ? reason + MAY_BE_POSTED : reason;
}
