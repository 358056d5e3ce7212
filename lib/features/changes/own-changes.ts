import { MINUTE_MS } from '@/lib/time';
import { CREATED, type Decision, type PageEvent } from '../matching/match';
import type { LoadedTurn } from './loaded-turn';

const WAIT_FOR_AUTHOR_MS = MINUTE_MS;

interface Bot {
  botId: string;
}

/** Whether our own bot alone made a change. */
export function isOwn(event: PageEvent, { botId }: Bot): boolean {
  return event.authors.length > 0 && event.authors.every((author) => author === botId);
}

/**
 * Whether Notion reported a page of ours before its answer told us the page's id, so that the author in chat is not
 * known yet.
 */
export function waitsForAuthor(turn: LoadedTurn): boolean {
  const { workspace, events, writes, isCreationPending } = turn;
  if (writes.length > 0 || !isCreationPending) return false;
  const created = events.find((event) => event.type === CREATED && isOwn(event, workspace));
  return created !== undefined && turn.databaseTime(-WAIT_FOR_AUTHOR_MS) <= created.receivedAt;
}

/** The event, with the people in chat for whom our bot did its part of it. */
export function creditPeople({ workspace: { botId }, writes }: LoadedTurn, event: PageEvent): PageEvent {
  if (!event.authors.includes(botId)) return event;
  const isCreation = event.type === CREATED;
  const told = writes.filter(({ propertyId }) => {
    if (isCreation || propertyId === null) return isCreation && propertyId === null;
    return event.updatedProperties.length === 0 || event.updatedProperties.includes(propertyId);
  });
  return { ...event, written: { botId, writes: told.length > 0 ? told : writes.slice(-1) } };
}

/**
 * The decision for a channel, corrected for our bot's own writes. Leaves out what somebody changed from this very
 * channel, where they have seen the answer, and names the person in chat as the author of what the bot did for them.
 */
export function creditChat(
  turn: LoadedTurn,
  channelId: string,
  events: PageEvent[],
  decision: Decision,
): Decision {
  return nameAuthors(turn, withoutEcho(turn, channelId, events, decision));
}

function withoutEcho(
  { workspace, writes }: LoadedTurn,
  channelId: string,
  events: PageEvent[],
  decision: Decision,
): Decision {
  if (!decision.post || writes.length === 0) return decision;
  if (decision.event.type === CREATED) {
    const creation = writes.find(({ propertyId }) => propertyId === null);
    const isEcho = isOwn(decision.event, workspace) && creation?.channelId === channelId;
    return isEcho ? { post: false, reason: 'own_change' } : decision;
  }
  const changes = decision.changes.filter(({ propertyId }) => {
    const told = events.findLast(
      ({ updatedProperties }) => updatedProperties.length === 0 || updatedProperties.includes(propertyId),
    );
    const last = writes.findLast((write) => write.propertyId === propertyId);
    return !(told?.authors.includes(workspace.botId) && last?.channelId === channelId);
  });
  return changes.length > 0 ? { ...decision, changes } : { post: false, reason: 'own_change' };
}

function nameAuthors({ workspace, writes }: LoadedTurn, decision: Decision): Decision {
  if (!decision.post || !isOwn(decision.event, workspace)) return decision;
  const changed = decision.changes.map(({ propertyId }) => propertyId);
  const write =
    writes.findLast(({ propertyId }) => propertyId !== null && changed.includes(propertyId)) ?? writes.at(-1);
  return { ...decision, event: { ...decision.event, causedBy: write?.discordUserId } };
}
