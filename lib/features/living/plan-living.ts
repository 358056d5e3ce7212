import { randomUUID } from 'node:crypto';
import type { MessageState } from '@/lib/db/generated/client';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { movedCard } from '../cards/moved-card';
import { type KeepingRule, postsInForum } from '../matching/kept-cards';
import { sealMessage } from '../messages/sealed-body';
import type { LivingBodies } from './compose-living';

/** The living card of a rule, as it stood when its page's turn was loaded. */
export interface KnownCard {
  ruleId: string;
  channelId: string;
  /** How far its message got; null once that is no longer kept. */
  state: MessageState | null;
  /** Discord's id of the card; null before it is posted, and once it is known to be deleted. */
  discordMessageId: string | null;
  /** Whether nothing was told for more than a week. */
  isAsleep: boolean;
  /** Whether the card is the first message of a post in a forum. */
  isPost: boolean;
}

/** An event that a rule posts. */
interface LivingDecision {
  id: string;
  eventAt: Date;
  bodies: LivingBodies;
}

/** A message about a living card, or the card itself, as it is saved. */
export interface LivingMove {
  what: 'card' | 'edit' | 'line' | 'link';
  accountId: string;
  ruleId: string;
  channelId: string;
  id: string;
  /** Null stands for the time at which the move is saved. */
  at: Date | null;
  /** The move is saved only if this decision is; null if it depends on none. */
  decisionId: string | null;
  sealedBody: Uint8Array | null;
  /** Discord's id of the old card that is replaced by a link; null for other moves. */
  discordMessageId: string | null;
  /** Whether the card is a new one, whose first line starts a thread. */
  isNew: boolean;
  isFirst: boolean;
  /** Whether the channel is a forum. */
  isPost: boolean;
}

/** What becomes of the living card of a page under a rule. */
export interface LivingPlan {
  /** The card to post, as the message of a decision; null for none. */
  post: {
    decisionId: string;
    sealedBody: Uint8Array;
    remark: 'card_deleted' | 'card_unsent' | 'card_asleep' | null;
    /** Whether it may become part of a flood. */
    rollUp: boolean;
  } | null;
  /** The decisions that a later one about the same page tells too. */
  merged: string[];
  moves: LivingMove[];
}

interface Living {
  rule: KeepingRule & { id: string; accountId: string; channelId: string; rollUp: boolean };
  page: { title: string };
  known: KnownCard | undefined;
  /** In the order in which things happened. */
  decisions: LivingDecision[];
}

/**
 * What becomes of a living card when its rule posts these events. The first event posts the card. Later ones edit it,
 * and each has a line in its thread. A card that was deleted or has scrolled away is posted again. A post in a forum
 * always has lines, in every card mode; its edit comes after them, because it may close the post.
 */
export function planLiving({ rule, page, known, decisions }: Living): LivingPlan {
  const [first, last] = [decisions[0], decisions.at(-1)];
  if (!first || !last) return { post: null, merged: [], moves: [] };
  const inForum = postsInForum(rule);
  const isQuiet = rule.card === 'quiet' && !inForum;
  const before = isQuiet ? decisions.slice(0, -1).map(({ id }) => id) : [];
  if (known && isShown(known, rule) && !isLost(known)) {
    const lines = isQuiet ? [] : decisions.map((each, nth) => lineOf(rule, each, nth === 0));
    const edit = editOf(rule, last, isQuiet ? last.id : randomUUID());
    return { post: null, merged: before, moves: inForum ? [...lines, edit] : [edit, ...lines] };
  }
  const posted = isQuiet ? last : first;
  const rest = isQuiet ? [] : decisions.slice(1);
  const { id: decisionId, eventAt: at } = posted;
  const card = { ...moveOf(rule, 'card', decisionId), at, decisionId, isNew: true, isFirst: rest.length > 0 };
  return {
    post: {
      decisionId,
      sealedBody: sealMessage(decisionId, posted.bodies.card),
      remark: whyPostedAgain(known, rule),
      // A card that has lines, or replaces another, is not held back for a flood.
      rollUp: rule.rollUp && rest.length === 0 && !known,
    },
    merged: before,
    moves: [
      card,
      ...rest.map((each, nth) => ({
        ...lineOf(rule, withPost(each, each === last), nth === 0),
        isNew: true,
      })),
      ...linkOf({ rule, page, known, decisionId }),
    ],
  };
}

/** The edit that brings a living card up to date when nothing was posted; none where there is no card. */
export function refreshLiving(
  rule: Living['rule'],
  known: KnownCard | undefined,
  { card }: LivingBodies,
): LivingMove[] {
  if (!known || !isUsable(known, rule)) return [];
  return [refreshOf(moveOf(rule, 'edit', ''), card)];
}

/** An edit as a message of its own. Mentions nobody, even if it becomes a new card because the old one was deleted. */
export function refreshOf(edit: LivingMove, card: MessageBody): LivingMove {
  const id = randomUUID();
  const body = { ...card, allowed_mentions: { parse: [] } };
  return { ...edit, id, sealedBody: sealMessage(id, body) };
}

/** Whether a card is in the channel of its rule, or is about to be posted there. */
export const isUsable = (known: KnownCard, rule: Place) => isShown(known, rule) && !isDeleted(known);

type Place = Pick<Living['rule'], 'channelId' | 'destination'>;

const isThere = (known: KnownCard, rule: Place) =>
  known.channelId === rule.channelId && known.isPost === postsInForum(rule);

const isShown = (known: KnownCard, rule: Place) =>
  isThere(known, rule) && (known.state === 'waiting' || known.state === 'sent');

const isDeleted = ({ state, discordMessageId }: KnownCard) => state === 'sent' && discordMessageId === null;

// A card that was quiet for more than a week has scrolled away. A post can be found by its name.
const isLost = (known: KnownCard) =>
  isDeleted(known) || (known.state === 'sent' && known.isAsleep && !known.isPost);

function whyPostedAgain(known: KnownCard | undefined, rule: Place) {
  if (!known || !isThere(known, rule)) return null;
  if (isDeleted(known)) return 'card_deleted';
  return isShown(known, rule) ? 'card_asleep' : 'card_unsent';
}

/** Has the last line of a new post close it again if the page is done, because every line reopens a post. */
function withPost(decision: LivingDecision, isLast: boolean): LivingDecision {
  const { card, line } = decision.bodies;
  return isLast && card.post
    ? { ...decision, bodies: { card, line: { ...line, post: card.post } } }
    : decision;
}

function linkOf({
  rule,
  page,
  known,
  decisionId,
}: Omit<Living, 'decisions'> & { decisionId: string }): LivingMove[] {
  // A card that was not sent may stand there without its content.
  if (!known?.discordMessageId || known.isPost || !isThere(known, rule)) return [];
  const id = randomUUID();
  const sealedBody = sealMessage(id, movedCard(page));
  const { discordMessageId } = known;
  return [{ ...moveOf(rule, 'link', id), decisionId, sealedBody, discordMessageId }];
}

function editOf(
  rule: Living['rule'],
  { id: decisionId, eventAt: at, bodies }: LivingDecision,
  id: string,
): LivingMove {
  return { ...moveOf(rule, 'edit', id), at, decisionId, sealedBody: sealMessage(id, bodies.card) };
}

function lineOf(
  rule: Living['rule'],
  { id, eventAt: at, bodies }: LivingDecision,
  isFirst: boolean,
): LivingMove {
  return {
    ...moveOf(rule, 'line', id),
    at,
    decisionId: id,
    sealedBody: sealMessage(id, bodies.line),
    isFirst,
  };
}

const moveOf = (
  { accountId, id: ruleId, channelId, destination }: Living['rule'],
  what: LivingMove['what'],
  id: string,
): LivingMove => ({
  isPost: postsInForum({ destination }),
  what,
  accountId,
  ruleId,
  channelId,
  id,
  at: null,
  decisionId: null,
  sealedBody: null,
  discordMessageId: null,
  isNew: false,
  isFirst: false,
});
