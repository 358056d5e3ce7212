import { texts } from '@/lib/bot-texts';
import { fitEscaped } from '@/lib/discord-text';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import { rewriteInstants } from '@/lib/time';
import type { PropertyChange } from '../matching/match';
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
  /** Discord users who are pinged; each is mentioned in the content. */
  pinged: string[];
}

/**
 * What a phone's notification shows: the whole event in one sentence. It pings the linked people of the page who did
 * not cause the event, by a mention where the sentence names them and behind it otherwise.
 */
export function buildContent(input: CardInput): Content {
  const wanted = wantedPings(input);
  const sentence = sentenceOf(input, new Set(wanted));
  let content = sentence;
  const pinged = wanted.filter((id) => sentence.includes(mention(id)));
  for (const id of wanted.filter((each) => !pinged.includes(each))) {
    const longer = `${content}${content === sentence ? ' · ' : ' '}${mention(id)}`;
    if (longer.length > CONTENT_MAX || pinged.length === PINGS_MAX) break;
    content = longer;
    pinged.push(id);
  }
  return { content, pinged };
}

/** The people whom the card shows, and those whom its page names now. */
function wantedPings({ actor, authors, changes, fields, page, people }: CardInput): string[] {
  const discordIdOf = (id: string) => people.get(id)?.discordUserId;
  const values = [
    ...changes.map(({ after }) => after),
    ...fields.map(({ value }) => value),
    ...[...page.values.values()].filter(({ type }) => type === 'people'),
  ];
  const causes = [...(actor ? [actor.notionUserId] : []), ...authors].map(discordIdOf);
  const ids = values.flatMap(({ userIds = [] }) => userIds).map(discordIdOf);
  return [...new Set(ids)].filter((id) => id != null).filter((id) => !causes.includes(id));
}

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
