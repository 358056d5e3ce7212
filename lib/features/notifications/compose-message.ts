import type { Transaction } from '@/lib/db/database';
import type { NotionDatabase, NotionWorkspace, Rule } from '@/lib/db/generated/client';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { schemaOf, statusPropertyOf } from '../connections/status-property';
import type { EventType } from '../rules/schema';
import { buildCard, type CardInput } from './card';
import type { PageEvent, PropertyChange } from './match';
import { findByDiscordUser, listPeople, type People } from './people';

/** The message for one event under one rule, with the names and links of the people in it. */
export async function composeMessage(
  tx: Transaction,
  workspace: NotionWorkspace,
  rule: Rule & { database: NotionDatabase },
  page: Page,
  { event, changes }: { event: PageEvent; changes: PropertyChange[] },
): Promise<MessageBody> {
  const { database } = rule;
  const status = statusPropertyOf(schemaOf(database));
  const fields = rule.displayedFields.flatMap((id) => {
    const value = page.values.get(id);
    return value ? [{ name: value.name, value }] : [];
  });
  const values = [
    ...fields.map(({ value }) => value),
    ...changes.flatMap(({ before, after }) => [before, after]),
  ];
  const userIds = [...event.authors, ...values.flatMap((value) => value?.userIds ?? [])];
  const people = await listPeople(tx, workspace, [...new Set(userIds)]);
  const actor = event.causedBy
    ? await findChatActor(tx, workspace, people, event.causedBy)
    : findActor(people, event.authors);
  return buildCard({
    eventType: rule.eventType as EventType,
    page,
    database: { name: database.name, icon: database.icon, isTask: status !== undefined },
    channelName: rule.channelName,
    changes,
    fields,
    actor,
    at: event.occurredAt,
    people,
    statusColor: status && page.values.get(status.id)?.color,
  });
}

function findActor(people: People, authors: string[]): CardInput['actor'] {
  const id = authors.find((author) => people.has(author));
  return id === undefined ? null : { notionUserId: id, name: people.get(id)?.name ?? '' };
}

/** Who acted from chat. Somebody whom nobody has linked is shown by their Discord name, without a ping. */
export async function findChatActor(
  tx: Transaction,
  workspace: NotionWorkspace,
  people: People,
  discordUserId: string,
): Promise<CardInput['actor']> {
  const linked = await findByDiscordUser(tx, workspace, discordUserId);
  const notionUserId = linked?.notionUserId ?? `discord:${discordUserId}`;
  const name = linked?.name ?? '';
  people.set(notionUserId, { name, discordUserId });
  return { notionUserId, name, isUnlinked: linked === null };
}
