import { texts } from '@/lib/bot-texts';
import { fitEscaped, fitPlain } from '@/lib/discord-text';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { THREAD_NAME_MAX } from '@/lib/integrations/discord/discord-threads';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { buildCard } from '../cards/card';
import { type CardRule, type CardWorkspace, composeInput, type Told } from '../cards/compose-message';
import { buildContent } from '../cards/content-line';
import type { PropertyChange } from '../matching/match';
import { TITLE_ID } from '../matching/snapshot';
import type { LineBody } from '../outbox/send-living';

/** A rule whose cards live, with what they show. */
export interface LivingRule extends CardRule {
  watchedProperties: string[];
}

/** What is said of one event: on the card, and in its thread. */
export interface LivingBodies {
  card: MessageBody;
  line: LineBody;
}

/** The card of a page as it is now, and the line that tells what happened. */
export async function composeLiving(
  workspace: CardWorkspace,
  rule: LivingRule,
  page: Page,
  told: Told,
): Promise<LivingBodies> {
  const input = await composeInput(workspace, rule, page, { ...told, states: statesOf(rule, page) });
  const { content, pinged } = buildContent(input);
  const allowed_mentions = { parse: [], users: pinged.users, roles: pinged.roles };
  const threadName = fitPlain(page.title.trim(), THREAD_NAME_MAX) || texts.untitled;
  return { card: buildCard(input), line: { content, allowed_mentions, threadName } };
}

/** What an old card becomes once its page has a new one, whose link follows. */
export const movedCard = (page: Pick<Page, 'title'>): MessageBody => ({
  content: texts.cardGoesOn(fitEscaped(page.title.replace(/\s+/g, ' '), THREAD_NAME_MAX) || texts.untitled),
  embeds: [],
  components: [],
  allowed_mentions: { parse: [] },
});

/** The values that its rule watches, and its status, as they are now; displayed fields have a place of their own. */
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
      return after ? [{ propertyId, name: after.name, before: null, after }] : [];
    });
}
