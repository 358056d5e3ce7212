import { texts } from '@/lib/bot-texts';
import { fitEscaped } from '@/lib/discord-text';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import { rewriteInstants } from '@/lib/time';
import { findAssigneeProperty } from '../connections/assignee-property';
import type { PropertyChange } from '../matching/match';
import type { Mentions } from '../matching/schema';
import type { CardInput } from './card-input';
import { fitPeople, stamp } from './card-value';

// Discord's limits: https://discord.com/developers/docs/resources/message#create-message
const CONTENT_MAX = 2000;
const PINGS_MAX = 100;

// Ours: the sentence of three changes leaves room to ping people.
const CHANGES_MAX = 3;
const TITLE_MAX = 256;
const NAME_MAX = 80;
const VALUE_MAX = 120;

// The title has this id in every Notion database.
const TITLE_ID = 'title';

interface Content {
  content: string;
  /** Discord users and roles that are pinged; each is mentioned in the content. */
  pinged: { users: string[]; roles: string[] };
}

/**
 * What a phone's notification shows: the whole event in one sentence. It pings whom the rule wants, by a mention where the
 * sentence names them and behind it otherwise.
 */
export function buildContent(input: CardInput): Content {
  const { roleIds = [], userIds = [] } = input.mentions ?? {};
  const users = [...new Set([...userIds, ...wantedPings(input)])];
  const sentence = sentenceOf(input, new Set(users));
  let content = sentence;
  const add = (text: string): boolean => {
    const longer = `${content}${content === sentence ? ' · ' : ' '}${text}`;
    if (longer.length > CONTENT_MAX) return false;
    content = longer;
    return true;
  };
  const roles = roleIds.filter((id) => add(roleMention(id)));
  const pinged = users.filter((id) => sentence.includes(mention(id)));
  for (const id of users.filter((each) => !pinged.includes(each))) {
    if (pinged.length === PINGS_MAX || !add(mention(id))) break;
    pinged.push(id);
  }
  return { content, pinged: { users: pinged, roles } };
}

/** The people of the card whom the rule pings: nobody is pinged about what they did. */
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
  const { changes, eventType, page } = input;
  const who = actorName(input);
  const title = words(page.title, TITLE_MAX) || texts.untitled;
  if (eventType === 'page_created') return texts.createdPage(who, title);
  const oldTitle = changes.length === 1 && formerTitle(changes[0]);
  if (oldTitle) return texts.renamedPage(who, oldTitle, title);
  const named = changes.slice(0, CHANGES_MAX).map(({ name, after }) => ({
    name: words(name, NAME_MAX) || texts.untitled,
    value: valueWords(input, after, pinged),
  }));
  return texts.changedPage(who, named, changes.length - named.length, title);
}

function formerTitle(change: PropertyChange | undefined): string {
  return change?.propertyId === TITLE_ID && change.before ? words(change.before.text, TITLE_MAX) : '';
}

const mention = (discordUserId: string) => `<@${discordUserId}>`;
const roleMention = (roleId: string) => `<@&${roleId}>`;

// Whoever is not pinged is named: a mention would look as if they were.
function valueWords({ people }: CardInput, value: PropertyValue, pinged: Set<string>): string {
  const name = (id: string, fallback: string) => {
    const person = people.get(id);
    if (person?.discordUserId && pinged.has(person.discordUserId)) return mention(person.discordUserId);
    return words(person?.name || fallback, NAME_MAX) || texts.someone;
  };
  const shown = value.userIds ? fitPeople(value, VALUE_MAX, name) : timeOrWords(value.text);
  return shown || texts.empty;
}

function timeOrWords(text: string): string {
  const stamped = rewriteInstants(text, stamp);
  return stamped === text || stamped.length > VALUE_MAX ? words(text, VALUE_MAX) : stamped;
}

// Somebody in chat whom nobody has linked has no name here; Discord shows theirs in place of the mention.
function actorName({ actor, people }: CardInput): string {
  if (!actor) return texts.someone;
  const person = people.get(actor.notionUserId);
  const name = words(person?.name || actor.name, NAME_MAX);
  return name || (person?.discordUserId ? mention(person.discordUserId) : texts.someone);
}

/** A text from outside in one line, in which Discord finds no markup, no link and no invite to show a picture of. */
function words(text: string, limit: number): string {
  const oneLine = text.replace(/\s+/g, ' ');
  const unlinked = oneLine.replace(/:(?=\/\/)|discord(?:app)?(?=\.(?:gg|com)\/)/gi, '$&\u200b');
  return fitEscaped(unlinked, limit);
}
