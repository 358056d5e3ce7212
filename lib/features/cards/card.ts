import type { APIEmbed } from 'discord-api-types/v10';
import { texts } from '@/lib/bot-texts';
import { fitEscaped, fitPlain, fitText } from '@/lib/discord-text';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import type { PropertyChange } from '../matching/match';
import type { EventType } from '../matching/schema';
import { VALUE_MAX } from '../matching/shown-value';
import { actionRow } from './card-actions';
import { colorOf } from './card-color';

// Discord's limits: https://discord.com/developers/docs/resources/message#embed-object-embed-limits
const TITLE_MAX = 256;
const AUTHOR_MAX = 256;
const FIELD_NAME_MAX = 256;
const FIELD_VALUE_MAX = 1024;
const FIELDS_MAX = 25;
const FOOTER_MAX = 2048;
const EMBED_MAX = 6000;
const CONTENT_MAX = 2000;
// As many as fit into the content of a message, of 100 allowed.
const MENTIONS_MAX = 80;

// Our own limit, so that many changes leave space for the fields.
const CHANGES_MAX = 2400;
const FOOTER_RULE_MAX = 200;

export interface CardInput {
  eventType: EventType;
  page: Page;
  database: { name: string; icon: string | null; isTask: boolean };
  channelName: string;
  changes: PropertyChange[];
  /** Names and values of the displayed fields, in the rule's order. */
  fields: { name: string; value: PropertyValue }[];
  /** Who caused the event; null when Notion names nobody we know. */
  actor: { notionUserId: string; name: string; isUnlinked?: boolean } | null;
  /** Whether this is a card that is brought up to date after a quick action. */
  isRefreshed?: boolean;
  at: Date;
  /** Names and Discord users of the Notion users in the card. */
  people: Map<string, { name: string; discordUserId: string | null }>;
  statusColor?: string;
}

/** The message that Discord is asked to post for one event under one rule. */
export function buildCard(input: CardInput): MessageBody {
  const mentioned = mentionedUsers(input);
  const embed = buildEmbed(input);
  const row = buttons(input);
  return {
    content: mentioned.length > 0 ? contentLine(input, mentioned) : undefined,
    embeds: [embed],
    components: row ? [row] : undefined,
    allowed_mentions: { parse: [], users: mentioned },
  };
}

function buildEmbed(input: CardInput): APIEmbed {
  const { page, database } = input;
  const isEmoji = database.icon && !database.icon.startsWith('http');
  const embed: APIEmbed = {
    author: {
      name:
        fitPlain(isEmoji ? `${database.icon} ${database.name}` : database.name, AUTHOR_MAX) || texts.untitled,
      icon_url: isEmoji ? undefined : (database.icon ?? undefined),
    },
    title: titleText(page),
    url: page.url || undefined,
    description: description(input),
    color: colorOf(input.statusColor),
    footer: { text: fitPlain(footer(input), Math.min(FOOTER_MAX, FOOTER_RULE_MAX)) },
  };
  return { ...embed, fields: fitFields(input, EMBED_MAX - textLength(embed)) };
}

const titleText = (page: Page) => fitEscaped(page.title, TITLE_MAX) || texts.untitled;

function description(input: CardInput): string {
  const lines: string[] = [];
  let length = 0;
  for (const change of input.changes) {
    const line = changeLine(input, change);
    if (length + line.length > CHANGES_MAX) {
      lines.push(texts.andMoreChanges(input.changes.length - lines.length));
      break;
    }
    lines.push(line);
    length += line.length + 1;
  }
  return [...lines, whoAndWhen(input)].join('\n');
}

function changeLine(input: CardInput, { name, before, after }: PropertyChange): string {
  const label = fitEscaped(name, FIELD_NAME_MAX);
  const now = valueText(input, after, VALUE_MAX) || texts.empty;
  if (!before) return `${label}: ${now}`;
  return `${label}: ${valueText(input, before, VALUE_MAX) || texts.empty} → ${now}`;
}

function whoAndWhen(input: CardInput): string {
  const when = `<t:${Math.floor(input.at.getTime() / 1000)}:R>`;
  const who = input.actor && personText(input, input.actor.notionUserId, input.actor.name);
  const say = input.eventType === 'page_created' && !input.isRefreshed ? texts.createdBy : texts.updatedBy;
  return say(who, when);
}

function footer({ database, channelName, eventType }: CardInput): string {
  return texts.cardFooter(`${database.name} → #${channelName}`, eventType);
}

function fitFields(input: CardInput, room: number): APIEmbed['fields'] {
  const shown = input.fields
    .map(({ name, value }) => ({ name, value, text: valueText(input, value, FIELD_VALUE_MAX) }))
    .filter(({ text }) => text !== '')
    .slice(0, FIELDS_MAX);
  let left = room;
  return shown.flatMap(({ name, value }, index) => {
    // Each field may use an even share of the space that the fields before it left.
    const share = Math.floor(left / (shown.length - index));
    const label = fitEscaped(name, Math.min(FIELD_NAME_MAX, Math.floor(share / 2)));
    const text = valueText(input, value, Math.min(FIELD_VALUE_MAX, share - label.length));
    if (!label || !text) return [];
    left -= label.length + text.length;
    return [{ name: label, value: text, inline: true }];
  });
}

function valueText(input: CardInput, value: PropertyValue, limit: number): string {
  if (value.userIds) return peopleText(input, value, limit);
  if (value.instant) return instantText(value.instant);
  return fitText(value.text, limit);
}

// Discord shows this markup in each reader's own time zone; Notion's text would show the writer's.
function instantText({ start, end }: { start: string; end?: string }): string {
  const stamp = (iso: string) => `<t:${Math.floor(Date.parse(iso) / 1000)}:f>`;
  return end ? `${stamp(start)} → ${stamp(end)}` : stamp(start);
}

function peopleText(input: CardInput, value: PropertyValue, limit: number): string {
  const ids = value.userIds ?? [];
  const names = ids.map((id, index) => personText(input, id, value.userNames?.[index] ?? ''));
  const count = value.userCount ?? names.length;
  const kept: string[] = [];
  for (const name of names) {
    const rest = count - kept.length;
    const after = rest > 1 ? [texts.andMore(rest - 1)] : [];
    if ([...kept, name, ...after].join(', ').length > limit) return [...kept, texts.andMore(rest)].join(', ');
    kept.push(name);
  }
  const more = count > kept.length ? [texts.andMore(count - kept.length)] : [];
  return [...kept, ...more].join(', ');
}

function personText({ people }: CardInput, notionUserId: string, fallback: string): string {
  const person = people.get(notionUserId);
  if (person?.discordUserId) return `<@${person.discordUserId}>`;
  return fitEscaped(person?.name ?? fallback, FIELD_NAME_MAX) || texts.someone;
}

/** The linked people whom the message should reach: who did it, and who was newly named in a watched property. */
function mentionedUsers({ actor, changes, people }: CardInput): string[] {
  const added = changes.flatMap(({ before, after }) =>
    // Of more people than are remembered, nobody knows who is new.
    before?.userCount ? [] : (after.userIds ?? []).filter((id) => !before?.userIds?.includes(id)),
  );
  const ids = [...(actor && !actor.isUnlinked ? [actor.notionUserId] : []), ...added];
  const discordIds = ids.map((id) => people.get(id)?.discordUserId).filter((id) => id != null);
  return [...new Set(discordIds)].slice(0, MENTIONS_MAX);
}

// What a phone's notification shows: the whole event in one sentence.
function contentLine(input: CardInput, mentioned: string[]): string {
  const { actor, changes, people, page, eventType } = input;
  const actorId = actor && people.get(actor.notionUserId)?.discordUserId;
  const who = actor ? personText(input, actor.notionUserId, actor.name) : texts.someone;
  const title = titleText(page);
  const what =
    eventType === 'page_created'
      ? texts.createdPage(who, title)
      : texts.changedPage(who, changedNames(changes), title);
  const others = mentioned.filter((id) => id !== actorId).map((id) => `<@${id}>`);
  const sentence = others.length > 0 ? `${what} · ${others.join(' ')}` : what;
  return sentence.length <= CONTENT_MAX ? sentence : mentioned.map((id) => `<@${id}>`).join(' ');
}

function changedNames(changes: PropertyChange[]): string {
  const names = changes
    .slice(0, 3)
    .map(({ name }) => fitEscaped(name, 80))
    .join(', ');
  return changes.length > 3 ? texts.andMoreNames(names) : names;
}

function buttons({ database, page }: CardInput) {
  if (!database.isTask) return null;
  const hasPeople = [...page.values.values()].some(({ type }) => type === 'people');
  const task = page.databaseId ? { databaseId: page.databaseId, hasPeople } : null;
  return actionRow({ page, task });
}

function textLength({ author, title, description, footer }: APIEmbed): number {
  return [author?.name, title, description, footer?.text].join('').length;
}
