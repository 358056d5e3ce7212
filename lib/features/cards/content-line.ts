import { texts } from '@/lib/bot-texts';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import type { PropertyChange } from '../matching/match';
import type { EventType, Mentions } from '../matching/schema';
import { TITLE_ID } from '../matching/words';
import { findAssigneeProperty } from '../workspaces/task-properties';
import type { CardInput } from './card-input';
import { fitPeople, stampOr } from './card-value';
import { linkTo, nameWords } from './line-text';
import { findingInWords } from './words';

// Discord's limits: https://discord.com/developers/docs/resources/message#create-message
const MAX_CONTENT = 2000;
const MAX_PINGS = 100;

// Our own limits: a sentence with three changes leaves room to ping people.
const MAX_CHANGES = 3;
const MAX_TITLE = 256;
const MAX_NAME = 80;
const MAX_VALUE = 120;
const MAX_COMMENT = 300;
const COMPACT = { title: 100, value: 60, comment: 150 };
const MAX_LINK = 500;

// Outside of embeds, Discord makes no link of a text with an emoji either.
const UNFIT = /\\|\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

interface Content {
  content: string;
  /** Discord users and roles that are pinged; each is mentioned in the content. */
  pinged: { users: string[]; roles: string[] };
}

/**
 * What a phone's notification shows: the whole event in one sentence. It pings whom the rule pings: with a mention
 * where the sentence names them, otherwise after the sentence.
 */
export function buildContent(input: CardInput): Content {
  const { roleIds = [], userIds = [] } = input.mentions ?? {};
  const users = [...new Set([...userIds, ...wantedPings(input)])];
  return pingBehind(sentenceOf(input, new Set(users)), users, roleIds);
}

/**
 * A sentence, followed by mentions of those pinged users and roles that it does not mention, as far as there is room.
 */
export function pingBehind(sentence: string, users: string[], roleIds: string[]): Content {
  let content = sentence;
  const add = (text: string): boolean => {
    const longer = `${content}${content === sentence ? ' · ' : ' '}${text}`;
    if (longer.length > MAX_CONTENT) return false;
    content = longer;
    return true;
  };
  const roles = roleIds.filter((id) => add(roleMention(id)));
  const pinged = users.filter((id) => sentence.includes(mention(id)));
  for (const id of users.filter((each) => !pinged.includes(each))) {
    if (pinged.length === MAX_PINGS || !add(mention(id))) break;
    pinged.push(id);
  }
  return { content, pinged: { users: pinged, roles } };
}

/** The people on the card whom the rule pings. Nobody is pinged about what they did themselves. */
function wantedPings(input: CardInput): string[] {
  const { actor, authors, people } = input;
  const discordIdOf = (id: string) => people.get(id)?.discordUserId;
  const causes = [...(actor ? [actor.notionUserId] : []), ...authors].map(discordIdOf);
  const ids = CONCERNED[input.mentions?.people ?? 'concerned'](input)
    .flatMap(({ userIds = [] }) => userIds)
    .map(discordIdOf);
  return [...new Set(ids)].filter((id) => id != null).filter((id) => !causes.includes(id));
}

const CONCERNED: Record<Mentions['people'], (input: CardInput) => PropertyValue[]> = {
  /** The people whom the card shows, and those whom its page names now. */
  concerned: ({ changes, fields, page }) => [
    ...changes.map(({ after }) => after),
    ...fields.map(({ value }) => value),
    ...[...page.values.values()].filter(({ type }) => type === 'people'),
  ],
  assignees: ({ page }) => {
    const assignees = findAssigneeProperty([...page.values.values()]);
    return assignees ? [assignees] : [];
  },
  none: () => [],
};

function sentenceOf(input: CardInput, pinged: Set<string>): string {
  const { changes } = input;
  const eventType = input.happened ?? input.eventType;
  const who = actorName(input);
  const title = titleOf(input);
  if (input.isGone) return texts.gonePage(title);
  if (eventType !== 'page_updated') return SENTENCES[eventType](who, title, input);
  const oldTitle = changes.length === 1 && formerTitle(changes[0]);
  if (oldTitle) return texts.renamedPage(who, oldTitle, title);
  const named = changes.slice(0, MAX_CHANGES).map(({ name, after }) => ({
    name: nameWords(name, MAX_NAME) || texts.untitled,
    value: valueWords(input, after, pinged),
  }));
  return texts.changedPage(who, named, changes.length - named.length, title);
}

/** The page's title; on a compact card as a link, because nothing else leads to the page. */
function titleOf({ page: { title, url }, size }: CardInput): string {
  if (size !== 'compact') return nameWords(title, MAX_TITLE) || texts.untitled;
  const name = nameWords(title, COMPACT.title) || texts.untitled;
  const isLink = url.length <= MAX_LINK && /^https?:\/\/[^\s<>]+$/.test(url);
  // The brackets keep Discord from showing a preview of the link.
  return isLink ? linkTo(name, `<${url}>`, UNFIT.test(name)) : name;
}

const SENTENCES: Record<
  Exclude<EventType, 'page_updated'>,
  (who: string, title: string, input: CardInput) => string
> = {
  page_created: texts.createdPage,
  content_updated: (who, title, input) => texts.editedContent(editorNames(input) || who, title),
  comment_created: (who, title, { comment, size }) =>
    texts.commentedOn(
      who,
      title,
      nameWords(comment?.text ?? '', size === 'compact' ? COMPACT.comment : MAX_COMMENT),
    ),
  page_deleted: texts.trashedPage,
  page_restored: texts.restoredPage,
  date_near: foundByClock,
  page_untouched: foundByClock,
  summary: (_, title) => title,
};

function foundByClock(_: string, title: string, { finding }: CardInput): string {
  if (!finding) return title;
  const name = finding.kind === 'date' ? nameWords(finding.name, MAX_NAME) || texts.untitled : '';
  return findingInWords(finding, title, name);
}

function editorNames({ authors, people }: CardInput): string {
  const names = authors.flatMap((id) => nameWords(people.get(id)?.name ?? '', MAX_NAME) || []);
  return (names.length > 1 && texts.listed(names, MAX_CHANGES)) || '';
}

function formerTitle(change: PropertyChange | undefined): string {
  return change?.propertyId === TITLE_ID && change.before ? nameWords(change.before.text, MAX_TITLE) : '';
}

const mention = (discordUserId: string) => `<@${discordUserId}>`;
const roleMention = (roleId: string) => `<@&${roleId}>`;

// People who are not pinged are named, because a mention would look as if they were pinged.
function valueWords({ people, size }: CardInput, value: PropertyValue, pinged: Set<string>): string {
  const limit = size === 'compact' ? COMPACT.value : MAX_VALUE;
  const name = (id: string, fallback: string, most: number) => {
    const person = people.get(id);
    if (person?.discordUserId && pinged.has(person.discordUserId)) return mention(person.discordUserId);
    return nameWords(person?.name || fallback, Math.min(MAX_NAME, most)) || texts.someone;
  };
  const shown = value.userIds ? fitPeople(value, limit, name) : stampOr(nameWords, value.text, limit);
  return shown || texts.empty;
}

// Somebody in chat who is not linked has no name here; Discord shows their name in place of the mention.
function actorName({ actor, people }: CardInput): string {
  if (!actor) return texts.someone;
  const person = people.get(actor.notionUserId);
  const name = nameWords(person?.name || actor.name, MAX_NAME);
  return name || (person?.discordUserId ? mention(person.discordUserId) : texts.someone);
}
