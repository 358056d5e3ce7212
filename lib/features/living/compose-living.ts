import { MessageFlags } from 'discord-api-types/v10';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { isUncomputed } from '@/lib/integrations/notion/property-value';
import { buildCard } from '../cards/card';
import { buildContent } from '../cards/content-line';
import {
  type CardContent,
  type CardRule,
  type CardWorkspace,
  composeInput,
  composeMessage,
} from '../composing/compose-message';
import { buildPost, type PostBody, type PostingRule, postName } from '../forums/post-shape';
import type { PropertyChange } from '../matching/match';
import type { CardMode } from '../matching/schema';
import { TITLE_ID } from '../matching/words';
import type { LineBody } from '../sending/send-living';

/** A rule that keeps living cards, with what they show. */
export interface LivingRule extends CardRule, PostingRule {
  watchedProperties: string[];
  card: CardMode;
  database: CardRule['database'] & PostingRule['database'];
}

/** What one event makes the card say, and the line in its thread. */
export interface LivingBodies {
  card: PostBody;
  line: LineBody;
}

/**
 * The card of a page as it is now, and the line that tells what happened. In a forum the card is the first message of a
 * post. The line below it then follows the rule's card mode: a whole card, a line, or a line that notifies nobody.
 */
export async function composeLiving(
  workspace: CardWorkspace,
  rule: LivingRule,
  page: Page,
  told: CardContent,
): Promise<LivingBodies> {
  const input = await composeInput(workspace, rule, page, { ...told, states: statesOf(rule, page) });
  const { content, pinged } = buildContent(input);
  const allowed_mentions = { parse: [], users: pinged.users, roles: pinged.roles };
  const card = buildCard(input);
  const post = buildPost(rule, page);
  if (!post) return { card, line: { content, allowed_mentions, threadName: postName(page.title) } };
  if (rule.card === 'living') return { card: { ...card, post }, line: { content, allowed_mentions } };
  if (rule.card === 'quiet') return { card: { ...card, post }, line: silent(content) };
  // The buttons are on the first message.
  const { components: _, ...line } = await composeMessage(workspace, rule, page, told);
  return { card: { ...card, post }, line };
}

const silent = (content: string): MessageBody => ({
  content,
  flags: MessageFlags.SuppressNotifications,
  allowed_mentions: { parse: [] },
});

/** The current values that the rule watches, and the status, without those that the card shows as fields. */
function statesOf(
  { watchedProperties, displayedFields, database }: LivingRule,
  page: Page,
): PropertyChange[] {
  const { statusPropertyId } = database;
  const ids = [...(statusPropertyId === null ? [] : [statusPropertyId]), ...watchedProperties];
  return [...new Set(ids)]
    .filter((id) => id !== TITLE_ID && !displayedFields.includes(id))
    .flatMap((propertyId) => {
      const after = page.values.get(propertyId);
      return after && !isUncomputed(after) ? [{ propertyId, name: after.name, before: null, after }] : [];
    });
}
