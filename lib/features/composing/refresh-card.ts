import { UnknownKeyError } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import type { Card, NotionDatabase, NotionPage, NotionWorkspace, Rule } from '@/lib/db/generated/client';
import { inTime } from '@/lib/in-time';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { CallTooLate } from '@/lib/integrations/http-call';
import { completeValue } from '@/lib/integrations/notion/long-value';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { isUncomputed, type PropertyValue } from '@/lib/integrations/notion/property-value';
import { MINUTE_MS, SECOND_MS, timeLeft } from '@/lib/time';
import { buildCard } from '../cards/card';
import { reminderOfRule } from '../cards/reminder-of-rule';
import { noteReadNow } from '../decisions/stored-cards';
import { listPeople } from '../links/people';
import { keepsCards } from '../matching/kept-cards';
import type { PropertyChange } from '../matching/match';
import { preciseTexts } from '../matching/moved-place';
import { fitValue } from '../matching/shown-value';
import { isSameProperty, isStillTold, openSummary, type Summary, summaryText } from '../matching/summary';
import { termsOf } from '../matching/terms';
import { nameOfSource, TITLE_ID } from '../matching/words';
import { queueEdit } from '../messages/queue-edit';
import { withNotion } from '../workspaces/notion-access';
import { listWrites, NEW_COMMENT } from '../writes/page-writes';
import { findCardDatabase } from './card-database';
import { chosenOf, findActor, findChatActor } from './compose-message';

// How long a page may be assumed unchanged after it was read.
const FRESH_MS = MINUTE_MS;
// The person who pressed a button waits for it.
const COMPLETE_MS = 3 * SECOND_MS;

interface Refresh {
  channelId: string;
  messageId: string;
  /** The page as it is now. */
  page: Page;
  /** Who changed it; null when it was only read again. */
  discordUserId: string | null;
  /** The property that they changed; null for none. */
  propertyId: string | null;
}

/**
 * Updates a posted card of any age from its page, with an edit in its channel's queue: sent directly, the edit could
 * overtake an older one. Ignores a message that is not a card of this page, or no longer its living card. Throws
 * CallTooLate when the page was read too long ago.
 */
export async function refreshCard(workspace: NotionWorkspace, refresh: Refresh): Promise<void> {
  const freshLeft = timeLeft(FRESH_MS);
  const card = await findCard(workspace, refresh);
  if (!card) return;
  const { embeds, components } = await composeRefreshed(workspace, card, refresh);
  if (freshLeft() <= 0) throw new CallTooLate();
  if (await isReplaced(card)) return;
  await noteReadNow(card);
  const posted = { id: card.messageId, at: card.at };
  await queueEdit(posted, { embeds, components, allowed_mentions: { parse: [] } });
}

async function findCard(workspace: NotionWorkspace, { channelId, messageId, page }: Refresh) {
  const { accountId } = workspace;
  const message = await db().message.findFirst({
    where: { accountId, targetId: channelId, discordMessageId: messageId, kind: 'post' },
    select: { id: true, at: true },
  });
  const key = message && { messageId: message.id, at: message.at };
  const card = key && (await db().card.findUnique({ where: { messageId_at: key }, include: RULE_OF_CARD }));
  const isOfPage =
    card?.pageId === page.id &&
    card.rule.workspaceId === workspace.id &&
    (card.rule.sourceKind !== 'database' || card.rule.databaseId === page.databaseId);
  return isOfPage ? card : null;
}

/** Whether the page has another living card under the rule, to which this one may be a link by now. */
async function isReplaced({ pageId, ruleId, messageId, rule }: Card & { rule: Rule }): Promise<boolean> {
  if (!keepsCards(termsOf(rule))) return false;
  const living = await db().livingCard.findUnique({ where: { pageId_ruleId: { pageId, ruleId } } });
  return living !== null && living.messageId !== messageId;
}

const RULE_OF_CARD = { rule: { include: { database: true, page: true } } } as const;
type RuleOfCard = Rule & { database: NotionDatabase | null; page: NotionPage | null };

/** The card with what it reported, followed by the page's current values where those differ. */
async function composeRefreshed(
  workspace: NotionWorkspace,
  card: Card & { rule: RuleOfCard },
  { channelId, page, discordUserId, propertyId: changedId }: Refresh,
): Promise<MessageBody> {
  const { rule } = card;
  const sourceName = nameOfSource(rule);
  const { statusPropertyId, ...database } = await findCardDatabase(workspace, rule, page);
  const isTask = statusPropertyId !== null;
  const named = (ids: string[]) =>
    ids.flatMap((propertyId) => {
      const value = page.values.get(propertyId);
      return value ? [{ propertyId, name: value.name, value }] : [];
    });
  const peopleIds = [...page.values].filter(([, { type }]) => type === 'people').map(([id]) => id);
  const changed = changedId === null ? [] : [changedId];
  const changedBefore = await listChangedHere(workspace, card, { channelId, page });
  const statusIds = isTask ? [statusPropertyId] : [];
  const shown = [...statusIds, ...peopleIds, ...rule.watchedProperties, ...changedBefore, ...changed];
  await completeValues(workspace, page, [...rule.displayedFields, ...shown]);
  const fields = named(rule.displayedFields);
  const states = named([...new Set(shown)]).filter(({ value }) => !isUncomputed(value));
  // A living card shows the state of its page, not changes.
  const isLiving = keepsCards(termsOf(rule));
  const reported = isLiving ? null : await readTold(card);
  const { comment, changes: told = [] } = reported ?? {};
  const evenEmpty = isLiving ? [...statusIds, ...rule.watchedProperties] : [];
  const news = states.flatMap((state) => stateSince(told, state, { ...rule, evenEmpty }));
  const userIds = [...fields, ...states].flatMap(({ value }) => value.userIds ?? []);
  const editor = page.lastEditedBy === null ? [] : [page.lastEditedBy];
  const people = await listPeople(workspace, [...new Set([...userIds, ...editor])]);
  const reminder = reminderOfRule(rule, rule.database);
  const { propertyId = '' } = reminder ?? {};
  const reminded = { propertyId, name: page.values.get(propertyId)?.name ?? '' };
  // The rule may remind of another date by now.
  const isOfReminder = !reported || told.some((change) => isSameProperty(change, reminded));
  const inChat = discordUserId ?? (await findLastWriter(workspace, page));
  const actor = inChat ? await findChatActor(workspace, people, inChat) : findActor(people, editor);
  return buildCard({
    eventType: rule.eventType,
    ruleName: rule.name,
    page,
    database: { ...database, isTask },
    sourceName,
    channelName: rule.channelName,
    changes: [...told.map(toChange), ...news],
    comment,
    fields,
    actor,
    authors: [],
    at: discordUserId ? new Date() : page.lastEditedAt,
    people,
    statusColor: isTask ? page.values.get(statusPropertyId)?.color : undefined,
    isRefreshed: true,
    chosen: chosenOf(rule),
    reminder: isOfReminder ? reminder : undefined,
  });
}

/** The properties that people in this channel have changed since the card was posted, as far as that is kept. */
async function listChangedHere(
  { id }: NotionWorkspace,
  { at }: Card,
  { channelId, page }: Pick<Refresh, 'channelId' | 'page'>,
): Promise<string[]> {
  const writes = await listWrites(id, [page.id], at);
  return writes
    .filter((write) => write.channelId === channelId)
    .flatMap(({ propertyId }) => propertyId ?? []);
}

/** The Discord user for whom our bot edited a page last; null if somebody else was the last to edit it. */
async function findLastWriter({ id, botId }: NotionWorkspace, page: Page): Promise<string | null> {
  if (page.lastEditedBy !== botId) return null;
  const since = new Date(page.lastEditedAt.getTime() - MINUTE_MS);
  const writes = await listWrites(id, [page.id], since);
  return writes.findLast(({ propertyId }) => propertyId !== NEW_COMMENT)?.discordUserId ?? null;
}

/** Reads in full what Notion has cut of these values; what it does not tell in time stays cut. */
async function completeValues(workspace: NotionWorkspace, page: Page, ids: string[]): Promise<void> {
  const cut = new Set(ids.filter((id) => page.values.get(id)?.isCut));
  const readAll = async () => {
    for (const id of cut) await withNotion(workspace, (token) => completeValue(token, page, id));
  };
  try {
    await inTime(COMPLETE_MS, readAll(), () => new CallTooLate());
  } catch (error) {
    if (error instanceof NotionError || error instanceof UnknownKeyError || error instanceof CallTooLate)
      return;
    throw error;
  }
}

type ReportedChange = Summary['changes'][number];

/** What the card told when it was posted: a comment or changes; null once that is not known any more. */
async function readTold({ messageId, at }: Card): Promise<Pick<Summary, 'comment' | 'changes'> | null> {
  const key = { id: messageId, eventAt: at };
  const decision = await db().decision.findUnique({ where: { id_eventAt: key } });
  try {
    if (!decision?.sealedSummary) return null;
    const { comment, changes } = openSummary(decision.id, decision.sealedSummary);
    // In the log, a comment counts as a change.
    return comment ? { comment, changes: [] } : { changes };
  } catch (error) {
    if (error instanceof UnknownKeyError) return null;
    throw error;
  }
}

function stateSince(
  told: ReportedChange[],
  { propertyId, name, value }: { propertyId: string; name: string; value: PropertyValue },
  { displayedFields, evenEmpty }: { displayedFields: string[]; evenEmpty: string[] },
): PropertyChange[] {
  const last = told.findLast((each) => isSameProperty(each, { propertyId, name }));
  if (last) {
    const texts = [summaryText(value), ...preciseTexts(value).map(fitValue)];
    // Of a list that Notion has cut it is not known whether it is another.
    return value.isCut || isStillTold(last, value, texts)
      ? []
      : [{ propertyId, name, before: asText(last.after), after: value }];
  }
  const isShownElsewhere = propertyId === TITLE_ID || displayedFields.includes(propertyId);
  const isLeftOut = isShownElsewhere || (summaryText(value) === '' && !evenEmpty.includes(propertyId));
  return isLeftOut ? [] : [{ propertyId, name, before: null, after: value }];
}

function toChange({ name, propertyId = name, before, after }: ReportedChange): PropertyChange {
  return { propertyId, name, before: before === null ? null : asText(before), after: asText(after) };
}

const asText = (text: string): PropertyValue => ({ type: 'told', key: text, text });
