import type { EventType } from '@/lib/features/matching/schema';

const COMMENT = 'Shall we ship this on Friday?';
const BUTTONS = ['Assign to me', 'Change status', 'Open in Notion'];

interface SampleEvent {
  /** The page's title. */
  title: string;
  /** The line above the card. */
  content: string;
  /** What was commented. */
  quoted: string[];
  /** As it stands before "by" and who did it. */
  done: string;
  /** Of a page of a task database. */
  buttons: string[];
}

/** What the card of an event says, apart from what changed; for the preview only. */
export function sampleEvent(eventType: EventType, person: string): SampleEvent {
  const [title, verb, done] = WORDS[eventType];
  const [before, after = ''] = verb.split('…');
  const isComment = eventType === 'comment_created';
  return {
    title,
    content: `${person} ${before} ${title}${after}${isComment ? `: ${COMMENT}` : ''}`,
    quoted: isComment ? [COMMENT] : [],
    done,
    buttons: eventType === 'page_deleted' ? BUTTONS.slice(-1) : BUTTONS,
  };
}

/** The title, what somebody did to the page, and what was done to it. */
const WORDS: Record<EventType, [title: string, verb: string, done: string]> = {
  page_created: ['A new page', 'created', 'Created'],
  page_updated: ['An edited page', 'changed', 'Updated'],
  content_updated: ['An edited page', 'edited', 'Edited'],
  comment_created: ['A discussed page', 'commented on', 'Commented'],
  page_deleted: ['A page', 'moved… to the trash', 'Moved to the trash'],
  page_restored: ['A page', 'restored', 'Restored'],
  date_near: ['A page', '', 'Reminded'],
  page_untouched: ['A page', '', 'Untouched'],
  summary: ['A page', '', 'Listed'],
};
