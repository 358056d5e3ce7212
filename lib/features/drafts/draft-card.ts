import { randomUUID } from 'node:crypto';
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
import { composeClockDraft, composeUnsaved } from '../clocks/draft-message';
import { type CardDatabase, findCardDatabase } from '../composing/card-database';
import { type PostBody, postOfSeveral, tagsFor } from '../forums/post-shape';
import { findPlaces } from '../letters/find-places';
import { notifyIdOf } from '../letters/notify-setting';
import { passesAuthors } from '../matching/authors';
import { asItIs, withoutChanges } from '../matching/conditions';
import { findRefusal } from '../matching/filters';
import { notionTypeOf, type PageEvent, type PropertyChange } from '../matching/match';
import type { EventType } from '../matching/schema';
import { toSummary } from '../matching/summary';
import { isClockEvent, isToPeople, nameOfSource } from '../matching/words';
import { checkDraft, type Draft } from '../rules/check-draft';
import type { RuleInput } from '../rules/schema';
import type { RuleFields } from '../rules/validate-rule';
import type { SeenChannel } from '../servers/channels';
import { schemaOf } from '../workspaces/database-schema';
import { listSamples } from './sample-pages';

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
  const draft = await checkDraft(account, input);
  const { server, workspace, source, fields, forum } = draft;
  const samples = chooseSamples(draft, await listSamples(workspace, source));
  const message = await composeSample(account, draft, samples);
  const tags = tagNames(message, forum);
  const lacksTag = message.post !== undefined && forum.needsTag && tags.length === 0;
  const placed = { ...fields, database: source.database };
  const place = (await findPlaces(account.id, [placed]))(placed);
  return {
    message,
    channelId: fields.channelId,
    channelName: fields.channelName,
    guildId: server.guildId,
    ruleName: ruleInWords(fields.name, nameOfSource(source), place),
    place,
    note: noteOf(fields, samples, lacksTag),
    tags,
  };
}

/** The pages with which a draft is shown. */
interface Samples {
  /** Those of its source that were edited last. */
  all: Page[];
  /** Those of them that pass its filters now. */
  passing: Page[];
  /** The one that a card is about: one that would be posted, if there is any. */
  page: Page;
  isPosted: boolean;
  now: Date;
}

function chooseSamples({ workspace, source, fields }: Draft, all: Page[]): Samples {
  const { eventType, conditions } = fields;
  const database = source.database ?? { statusPropertyId: null };
  const filtering = { ...fields, database, conditions: withoutChanges(conditions) };
  const now = new Date();
  const lookedAt = (page: Page) => (isClockEvent(eventType) ? now : page.lastEditedAt);
  const passing = all.filter((page) => findRefusal(filtering, asItIs(page, lookedAt(page))) === null);
  const posted = passing.find((page) => passesAuthors(fields, newestEvent(workspace, page, eventType)));
  const page = posted ?? passing[0] ?? (all[0] as Page);
  return { all, passing, page, isPosted: posted !== undefined, now };
}

async function composeSample(
  account: Account,
  { workspace, source, fields }: Draft,
  { all, passing, page, now }: Samples,
): Promise<PostBody> {
  const { eventType, watchedProperties, timing } = fields;
  const sourceName = nameOfSource(source);
  const database = await findCardDatabase(workspace, source, page);
  const ofPosts = source.database && schemaOf(source.database);
  // No rule has this id, so buttons that need their rule do not work.
  const rule = { ...fields, id: randomUUID(), sourceName, database: { ...database, ofPosts } };
  if (isClockEvent(eventType) && source.database) {
    const pages = passing.length > 0 || eventType === 'summary' ? passing : [page];
    const shown = { pages, now, database: source.database, ...clockOf(account) };
    return composeClockDraft(workspace, rule, shown);
  }
  const comment = eventType === 'comment_created' ? EXAMPLE_COMMENT : undefined;
  const changesOf = (each: Page) => watchedProperties.flatMap((id) => exampleChange(id, each, all));
  if (describeTiming(timing) === null) {
    const event = newestEvent(workspace, page, eventType);
    return composeUnsaved(workspace, rule, page, { event, changes: changesOf(page), comment });
  }
  const found = (passing.length > 0 ? passing : [page]).slice(0, PAGES_PER_SCREEN).map((each) => ({
    page: each,
    changes: comment ? [commentAsChange(comment)] : changesOf(each),
  }));
  return postOfSeveral(rule, sourceName, composeDigest(rule, found));
}

/** What is only an example, and why it would not be posted; null for neither. */
function noteOf(
  { eventType, schedule }: RuleFields,
  { passing, isPosted }: Samples,
  lacksTag: boolean,
): string | null {
  const isSent = isPosted || (schedule && 'every' in schedule && !schedule.skipEmpty);
  const refusal = passing.length === 0 ? NOT_PASSING : NOT_BY_WANTED;
  const whyNot = isSent ? lacksTag && NO_TAG : refusal;
  return [EXAMPLES[eventType], whyNot].filter(Boolean).join(' ') || null;
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
