import type { NotionDatabase } from '@/lib/db/generated/client';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PageEvent, PropertyChange } from '../matching/match';
import type { RuleTerms } from '../matching/schema';
import { buildCard, type CardInput } from './card';
import { findByDiscordUser, listPeople, type People } from './people';

/** What a card shows and needs to know about a database. */
export interface CardDatabase {
  name: string;
  icon: string | null;
  /** The property that makes it a task database. */
  statusPropertyId: string | null;
}

interface CardRule extends Pick<RuleTerms, 'eventType' | 'displayedFields'> {
  channelName: string;
  database: CardDatabase;
}

/** The message for one event under one rule, with the names and links of the people in it. */
export async function composeMessage(
  workspace: { id: string; accountId: string },
  rule: CardRule,
  page: Page,
  { event, changes }: { event: PageEvent; changes: PropertyChange[] },
): Promise<MessageBody> {
  const { database } = rule;
  const { statusPropertyId } = database;
  const fields = rule.displayedFields.flatMap((id) => {
    const value = page.values.get(id);
    return value ? [{ name: value.name, value }] : [];
  });
  const values = [
    ...fields.map(({ value }) => value),
    ...changes.flatMap(({ before, after }) => [before, after]),
  ];
  const userIds = [...event.authors, ...values.flatMap((value) => value?.userIds ?? [])];
  const people = await listPeople(workspace, [...new Set(userIds)]);
  const actor = event.causedBy
    ? await findChatActor(workspace, people, event.causedBy)
    : findActor(people, event.authors);
  return buildCard({
    eventType: rule.eventType,
    page,
    database: { name: database.name, icon: database.icon, isTask: statusPropertyId !== null },
    channelName: rule.channelName,
    changes,
    fields,
    actor,
    at: event.occurredAt,
    people,
    statusColor: statusPropertyId === null ? undefined : page.values.get(statusPropertyId)?.color,
  });
}

/** What a card says and needs to know of a database as it is stored. */
export function toCardDatabase(database: NotionDatabase): CardDatabase {
  const { name, icon, statusPropertyId } = database;
  return { name, icon, statusPropertyId };
}

function findActor(people: People, authors: string[]): CardInput['actor'] {
  const id = authors.find((author) => people.has(author));
  return id === undefined ? null : { notionUserId: id, name: people.get(id)?.name ?? '' };
}

/** Who acted from chat. Somebody whom nobody has linked is shown by their Discord name, without a ping. */
export async function findChatActor(
  workspace: { accountId: string },
  people: People,
  discordUserId: string,
): Promise<CardInput['actor']> {
  const linked = await findByDiscordUser(workspace, discordUserId);
  const notionUserId = linked?.notionUserId ?? `discord:${discordUserId}`;
  const name = linked?.name ?? '';
  people.set(notionUserId, { name, discordUserId });
  return { notionUserId, name, isUnlinked: linked === null };
}
