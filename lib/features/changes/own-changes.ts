import { MINUTE_MS } from '@/lib/time';
import { COMMENTED, CREATED, type Decision, type PageEvent, RESTORED } from '../matching/match';
import type { EventType } from '../matching/schema';
import {
  commentWritten,
  hasWritten,
  listWrites,
  NEW_COMMENT,
  type PageWrite,
  TOLD_WITHIN_MS,
} from '../writes/page-writes';
import type { LoadedTurn } from './loaded-turn';

const WAIT_FOR_AUTHOR_MS = MINUTE_MS;

// Notion combines what happens to a page within a minute.
const REPORTED_TOGETHER_MS = MINUTE_MS;

interface Bot {
  botId: string;
}

/** What shows for whom our bot wrote. */
interface Attribution {
  workspace: Bot;
  writes: PageWrite[];
}

/** Whether nobody but our own bot made a change. */
export function isOwn(event: PageEvent, { botId }: Bot): boolean {
  return event.authors.length > 0 && event.authors.every((author) => author === botId);
}

/** The writes that may have caused an event: comments for a comment, everything else for other events. */
function writesBehind({ writes }: Attribution, { type, commentId }: PageEvent): PageWrite[] {
  if (type !== COMMENTED) return writes.filter(({ propertyId }) => propertyId !== NEW_COMMENT);
  const possible = writes.filter(
    (write) => write.propertyId === NEW_COMMENT && hasWritten(write, commentWritten(commentId ?? '')),
  );
  // An attempt without a known comment may have made any of them.
  const known = possible.filter(({ valueHash }) => valueHash !== null);
  return known.length > 0 ? known : possible;
}

/** Whether an event is news: a change of our own bot only if somebody in chat asked for it. */
export const isNews = (told: Attribution, event: PageEvent): boolean =>
  !isOwn(event, told.workspace) || writesBehind(told, event).length > 0;

/**
 * Whether a page that our bot created was reported before we had its id, so that its author in chat is still unknown.
 */
export function waitsForAuthor(turn: LoadedTurn): boolean {
  const { workspace, events, writes, isCreationPending } = turn;
  if (writes.length > 0 || !isCreationPending) return false;
  const created = events.find((event) => event.type === CREATED && isOwn(event, workspace));
  return created !== undefined && turn.databaseTime(-WAIT_FOR_AUTHOR_MS) <= created.receivedAt;
}

/** The event, with the people in chat for whom our bot wrote among its authors. */
export function creditPeople(turn: Attribution, event: PageEvent): PageEvent {
  const { botId } = turn.workspace;
  if (!event.authors.includes(botId)) return event;
  const isCreation = event.type === CREATED;
  const writes = writesBehind(turn, event);
  const told = writes.filter(({ propertyId }) => {
    if (isCreation || propertyId === null) return isCreation && propertyId === null;
    if (propertyId === NEW_COMMENT) return true;
    return event.updatedProperties.length === 0 || event.updatedProperties.includes(propertyId);
  });
  return { ...event, written: { botId, writes: told.length > 0 ? told : writes.slice(-1) } };
}

/** The linked people in chat for whom our bot made an event, as Notion users. */
export function writtenFor(turn: Attribution, event: PageEvent): string[] {
  const { written } = creditPeople(turn, event);
  return [...new Set(written?.writes.flatMap(({ notionUserId }) => notionUserId ?? []))];
}

/**
 * A rule's decision, corrected for our bot's own writes. Leaves out what somebody changed in one of these places, where
 * the answer was seen: the ids of channels and threads. Names the person in chat as the author of what the bot did for
 * them.
 */
export function creditChat(
  turn: Attribution,
  places: string[],
  events: PageEvent[],
  decision: Decision,
): Decision {
  return nameAuthors(turn, withoutEcho(turn, places, events, decision));
}

function withoutEcho(turn: Attribution, places: string[], events: PageEvent[], decision: Decision): Decision {
  if (!decision.post) return decision;
  const { workspace } = turn;
  const isHere = (write: PageWrite | undefined) => write !== undefined && places.includes(write.channelId);
  const writes = writesBehind(turn, decision.event);
  if (writes.length === 0) return decision;
  if (decision.event.type === COMMENTED) {
    const isEcho = isOwn(decision.event, workspace) && isHere(writes.at(-1));
    return isEcho ? { post: false, reason: 'own_change' } : decision;
  }
  if (decision.event.type === CREATED) {
    const creation = writes.find(({ propertyId }) => propertyId === null);
    const isEcho = isOwn(decision.event, workspace) && isHere(creation);
    return isEcho ? { post: false, reason: 'own_change' } : decision;
  }
  // A decision without changes reports that something happened, which nobody has seen in chat.
  if (decision.changes.length === 0) return decision;
  const changes = decision.changes.filter(({ propertyId, after }) => {
    const told = events.findLast(
      ({ updatedProperties }) => updatedProperties.length === 0 || updatedProperties.includes(propertyId),
    );
    // A value that somebody else has set since is news here too, and no later event would report it.
    const last = writes.findLast((write) => write.propertyId === propertyId && hasWritten(write, after));
    // The page shows a change before its own event arrives.
    const isOurs = told ? told.authors.includes(workspace.botId) : isReportedSoon(last, events);
    return !(isOurs && isHere(last));
  });
  return changes.length > 0 ? { ...decision, changes } : { post: false, reason: 'own_change' };
}

/** Whether a write is too recent for its event to have come before these. */
function isReportedSoon(write: PageWrite | undefined, [first]: PageEvent[]): boolean {
  return (
    write !== undefined && first !== undefined && write.at > before(first.occurredAt, REPORTED_TOGETHER_MS)
  );
}

const before = (at: Date, ms: number) => new Date(at.getTime() - ms);

/** The turn with what our bot wrote until now, as the page may show it. Call this once the page has been read. */
export async function withLatestWrites<T extends LoadedTurn>(turn: T): Promise<T> {
  const { workspace, workspaceId, pageId, events, writes, loadedAt } = turn;
  if (!events.some(({ authors }) => authors.includes(workspace.botId))) return turn;
  const since = before(writes[0]?.at ?? loadedAt, writes.length > 0 ? 1 : TOLD_WITHIN_MS);
  return { ...turn, writes: await listWrites(workspaceId, [pageId], since) };
}

function nameAuthors<D extends Decision>(turn: Attribution, decision: D): D {
  if (!decision.post || !isOwn(decision.event, turn.workspace)) return decision;
  const writes = writesBehind(turn, decision.event);
  const changed = decision.changes.map(({ propertyId }) => propertyId);
  const write =
    writes.findLast(({ propertyId }) => propertyId !== null && changed.includes(propertyId)) ?? writes.at(-1);
  return { ...decision, event: { ...decision.event, causedBy: write?.discordUserId } };
}

/**
 * The newest event of a page with its author, for living cards whose rules post nothing about it. Null without an
 * event, and for a page that was gone before.
 */
export function findNews(
  turn: Attribution & Pick<LoadedTurn, 'events' | 'snapshot'>,
  isGone: boolean,
): { event: PageEvent; happened: EventType } | null {
  const last = turn.events.at(-1);
  if (!last || (isGone && turn.snapshot === null)) return null;
  const event = creditPeople(turn, last);
  const named = nameAuthors(turn, { post: true, event, changes: [] });
  if (isGone) return { event: named.event, happened: 'page_deleted' };
  return { event: named.event, happened: last.type === RESTORED ? 'page_restored' : 'page_updated' };
}
