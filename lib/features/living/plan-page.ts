import { isSameValue } from '@/lib/integrations/notion/bounded-value';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { isUncomputed } from '@/lib/integrations/notion/property-value';
import { reminderOfRule } from '../cards/reminder-of-rule';
import type { CardContent, CardWorkspace } from '../composing/compose-message';
import { keepsCards } from '../matching/kept-cards';
import type { PageEvent, PropertyChange } from '../matching/match';
import { shownChange } from '../matching/moved-place';
import { oldValue } from '../matching/old-value';
import type { EventType, RuleTerms } from '../matching/schema';
import { fitValue } from '../matching/shown-value';
import { livingProperties, type Snapshot } from '../matching/snapshot';
import { composeLiving, type LivingBodies, type LivingRule } from './compose-living';
import {
  isUsable,
  type KnownCard,
  type LivingMove,
  type LivingPlan,
  planLiving,
  refreshLiving,
} from './plan-living';

type Rule = RuleTerms & LivingRule & { id: string; accountId: string; enabled: boolean; channelId: string };

/** What a rule decided about an event; with `living` it is told by a living card. */
interface Decided {
  id: string;
  eventAt: Date;
  ruleId: string;
  living?: LivingBodies | undefined;
}

interface Seen {
  workspace: CardWorkspace;
  /** What the page looked like before; null when that is not known. */
  snapshot: Snapshot | null;
  /** The living cards of the page. */
  known: KnownCard[];
  /** The newest event, with its author; null without one. */
  news: { event: PageEvent; happened: EventType } | null;
  /** Whether the page is no longer shown. */
  isGone?: boolean;
}

export interface PageCards {
  posts: Map<string, NonNullable<LivingPlan['post']>>;
  merged: Set<string>;
  moves: LivingMove[];
}

/**
 * What becomes of the living cards of a page that was read. Cards whose rules post something tell it; the others are
 * brought up to date if something that they show has changed.
 */
export async function planPageCards(
  seen: Seen,
  page: Page,
  rules: Rule[],
  decisions: Decided[],
): Promise<PageCards> {
  const cards: PageCards = { posts: new Map(), merged: new Set(), moves: [] };
  for (const rule of rules.filter(keepsCards)) {
    const known = seen.known.find(({ ruleId }) => ruleId === rule.id);
    const own = decisions.flatMap(({ ruleId, living: bodies, ...decision }) =>
      ruleId === rule.id && bodies ? [{ ...decision, bodies }] : [],
    );
    if (own.length > 0) {
      const { post, merged, moves } = planLiving({ rule, page, known, decisions: own });
      if (post) cards.posts.set(post.decisionId, post);
      for (const id of merged) cards.merged.add(id);
      cards.moves.push(...moves);
    } else if (rule.enabled && known && isUsable(known, rule)) {
      const told = whatChanged(seen, page, rule);
      if (told) {
        const bodies = await composeLiving(seen.workspace, rule, page, told);
        cards.moves.push(...refreshLiving(rule, known, bodies));
      }
    }
  }
  return cards;
}

/** Adds to new and changed decisions the cards that are posted for them; marks those that a later one tells too. */
export function withCards<
  New extends Pick<Decided, 'id'> & { outcome: string },
  Changed extends Pick<Decided, 'id'> & { outcome: string },
>({ created, changed }: { created: New[]; changed: Changed[] }, { posts, merged, moves }: PageCards) {
  const outcome = 'merged' as const;
  return {
    created: created.map((one) => {
      const { sealedBody, remark = null, rollUp = false } = posts.get(one.id) ?? {};
      const post = sealedBody && { sealedBody, rollUp };
      return { ...one, ...(merged.has(one.id) && { outcome }), ...post, remark };
    }),
    changed: changed.map((one) => {
      const { sealedBody, remark = null, rollUp = false } = posts.get(one.id) ?? {};
      const channelId = moves.find(({ id }) => id === one.id)?.channelId ?? '';
      const message = sealedBody && { id: one.id, channelId, sealedBody, rollUp };
      return { ...one, ...(merged.has(one.id) && { outcome }), ...(message && { message }), remark };
    }),
  };
}

/** What has changed among the things that a living card shows; null for nothing. */
function whatChanged({ snapshot, news, isGone }: Seen, page: Page, rule: Rule): CardContent | null {
  if (!news) return null;
  const { event, happened } = news;
  const shown = livingProperties(rule);
  const changes = snapshot ? shown.flatMap((id) => changeOf(id, snapshot, page)) : [];
  const isMoved = happened === 'page_deleted' || happened === 'page_restored';
  // The card may have been edited without it meanwhile.
  const isRecomputed = shown.some(
    (id) => snapshot?.[id]?.isStale && !isUncomputed(page.values.get(id) ?? {}),
  );
  if (snapshot && changes.length === 0 && !isMoved && !isGone && !isRecomputed) return null;
  // Notion refuses to change a page in the trash.
  const isShown = !isGone && happened !== 'page_deleted';
  const schema = { ...rule.database, properties: rule.database.ofPosts ?? [] };
  const reminder = isShown ? reminderOfRule(rule, schema) : undefined;
  return { event, changes, happened, isGone, reminder };
}

function changeOf(propertyId: string, snapshot: Snapshot, page: Page): PropertyChange[] {
  const after = page.values.get(propertyId);
  if (!after || isUncomputed(after)) return [];
  const before = oldValue(snapshot, propertyId, after);
  // Of a value that was converted into another type, the card shows only the text.
  const isSame = before ? isSameValue(before, after) : snapshot[propertyId]?.text === fitValue(after.text);
  if (isSame) return [];
  return [shownChange({ propertyId, name: after.name, before, after })];
}
