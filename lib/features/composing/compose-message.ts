import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { Action } from '../actions/words';
import type { ChosenActions } from '../cards/action-buttons';
import { buildCard } from '../cards/card';
import type { CardInput } from '../cards/card-input';
import type { ShownComment } from '../cards/comment-words';
import { findByDiscordUser, type KnownPeople, listPeople, type People } from '../links/people';
import type { PageEvent, PropertyChange } from '../matching/match';
import type { RuleTerms } from '../matching/schema';
import type { WorkspaceAccess } from '../workspaces/notion-tokens';
import type { CardDatabase } from './card-database';
import { authorsToAsk, findUnlisted } from './find-unlisted';

export interface CardRule
  extends Pick<RuleTerms, 'name' | 'eventType' | 'displayedFields' | 'mentions' | 'size' | 'actions'> {
  id: string;
  /** The name of what it watches, if that is not the database. */
  sourceName?: string;
  channelName: string;
  database: CardDatabase;
}

/** The workspace of a card's page, with its people who were looked up already. */
export interface CardWorkspace extends WorkspaceAccess {
  accountId: string;
  known?: KnownPeople;
}

/** What a card tells about its page. */
export interface CardContent
  extends Pick<CardInput, 'happened' | 'states' | 'isGone' | 'finding' | 'reminder'> {
  event: PageEvent;
  changes: PropertyChange[];
  comment?: ShownComment | undefined;
}

/** The message for one event under one rule, with the names and links of the people in it. */
export async function composeMessage(
  workspace: CardWorkspace,
  rule: CardRule,
  page: Page,
  told: CardContent,
): Promise<MessageBody> {
  return buildCard(await composeInput(workspace, rule, page, told));
}

/** The input of a card for one event under one rule, with the names and links of the people in it. */
export async function composeInput(
  workspace: CardWorkspace,
  rule: CardRule,
  page: Page,
  { event, changes, comment, ...more }: CardContent,
): Promise<CardInput> {
  const { database } = rule;
  const { statusPropertyId } = database;
  const fields = rule.displayedFields.flatMap((id) => {
    const value = page.values.get(id);
    return value ? [{ name: value.name, value }] : [];
  });
  const values = [
    ...fields.map(({ value }) => value),
    ...[...changes, ...(more.states ?? [])].flatMap(({ before, after }) => [before, after]),
  ];
  const userIds = [...event.authors, ...values.flatMap((value) => value?.userIds ?? []), ...peopleOf(page)];
  const people = await listPeople(workspace, [...new Set(userIds)]);
  if (!event.causedBy && !comment?.author) await nameAuthor(workspace, event, people);
  const author = event.causedBy
    ? await findChatActor(workspace, people, event.causedBy)
    : findActor(people, event.authors);
  const actor = comment?.author ?? author;
  return {
    ...more,
    eventType: rule.eventType,
    size: rule.size,
    chosen: chosenOf(rule),
    ruleName: rule.name,
    page,
    database: { name: database.name, icon: database.icon, isTask: statusPropertyId !== null },
    sourceName: rule.sourceName,
    channelName: rule.channelName,
    changes,
    comment,
    fields,
    actor,
    authors: event.authors,
    mentions: rule.mentions,
    at: event.occurredAt,
    people,
    statusColor: statusPropertyId === null ? undefined : page.values.get(statusPropertyId)?.color,
  };
}

/** The actions that were chosen for a rule; undefined without a choice. */
export const chosenOf = ({ id, actions }: { id: string; actions: unknown }): ChosenActions | undefined =>
  // Written only by rule commands, from this very type.
  actions === null ? undefined : { ruleId: id, actions: actions as Action[] };

/** The Notion users named in the people properties of a page. */
function peopleOf(page: Page): string[] {
  return [...page.values.values()].flatMap(({ type, userIds }) => (type === 'people' ? (userIds ?? []) : []));
}

/** Adds an author to the people, if Notion lists none of the authors: it does not list guests. */
async function nameAuthor(workspace: CardWorkspace, event: PageEvent, people: People): Promise<void> {
  for (const id of authorsToAsk(event, (author) => people.has(author))) {
    const name = await findUnlisted(workspace, id);
    if (name) {
      people.set(id, { name, discordUserId: null });
      return;
    }
  }
}

/** The first of the authors whom the workspace lists; null for none. */
export function findActor(people: People, authors: string[]): CardInput['actor'] {
  const id = authors.find((author) => people.has(author));
  return id === undefined ? null : { notionUserId: id, name: people.get(id)?.name ?? '' };
}

/** Who acted in chat. A person without a link is shown by their Discord name. */
export async function findChatActor(
  workspace: { accountId: string },
  people: People,
  discordUserId: string,
): Promise<CardInput['actor']> {
  const linked = await findByDiscordUser(workspace, discordUserId);
  const notionUserId = linked?.notionUserId ?? `discord:${discordUserId}`;
  const name = linked?.name ?? '';
  people.set(notionUserId, { name, discordUserId });
  return { notionUserId, name };
}
