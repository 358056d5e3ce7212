import { randomUUID } from 'node:crypto';
import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { isSameValue } from '@/lib/integrations/notion/bounded-value';
import { listPages, type Page } from '@/lib/integrations/notion/notion-page';
import { composeMessage } from '../cards/compose-message';
import { withNotion } from '../connections/notion-access';
import { notionProblem } from '../connections/queries';
import { findRefusal } from '../matching/filters';
import type { PropertyChange } from '../matching/match';
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
const NOT_PASSING = 'No page has one of the chosen statuses now, so this one would not be posted.';

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
  const passing = pages.find((page) => findRefusal(rule, page) === null);
  const page = passing ?? pages[0];
  if (!page) throw new AppError('not_found', `${database.name} has no page yet. Add one to see its card.`);

  const isUpdate = fields.eventType === 'page_updated';
  const author = isUpdate ? page.lastEditedBy : page.createdBy;
  const event = {
    id: randomUUID(),
    type: isUpdate ? 'page.properties_updated' : 'page.created',
    authors: author ? [author] : [],
    updatedProperties: [],
    occurredAt: isUpdate ? page.lastEditedAt : page.createdAt,
  };
  const changes = fields.watchedProperties.flatMap((id) => exampleChange(id, page, pages));
  const note = isUpdate ? `${EXAMPLE_CHANGES}${passing ? '' : ` ${NOT_PASSING}`}` : null;
  return {
    message: await composeMessage(workspace, rule, page, { event, changes }),
    channelId: fields.channelId,
    channelName: fields.channelName,
    guildId: server.guildId,
    ruleName: fields.name ?? `${database.name} → #${fields.channelName}`,
    note,
  };
}

function exampleChange(propertyId: string, page: Page, pages: Page[]): PropertyChange[] {
  const after = page.values.get(propertyId);
  if (!after) return [];
  const others = pages.flatMap((other) => other.values.get(propertyId) ?? []);
  const before = others.find((other) => other.key !== '' && !isSameValue(other, after)) ?? null;
  return [{ propertyId, name: after.name, before, after }];
}
