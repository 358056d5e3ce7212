import { MINUTE_MS } from '@/lib/time';
import { CREATED, type Decision, type PageEvent } from '../matching/match';
import type { LoadedTurn } from './loaded-turn';
import type { PageWrite } from './page-writes';

const WAIT_FOR_AUTHOR_MS = MINUTE_MS;

interface Bot {
  botId: string;
}

/** Whether nobody but our own bot made a change. */
export function isOwn(event: PageEvent, { botId }: Bot): boolean {
  return event.authors.length > 0 && event.authors.every((author) => author === botId);
}

/** Whether Notion told of a page that we created before it told us the page's id; then the author is not known yet. */
export function waitsForAuthor(turn: LoadedTurn): boolean {
  const { workspace, events, writes, isCreationPending } = turn;
  if (writes.length > 0 || !isCreationPending) return false;
  const created = events.find((event) => event.type === CREATED && isOwn(event, workspace));
  return created !== undefined && turn.databaseTime(-WAIT_FOR_AUTHOR_MS) <= created.receivedAt;
}

/** The decision without what people of this very channel did there, and have seen the answer of. */
export function withoutEcho(
  decision: Decision,
  channelId: string,
  events: PageEvent[],
  writes: PageWrite[],
  bot: Bot,
): Decision {
  if (!decision.post || writes.length === 0) return decision;
  if (decision.event.type === CREATED) {
    const creation = writes.find(({ propertyId }) => propertyId === null);
    const isEcho = isOwn(decision.event, bot) && creation?.channelId === channelId;
    return isEcho ? { post: false, reason: 'own_change' } : decision;
  }
  const changes = decision.changes.filter(({ propertyId }) => {
    const told = events.findLast(
      ({ updatedProperties }) => updatedProperties.length === 0 || updatedProperties.includes(propertyId),
    );
    const last = writes.findLast((write) => write.propertyId === propertyId);
    return !(told?.authors.includes(bot.botId) && last?.channelId === channelId);
  });
  return changes.length > 0 ? { ...decision, changes } : { post: false, reason: 'own_change' };
}

/** The decision with the person in chat as the author of what our bot did for them. */
export function nameAuthors(decision: Decision, writes: PageWrite[], bot: Bot): Decision {
  if (!decision.post || !isOwn(decision.event, bot)) return decision;
  const changed = decision.changes.map(({ propertyId }) => propertyId);
  const write =
    writes.findLast(({ propertyId }) => propertyId !== null && changed.includes(propertyId)) ?? writes.at(-1);
  return { ...decision, event: { ...decision.event, causedBy: write?.discordUserId } };
}
