import type { Transaction } from '@/lib/db/database';
import type { NotionDatabase, NotionWorkspace, Rule } from '@/lib/db/generated/client';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { schemaOf, statusPropertyOf } from '../connections/status-property';
import type { EventType } from '../rules/schema';
import { buildCard } from './card';
import type { PageEvent, PropertyChange } from './match';
import { listPeople } from './people';

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
  const actorId = event.authors.find((id) => people.has(id));
  const actor =
    actorId === undefined ? null : { notionUserId: actorId, name: people.get(actorId)?.name ?? '' };
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
