import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';

const QUIET_EDITS_MS = 5 * MINUTE_MS;
const MAX_EDITS_MS = HOUR_MS;
const QUIET_MS = 20 * SECOND_MS;
const MAX_MS = 2 * MINUTE_MS;
const FOLLOWED_MS = DAY_MS;

interface NewPage {
  /** When the event of its creation arrived. */
  createdAt: Date;
  /** When its last event arrived. */
  lastEventAt: Date;
  title: string;
  /** As Notion reports it, rounded down to the minute. */
  lastEditedAt: Date;
}

/**
 * When a new page settles, possibly in the past: once it has a title and nobody has edited it for twenty seconds, or
 * after two minutes. Notion reports a page before anybody has typed its title.
 */
export function settlesAt({ createdAt, lastEventAt, title, lastEditedAt }: NewPage): Date {
  const latest = createdAt.getTime() + MAX_MS;
  if (!title) return new Date(latest);
  const quiet = Math.min(lastEventAt.getTime(), lastEditedAt.getTime() + MINUTE_MS) + QUIET_MS;
  return new Date(Math.min(latest, quiet));
}

interface EditedPage extends Pick<NewPage, 'lastEventAt' | 'lastEditedAt'> {
  /** When the first of the gathered edits arrived. */
  firstEventAt: Date;
}

/**
 * When the edits of a page's content are told in one card, possibly in the past: once nobody has edited it for five
 * minutes, or after an hour.
 */
export function editsSettleAt({ firstEventAt, lastEventAt, lastEditedAt }: EditedPage): Date {
  const quiet = Math.min(lastEventAt.getTime(), lastEditedAt.getTime() + MINUTE_MS) + QUIET_EDITS_MS;
  return new Date(Math.min(firstEventAt.getTime() + MAX_EDITS_MS, quiet));
}

/** Whether a card that was posted early is still being completed. */
export function isFollowed({ createdAt }: { createdAt: Date }, now: Date): boolean {
  return now.getTime() - createdAt.getTime() < FOLLOWED_MS;
}

/** When to check whether an early card was sent, so that it can be edited; the interval grows with its age. */
export function nextLook({ createdAt }: { createdAt: Date }, now: Date): Date {
  const waitedMs = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(10 * MINUTE_MS, Math.max(SECOND_MS, waitedMs / 4)));
}
