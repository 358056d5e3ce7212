import type { APIEmbed } from 'discord-api-types/v10';
import { texts } from '@/lib/bot-texts';
import { fitEscaped, fitPlain, fitText } from '@/lib/discord-text';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import type { PropertyChange } from '../matching/match';
import type { EventType } from '../matching/schema';
import { MAX_VALUE } from '../matching/shown-value';
import { EVENT_NAMES } from '../matching/words';
import { cardButtons, withoutSecondDone } from './action-buttons';
import { pageRow } from './buttons';
import { colorOf } from './card-color';
import type { CardInput } from './card-input';
import { fitPeople, fitValue } from './card-value';
import { buildContent } from './content-line';
import { nameWords } from './line-text';
import { reminderActions } from './reminder-actions';
import { CLOCK_DID, changeInWords, MAX_FIELDS, ruleInWords } from './words';

// Discord's limits: https://discord.com/developers/docs/resources/message#embed-object-embed-limits
const MAX_TITLE = 256;
const MAX_AUTHOR = 256;
const MAX_FIELD_NAME = 256;
const MAX_FIELD_VALUE = 1024;
const MAX_EMBED = 6000;

// Our own limit, so that many changes leave space for the fields.
const MAX_CHANGES = 2400;
const MAX_FOOTER = 200;
const MAX_COMMENT = 1000;
const MAX_NAME = 256;
const MAX_NAMED = 5;

/**
 * The message for one event under one rule. A compact one is a line with a link, without buttons: on a phone they would
 * take more room.
 */
export function buildCard(input: CardInput): MessageBody {
  const { content, pinged } = buildContent(input);
  const row = buttons(input);
  const rows = [...(row ? [row] : []), ...remindingRows(input)];
  // Empty lists are sent too, so that an edit removes what the card no longer has.
  const shown =
    input.size === 'compact'
      ? { embeds: [], components: [] }
      : { embeds: [buildEmbed(input)], components: rows };
  return {
    content,
    ...shown,
    allowed_mentions: {
      parse: [],
      users: pinged.users,
      ...(pinged.roles.length > 0 && { roles: pinged.roles }),
    },
  };
}

function buildEmbed(input: CardInput): APIEmbed {
  const { page, database } = input;
  const isEmoji = database.icon && !database.icon.startsWith('http');
  const embed: APIEmbed = {
    author: {
      name:
        fitPlain(isEmoji ? `${database.icon} ${database.name}` : database.name, MAX_AUTHOR) || texts.untitled,
      icon_url: isEmoji ? undefined : (database.icon ?? undefined),
    },
    title: titleText(page),
    url: page.url || undefined,
    description: description(input),
    color: colorOf(input.statusColor),
    footer: { text: fitPlain(footer(input), MAX_FOOTER) },
  };
  return { ...embed, fields: fitFields(input, MAX_EMBED - textLength(embed)) };
}

const titleText = (page: Page) => fitEscaped(page.title, MAX_TITLE) || texts.untitled;

function description(input: CardInput): string {
  const lines: string[] = commentLines(input);
  let length = lines.join('\n').length;
  const changes = input.states ?? input.changes;
  for (const [shown, change] of changes.entries()) {
    const line = changeLine(input, change);
    if (length + line.length > MAX_CHANGES) {
      lines.push(texts.andMoreChanges(changes.length - shown));
      break;
    }
    lines.push(line);
    length += line.length + 1;
  }
  return [...lines, whoAndWhen(input)].join('\n');
}

// Discord shows a line that begins with this as a quotation.
const QUOTED = '> ';

function commentLines({ comment }: CardInput): string[] {
  if (!comment) return [];
  const text = comment.text.trim().replace(/\n\s*\n\s*/g, '\n');
  const quoted = text
    ? fitText(text, MAX_COMMENT)
        .split('\n')
        .map((line) => `${QUOTED}${line}`)
    : [];
  return [...quoted, ...(comment.files > 0 ? [texts.attached(comment.files)] : [])];
}

function changeLine(input: CardInput, { name, before, after }: PropertyChange): string {
  const shown = (value: PropertyValue) => (limit: number) => valueText(input, value, limit) || texts.empty;
  return changeInWords(
    { name: (limit) => fitEscaped(name, limit), before: before && shown(before), after: shown(after) },
    { name: MAX_FIELD_NAME, value: MAX_VALUE },
  );
}

function whoAndWhen(input: CardInput): string {
  const when = `<t:${Math.floor(input.at.getTime() / 1000)}:R>`;
  if (input.isGone) return texts.goneSince(when);
  return DONE_BY[input.isRefreshed ? 'page_updated' : happenedIn(input)](causedBy(input), when);
}

const happenedIn = ({ happened, eventType }: CardInput) => happened ?? eventType;

const DONE_BY: Record<EventType, (who: string | null, when: string) => string> = {
  page_created: texts.createdBy,
  page_updated: texts.updatedBy,
  content_updated: texts.editedBy,
  comment_created: texts.commentedBy,
  page_deleted: texts.trashedBy,
  page_restored: texts.restoredBy,
  ...CLOCK_DID,
};

/** Who caused the event; for gathered edits, everybody who made one. */
function causedBy(input: CardInput): string | null {
  const { actor, authors, people } = input;
  if (happenedIn(input) !== 'content_updated' || authors.length < 2) {
    return actor && personText(input, actor.notionUserId, actor.name);
  }
  return texts.listed(
    authors.filter((id) => people.has(id)).map((id) => personText(input, id, '')),
    MAX_NAMED,
  );
}

function footer({ ruleName, database, sourceName, channelName, eventType }: CardInput): string {
  return texts.cardFooter(
    ruleInWords(ruleName, sourceName ?? database.name, `#${channelName}`),
    EVENT_NAMES[eventType],
  );
}

function fitFields(input: CardInput, room: number): APIEmbed['fields'] {
  const shown = input.fields
    .map(({ name, value }) => ({ name, value, text: valueText(input, value, MAX_FIELD_VALUE) }))
    .filter(({ text }) => text !== '')
    .slice(0, MAX_FIELDS);
  let left = room;
  return shown.flatMap(({ name, value }, index) => {
    // Each field may use an even share of the space that the fields before it left.
    const share = Math.floor(left / (shown.length - index));
    const label = fitEscaped(name, Math.min(MAX_FIELD_NAME, Math.floor(share / 2)));
    const text = valueText(input, value, Math.min(MAX_FIELD_VALUE, share - label.length));
    if (!label || !text) return [];
    left -= label.length + text.length;
    return [{ name: label, value: text, inline: true }];
  });
}

function valueText(input: CardInput, value: PropertyValue, limit: number): string {
  if (!value.userIds) return fitValue(value, limit);
  return fitPeople(value, limit, (id, name, most) => personText(input, id, name, most));
}

function personText({ people }: CardInput, notionUserId: string, fallback: string, most = MAX_NAME): string {
  const person = people.get(notionUserId);
  if (person?.discordUserId) return `<@${person.discordUserId}>`;
  return nameWords(person?.name ?? fallback, Math.min(MAX_NAME, most)) || texts.someone;
}

/** The row of buttons on a card that reminds of a date, in channels and direct messages; none for other cards. */
export const remindingRows = ({ reminder, page }: Pick<CardInput, 'reminder' | 'page'>) =>
  reminder ? [reminderActions({ ...reminder, pageId: page.id })] : [];

function buttons({ chosen, ...input }: CardInput) {
  const { database, page, isGone } = input;
  const isPlain = !database.isTask && !chosen;
  if (isPlain || isGone) return null;
  // Notion refuses to change a page in the trash.
  if (happenedIn(input) === 'page_deleted') return pageRow(page, []);
  return pageRow(page, cardButtons(withoutSecondDone(chosen, input.reminder), page, database.isTask));
}

function textLength({ author, title, description, footer }: APIEmbed): number {
  return [author?.name, title, description, footer?.text].join('').length;
}
