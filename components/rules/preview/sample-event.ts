import type { EventType } from '@/lib/features/matching/schema';

const COMMENT = 'Shall we ship this on Friday?';

interface SampleEvent {
  /** The page's title. */
  title: string;
  /** The line above the card. */
  content: string;
  /** The text of the comment. */
  quoted: string[];
  /** The words before "by" and the person. */
  done: string;
  /** Whether the page can still be changed. */
  isChangeable: boolean;
}

/** The parts of an event's card other than what changed; for the preview only. */
export function sampleEvent(eventType: EventType, person: string): SampleEvent {
  const [title, verb, done] = WORDS[eventType];
  const [before, after = ''] = verb.split('…');
  const isComment = eventType === 'comment_created';
  return {
    title,
    content: `${person} ${before} ${title}${after}${isComment ? `: ${COMMENT}` : ''}`,
    quoted: isComment ? [COMMENT] : [],
    done,
    isChangeable: eventType !== 'page_deleted',
  };
}

/** The title, what somebody did to the page, and the same as a participle. */
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
