import type { Page } from '@/lib/integrations/notion/notion-page';
import { findByDiscordUser, type KnownPeople, listPeople } from '../links/people';
import { CREATED, mayTouch, type PageEvent } from '../matching/match';

/** Who completed or reopened a task. */
export interface Doer {
  /** Null for somebody who is not linked, or whom Notion does not name. */
  name: string | null;
  discordUserId: string | null;
}

/** What shows who changed a page. */
export interface Evidence {
  workspace: { id: string; accountId: string; botId: string; known?: KnownPeople };
  /** In the order in which things happened. */
  events: PageEvent[];
  /** What our bot wrote for people in chat, oldest first. */
  writes: { propertyId: string | null; discordUserId: string }[];
}

/**
 * Who set the current status of a page; null when unknown. Notion may report several changes in one event, so of its
 * authors it is the page's last editor. What our bot did, it did for somebody in chat.
 */
export async function whoDid(
  { workspace, events, writes }: Evidence,
  page: Page,
  statusId: string,
): Promise<Doer | null> {
  const { botId } = workspace;
  const event = events.findLast((each) => each.type === CREATED || mayTouch(each, [statusId]));
  if (!event) return null;
  const { authors } = event;
  const { lastEditedBy } = page;
  const last = lastEditedBy && authors.includes(lastEditedBy) ? lastEditedBy : undefined;
  const author = last ?? authors.findLast((each) => each !== botId) ?? authors.at(-1);
  if (author === undefined) return null;
  if (author === botId) {
    const write =
      writes.findLast(({ propertyId }) => propertyId === statusId) ??
      writes.findLast(({ propertyId }) => propertyId === null);
    return write ? findDoer(workspace, write.discordUserId) : null;
  }
  const person = (await listPeople(workspace, [author])).get(author);
  return person ?? null;
}

/** Somebody in chat, by the name of their Notion user. */
export async function findDoer(workspace: { accountId: string }, discordUserId: string): Promise<Doer> {
  const linked = await findByDiscordUser(workspace, discordUserId);
  return { name: linked?.name || null, discordUserId };
}
