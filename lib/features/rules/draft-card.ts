import { randomUUID } from 'node:crypto';
import { db } from '@/lib/db/database';
import type { Account, NotionWorkspace } from '@/lib/db/generated/client';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { isSameValue } from '@/lib/integrations/notion/bounded-value';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { isUncomputed } from '@/lib/integrations/notion/property-value';
import { clockOf } from '../calendar/clock-of';
import { describeTiming } from '../calendar/words';
import { commentAsChange, type ShownComment } from '../cards/comment-words';
import { buildDigest, buildPersonDigest, PAGES_PER_SCREEN } from '../cards/digest-card';
import { toDigestDetails } from '../cards/digest-details';
import { ruleInWords } from '../cards/words';
import { composeClockDraft } from '../clocks/draft-message';
import {
  type CardContent,
  type CardDatabase,
  composeMessage,
  toCardDatabase,
} from '../composing/compose-message';
import { type PostBody, postOfSeveral, tagsFor } from '../forums/post-shape';
import { findPlaces } from '../letters/find-places';
import { notifyIdOf } from '../letters/notify-setting';
import { composeFor, letterRows, toLetter } from '../letters/write-letters';
import { composeLiving, type LivingRule } from '../living/compose-living';
import { passesAuthors } from '../matching/authors';
import { asItIs, withoutChanges } from '../matching/conditions';
import { findRefusal } from '../matching/filters';
import { keepsCards } from '../matching/kept-cards';
import { notionTypeOf, type PageEvent, type PropertyChange } from '../matching/match';
import type { EventType, RuleTerms } from '../matching/schema';
import { OUTSIDE } from '../matching/snapshot';
import { toSummary } from '../matching/summary';
import { EVERYTHING, isClockEvent, isToPeople } from '../matching/words';
import type { SeenChannel } from '../servers/channels';
import { schemaOf } from '../workspaces/database-schema';
import { checkDraft } from './check-draft';
import { listSamples } from './sample-pages';
import type { RuleInput } from './schema';
import type { FoundSource } from './sources';
import type { RuleFields } from './validate-rule';

interface DraftCard {
  message: PostBody;
  channelId: string;
  channelName: string;
  guildId: string;
  /** Where the rule posts, in words. */
  place: string;
  /** The rule's name, or else its source and place. */
  ruleName: string;
  /** Which part of the card is only an example, in a sentence; null when none is. */
  note: string | null;
  /** The tags that the bot can give to the post of the message; empty without a post. */
  tags: string[];
}

/** Which part of a card is only an example. */
const EXAMPLES: Partial<Record<EventType, string>> = {
  page_updated: 'The page and its values are real. The old values come from other pages, as examples.',
  comment_created: 'The page is real. The comment is an example.',
  page_deleted: 'The page is an example: it is not in the trash.',
  page_restored: 'The page is an example: it was not restored.',
  date_near: 'The page is real. Whether its date is near does not matter here.',
  page_untouched: 'The page is an example: it may have been edited since.',
  summary: 'The pages are real, from those that were edited last.',
};

const EXAMPLE_COMMENT: ShownComment = { author: null, text: 'This is how a comment looks here.', files: 0 };
const NOT_PASSING = 'No page passes the filters of the rule now, so this one would not be posted.';
const NO_TAG =
  'The forum requires a tag on every post and has none for the value of this page, so this one would not be posted.';
const NOT_BY_WANTED = 'The rule leaves out whoever wrote this page last, so it would not be posted.';

/**
 * The card that a draft rule would post for the most recently edited page that passes its filter. Checks the draft as
 * createRule does. Also throws `not_found` for a source without pages.
 */
export async function composeDraftCard(account: Account, input: RuleInput): Promise<DraftCard> {
  const { server, workspace, source, fields, forum } = await checkDraft(account, input);
  const pages = await listSamples(workspace, source);
  // No rule has this id, so buttons that need their rule do not work.
  const rule = { ...fields, id: randomUUID(), database: source.database ?? { statusPropertyId: null } };
  const { eventType } = fields;
  const eventOf = (page: Page) => newestEvent(workspace, page, eventType);
  const isByWanted = (page: Page) => passesAuthors(rule, eventOf(page));
  const stated = { ...rule, conditions: withoutChanges(fields.conditions) };
  const now = new Date();
  const lookedAt = (page: Page) => (isClockEvent(eventType) ? now : page.lastEditedAt);
  const passing = pages.filter((page) => findRefusal(stated, asItIs(page, lookedAt(page))) === null);
  const posted = passing.find(isByWanted);
  const page = posted ?? passing[0] ?? (pages[0] as Page);
  const event = eventOf(page);
  const changes = fields.watchedProperties.flatMap((id) => exampleChange(id, page, pages));
  const notPosted = passing.length === 0 ? NOT_PASSING : NOT_BY_WANTED;
  const { schedule } = fields;
  const isSent = posted || (schedule && 'every' in schedule && !schedule.skipEmpty);
  const comment = eventType === 'comment_created' ? EXAMPLE_COMMENT : undefined;
  const sourceName = source.database?.name ?? source.page?.title ?? EVERYTHING;
  const database = await findCardDatabase(workspace, source, page);
  const ofPosts = source.database && schemaOf(source.database);
  const draft = { ...rule, database: { ...database, ofPosts }, sourceName };
  const told = { event, changes, comment };
  const shown = (passing.length > 0 ? passing : [page]).slice(0, PAGES_PER_SCREEN);
  const inDigest = shown.map((each) => ({
    page: each,
    changes: comment
      ? [commentAsChange(comment)]
      : fields.watchedProperties.flatMap((id) => exampleChange(id, each, pages)),
  }));
  const placed = { ...fields, database: source.database && { ...source.database, formerNames: {} } };
  const place = (await findPlaces(account.id, [placed]))(placed);
  const clocked = isClockEvent(eventType) && source.database;
  const inClock = { pages: passing.length > 0 || eventType === 'summary' ? passing : [page], now };
  const message = clocked
    ? await composeClockDraft(workspace, draft, { ...inClock, database: clocked, ...clockOf(account) })
    : describeTiming(fields.timing) === null
      ? await composeDraft(workspace, draft, page, told)
      : postOfSeveral(draft, sourceName, composeDigest(draft, inDigest));
  const tags = tagNames(message, forum);
  const lacksTag = message.post !== undefined && forum.needsTag && tags.length === 0;
  const whyNot = isSent ? (lacksTag ? NO_TAG : []) : notPosted;
  const notes = [EXAMPLES[eventType] ?? [], whyNot].flat();
  return {
    message,
    channelId: fields.channelId,
    channelName: fields.channelName,
    guildId: server.guildId,
    ruleName: ruleInWords(fields.name, sourceName, place),
    place,
    note: notes.join(' ') || null,
    tags,
  };
}

const tagNames = (
  { post }: PostBody,
  { tags, needsTag }: Pick<SeenChannel, 'tags' | 'needsTag'>,
): string[] =>
  post
    ? tagsFor(
        post,
        tags.map((name) => ({ id: name, name, moderated: false })),
        needsTag,
      )
    : [];

/** The digest of a draft rule, as if it had found these pages. It pings only those whom the rule always pings. */
function composeDigest(
  rule: RuleFields & { database: CardDatabase; sourceName: string },
  found: { page: Page; changes: PropertyChange[] }[],
): MessageBody {
  const { name, sourceName, channelName, eventType, mentions, timing } = rule;
  const shown = found.map(({ page, changes }) => ({
    status: toDigestDetails(rule, page, {}).status,
    news: { ...toSummary(page, changes), isNew: eventType === 'page_created' },
  }));
  const statuses = shown.map(({ status }) => status);
  const byStatus = shown.toSorted(
    (one, other) => statuses.indexOf(one.status) - statuses.indexOf(other.status),
  );
  const pages = { pages: shown.length, shown: byStatus, moreId: null };
  if (isToPeople(rule)) return buildPersonDigest({ ...pages, stopId: notifyIdOf('', 'off') });
  return buildDigest({
    ...pages,
    ruleName: ruleInWords(name, sourceName, `#${channelName}`),
    sourceName,
    eventType,
    when: describeTiming(timing) ?? '',
    users: mentions.userIds,
    roleIds: mentions.roleIds,
  });
}

async function composeDraft(
  workspace: NotionWorkspace,
  rule: LivingRule & Pick<RuleTerms, 'card' | 'destination'>,
  page: Page,
  told: CardContent,
): Promise<PostBody> {
  if (isToPeople(rule)) {
    const card = await composeFor(workspace, rule, page, told);
    return toLetter(card, page, '', letterRows(rule, page, undefined));
  }
  if (!keepsCards(rule)) return composeMessage(workspace, rule, page, told);
  return (await composeLiving(workspace, rule, page, told)).card;
}

/** The page's database. For a page outside databases, the rule's source takes its place. */
async function findCardDatabase(
  workspace: NotionWorkspace,
  { database, page: source }: FoundSource,
  page: Page,
): Promise<CardDatabase> {
  if (database) return database;
  const where = { workspaceId: workspace.id, id: page.databaseId ?? OUTSIDE };
  const known = await db().notionDatabase.findFirst({ where });
  if (known) return toCardDatabase(known);
  return { name: source?.title ?? workspace.name, icon: source?.icon ?? null, statusPropertyId: null };
}

/** The last thing that happened to a page, as Notion would report it. */
function newestEvent({ botId }: NotionWorkspace, page: Page, eventType: EventType): PageEvent {
  const isNew = eventType === 'page_created';
  const author = isNew ? page.createdBy : page.lastEditedBy;
  return {
    id: randomUUID(),
    type: notionTypeOf(eventType),
    authors: author ? [author] : [],
    botAuthors: author === botId ? [author] : [],
    updatedProperties: [],
    occurredAt: isNew ? page.createdAt : page.lastEditedAt,
  };
}

function exampleChange(propertyId: string, page: Page, pages: Page[]): PropertyChange[] {
  const after = page.values.get(propertyId);
  if (!after || isUncomputed(after)) return [];
  const others = pages.flatMap((other) => other.values.get(propertyId) ?? []);
  const before = others.find((other) => other.key !== '' && !isSameValue(other, after)) ?? null;
  return [{ propertyId, name: after.name, before, after }];
}
