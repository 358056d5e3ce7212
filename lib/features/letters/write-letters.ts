import { randomUUID } from 'node:crypto';
import { texts } from '@/lib/bot-texts';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { Clock } from '../calendar/calendar';
import { directButtons, withoutSecondDone } from '../cards/action-buttons';
import { buttonRow, pageRow, rowOf } from '../cards/buttons';
import { remindingRows } from '../cards/card';
import type { CardInput } from '../cards/card-input';
import {
  type CardContent,
  type CardRule,
  type CardWorkspace,
  chosenOf,
  composeMessage,
} from '../composing/compose-message';
import type { RuleTerms } from '../matching/schema';
import { isToPeople } from '../matching/words';
import { sealMessage } from '../messages/sealed-body';
import { digestAt } from './digest-time';
import { notifyIdOf } from './notify-setting';
import { findLinked, outcomeOf, recipientsOf } from './recipients';

/** What becomes of a decision for one person. */
export interface Letter {
  discordUserId: string;
  linkId: string;
  outcome: 'message' | 'gathered' | 'not_asked_for' | 'inbox_closed';
  /** Null without a message of its own. */
  messageId: string | null;
  sealedBody: Uint8Array | null;
  /** When the person's digest tells it; null unless it waits for the digest. */
  tellAt: Date | null;
}

/** What becomes of a decision of a rule to people. */
export interface Post {
  outcome: ReturnType<typeof outcomeOf>;
  letters: Letter[];
  /** The message that the log shows for all of them, or the link whose digest tells it; null when nobody is told. */
  tellsIn: string | null;
}

interface Decided {
  id: string;
  /** When the rule's next digest is due, or quiet hours end; null when it is told at once. */
  tellAt: Date | null;
  clock: Clock;
  now: Date;
}

/** What is needed of a rule that writes to people. */
export type LetterRule = CardRule & Pick<RuleTerms, 'destination'>;

type Rows = ReturnType<typeof rowOf>[];

/** Changes a rule for cards in direct messages: nobody is pinged, and the rule always has a name. */
const withoutPings = <R extends LetterRule>(rule: R): R => ({
  ...rule,
  name: rule.name ?? rule.sourceName ?? rule.database.name,
  mentions: { people: 'none', roleIds: [], userIds: [] },
});

/** The card that a rule posts, for its channel or for direct messages. */
export const composeFor = (
  workspace: CardWorkspace,
  rule: LetterRule,
  page: Page,
  told: CardContent,
): Promise<MessageBody> =>
  composeMessage(workspace, isToPeople(rule) ? withoutPings(rule) : rule, page, told);

/** A letter for everybody whom an event concerns and who did not cause it; with a message for those who want one. */
export async function writeLetters(
  { accountId }: CardWorkspace,
  rule: LetterRule,
  page: Page,
  { event, card, id, tellAt, clock, now, reminder }: CardContent & Decided & { card: MessageBody },
): Promise<Post> {
  const linked = await findLinked(accountId, rule.destination, [page]);
  const all = recipientsOf(linked, event);
  const outcome = outcomeOf(linked, all);
  const rows = letterRows(rule, page, reminder);
  let isFirst = true;
  const letters = all.map(({ link, fate }): Letter => {
    const to = { discordUserId: link.discordUserId, linkId: link.id };
    const none = { messageId: null, sealedBody: null, tellAt: null };
    if (fate === 'gathered') return { ...to, ...none, outcome: fate, tellAt: digestAt(tellAt, clock, now) };
    if (fate !== 'message') return { ...to, ...none, outcome: fate };
    if (tellAt) return { ...to, ...none, outcome: 'gathered', tellAt };
    const messageId = isFirst ? id : randomUUID();
    isFirst = false;
    return {
      ...to,
      outcome: fate,
      messageId,
      sealedBody: sealMessage(messageId, toLetter(card, page, link.id, rows)),
      tellAt: null,
    };
  });
  const isTold = letters.some(({ messageId }) => messageId !== null);
  const gathered = letters.find(({ outcome: one }) => one === 'gathered');
  if (isTold) return { outcome: 'message', letters, tellsIn: id };
  if (gathered) return { outcome: 'gathered', letters, tellsIn: gathered.linkId };
  return { outcome, letters, tellsIn: null };
}

/** The buttons of a rule's messages: those of a reminder, and those that were chosen for the rule. */
export function letterRows(
  rule: Pick<LetterRule, 'id' | 'actions' | 'eventType' | 'database'>,
  page: Page,
  reminder: CardInput['reminder'],
): Rows {
  const chosen = withoutSecondDone(chosenOf(rule), reminder);
  const isChangeable = chosen !== undefined && rule.eventType !== 'page_deleted';
  const buttons = isChangeable ? directButtons(chosen, page, rule.database.statusPropertyId !== null) : [];
  return [...(buttons.length > 0 ? [rowOf(buttons)] : []), ...remindingRows({ reminder, page })];
}

/** A card in a conversation, with a link to the page and a button that stops these messages. */
export function toLetter(
  card: MessageBody,
  page: Pick<Page, 'url'>,
  linkId: string,
  rows: Rows,
): MessageBody {
  const stop = buttonRow(texts.stopNotifying, notifyIdOf(linkId, 'off'));
  const row = pageRow(page, []);
  return {
    ...card,
    components: [...rows, { ...stop, components: [...(row?.components ?? []), ...stop.components] }],
    allowed_mentions: { parse: [] },
  };
}
