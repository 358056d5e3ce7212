import { randomUUID } from 'node:crypto';
import type { Account, NotionWorkspace } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { isSameValue } from '@/lib/integrations/notion/bounded-value';
import { listPages, type Page } from '@/lib/integrations/notion/notion-page';
import { composeMessage } from '../cards/compose-message';
import { withNotion } from '../connections/notion-access';
import { notionProblem } from '../connections/queries';
import { passesAuthors } from '../matching/authors';
import { asItIs, withoutChanges } from '../matching/conditions';
import { findRefusal } from '../matching/filters';
import { CREATED, type PageEvent, type PropertyChange } from '../matching/match';
import { checkDraft } from './check-draft';
import type { RuleInput } from './schema';

interface DraftCard {
  message: MessageBody;
  channelId: string;
  channelName: string;
  guildId: string;
  /** The rule's name, or else from where to where it leads. */
  ruleName: string;
  /** Which part of the card is only an example, in a sentence; null when none is. */
  note: string | null;
}

const EXAMPLE_CHANGES =
  'The page and its values are real. The old values come from other pages, as examples.';
const NOT_PASSING = 'No page passes the filters of the rule now, so this one would not be posted.';
const NOT_BY_WANTED = 'The rule leaves out whoever wrote this page last, so it would not be posted.';

/**
 * The card that a draft rule would post for the most recently edited page that passes its filter. Checks the draft as
 * createRule does. Also throws `not_found` for a database without pages.
 */
export async function composeDraftCard(account: Account, input: RuleInput): Promise<DraftCard> {
  const { server, workspace, database, fields } = await checkDraft(account, input);
  const { pages } = await withNotion(workspace, (token) => listPages(token, database.id)).catch((error) => {
    throw notionProblem(error, 'That database is not shared with Pagewire.');
  });
  const rule = { ...fields, database };
  const isUpdate = fields.eventType === 'page_updated';
  const eventOf = (page: Page) => newestEvent(workspace, page, isUpdate);
  const isByWanted = (page: Page) => passesAuthors(rule, eventOf(page));
  const stated = { ...rule, conditions: withoutChanges(fields.conditions) };
  const passing = pages.filter((page) => findRefusal(stated, asItIs(page, page.lastEditedAt)) === null);
  const posted = passing.find(isByWanted);
  const page = posted ?? passing[0] ?? pages[0];
  if (!page) throw new AppError('not_found', `${database.name} has no page yet. Add one to see its card.`);
  const event = eventOf(page);
  const changes = fields.watchedProperties.flatMap((id) => exampleChange(id, page, pages));
  const notPosted = passing.length === 0 ? NOT_PASSING : NOT_BY_WANTED;
  const notes = [...(isUpdate ? [EXAMPLE_CHANGES] : []), ...(posted ? [] : [notPosted])];
  return {
    message: await composeMessage(workspace, rule, page, { event, changes }),
    channelId: fields.channelId,
    channelName: fields.channelName,
    guildId: server.guildId,
    ruleName: fields.name ?? `${database.name} → #${fields.channelName}`,
    note: notes.join(' ') || null,
  };
}

/** What somebody did to a page last, as Notion would report it. */
function newestEvent({ botId }: NotionWorkspace, page: Page, isUpdate: boolean): PageEvent {
  const author = isUpdate ? page.lastEditedBy : page.createdBy;
  return {
    id: randomUUID(),
    type: isUpdate ? 'page.properties_updated' : CREATED,
    authors: author ? [author] : [],
    botAuthors: author === botId ? [author] : [],
    updatedProperties: [],
    occurredAt: isUpdate ? page.lastEditedAt : page.createdAt,
  };
}

function exampleChange(propertyId: string, page: Page, pages: Page[]): PropertyChange[] {
  const after = page.values.get(propertyId);
  if (!after) return [];
  const others = pages.flatMap((other) => other.values.get(propertyId) ?? []);
  const before = others.find((other) => other.key !== '' && !isSameValue(other, after)) ?? null;
  return [{ propertyId, name: after.name, before, after }];
}
