import { randomUUID } from 'node:crypto';
import type { MessageState } from '@/lib/db/generated/client';
import { type KeepingRule, postsInForum } from '../matching/kept-cards';
import { sealMessage } from '../messages/sealed-body';
import { type LivingBodies, movedCard } from './compose-living';

/** The living card of a rule, as it stood when its page's turn was loaded. */
export interface KnownCard {
  ruleId: string;
  channelId: string;
  /** How far its message got; null once that is no longer kept. */
  state: MessageState | null;
  /** Discord's id of it; null before it is posted, and once it is known to be deleted. */
  discordMessageId: string | null;
  /** Whether nothing was told for more than a week. */
  isAsleep: boolean;
  /** Whether it is the first message of a post in a forum. */
  isPost: boolean;
}

/** An event that a rule posts. */
export interface LivingDecision {
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
  /** Null for the time at which it is saved. */
  at: Date | null;
  /** The decision without which it is not saved; null for none. */
  decisionId: string | null;
  sealedBody: Uint8Array | null;
  /** Of the message that a link goes to. */
  discordMessageId: string | null;
  /** Whether the card is a new one, whose first line starts a thread. */
  isNew: boolean;
  isFirst: boolean;
  /** Whether the channel is a forum. */
  isPost: boolean;
}

/** What becomes of the living card of a page under a rule. */
export interface LivingPlan {
  /** The card that is posted, as the message of a decision; null for none. */
  post: {
    decisionId: string;
    sealedBody: Uint8Array;
    remark: 'card_deleted' | 'card_unsent' | 'card_asleep' | null;
    /** Whether it may become part of a flood. */
    rollUp: boolean;
  } | null;
  /** The decisions that are told by a later one of the same page. */
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
 * What becomes of a living card when its rule posts these events: the first is posted as the card. Later ones edit it, and
 * each has a line in its thread. A card that nobody can find any more is posted anew. A forum's post has lines whatever the
 * rule's cards are; its edit follows them, because it closes the post.
 */
export function planLiving({ rule, page, known, decisions }: Living): LivingPlan {
  const [first, last] = [decisions[0], decisions.at(-1)];
  if (!first || !last) return { post: null, merged: [], moves: [] };
  const inForum = postsInForum(rule);
  const isQuiet = rule.card === 'quiet' && !inForum;
  const before = isQuiet ? decisions.slice(0, -1).map(({ id }) => id) : [];
  if (known && isStanding(known, rule) && !isLost(known)) {
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
      remark: whyAnew(known, rule),
      // A card that has lines, or takes the place of another, is posted.
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

/** The edit that brings a living card up to date when nothing was posted; none where no card stands. */
export function refreshLiving(
  rule: Living['rule'],
  known: KnownCard | undefined,
  { card }: LivingBodies,
): LivingMove[] {
  if (!known || !isUsable(known, rule)) return [];
  const id = randomUUID();
  // Nobody is told of it, also if it becomes a new card because somebody deleted this one.
  const body = { ...card, allowed_mentions: { parse: [] } };
  return [{ ...moveOf(rule, 'edit', id), sealedBody: sealMessage(id, body) }];
}

/** Whether a card stands in the channel of its rule, or is about to. */
export const isUsable = (known: KnownCard, rule: Place) => isStanding(known, rule) && !isDeleted(known);

type Place = Pick<Living['rule'], 'channelId' | 'destination'>;

const isThere = (known: KnownCard, rule: Place) =>
  known.channelId === rule.channelId && known.isPost === postsInForum(rule);

const isStanding = (known: KnownCard, rule: Place) =>
  isThere(known, rule) && (known.state === 'waiting' || known.state === 'sent');

const isDeleted = ({ state, discordMessageId }: KnownCard) => state === 'sent' && discordMessageId === null;

// It has scrolled away. A post is found by its name.
const isLost = (known: KnownCard) =>
  isDeleted(known) || (known.state === 'sent' && known.isAsleep && !known.isPost);

function whyAnew(known: KnownCard | undefined, rule: Place) {
  if (!known || !isThere(known, rule)) return null;
  if (isDeleted(known)) return 'card_deleted';
  return isStanding(known, rule) ? 'card_asleep' : 'card_unsent';
}

/** The last line of a new post closes it, when its page is done: a line opens a post. */
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
  if (!known?.discordMessageId || whyAnew(known, rule) !== 'card_asleep') return [];
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
