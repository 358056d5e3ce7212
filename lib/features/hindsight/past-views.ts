import type { Page } from '@/lib/integrations/notion/notion-page';
import { UNKNOWN_PARENT } from '@/lib/integrations/notion/notion-parent';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import { UNSURE } from '../matching/conditions';
import { type FilterReason, filteredBy, openFilters } from '../matching/filters';
import { CREATED, type JudgedRule } from '../matching/match';
import type { Condition } from '../matching/schema';
import type { Snapshot } from '../matching/snapshot';
import { kindOf, TITLE_ID } from '../matching/words';
import { followProperty, type Known, type Past, type PastEvent, type PastTurn } from './past';
import { settledValue } from './settled';

/** A rule that is tried, with the properties of its database. */
export interface TriedRule extends JudgedRule {
  channelId: string;
  database: { statusPropertyId: string | null; properties: { id: string; name: string; type: string }[] };
}

type Named = PropertyValue & { name: string };

/** What a rule would have seen of a page at one of its turns, as far as that is known. */
export interface View {
  page: Page;
  known: Map<string, Known>;
  /** Every snapshot that the turn may have compared the page with. */
  befores: (Snapshot | null)[];
  /** Conditions whose properties are not known well enough. */
  unsure: Condition[];
  /** Filters undecided for lack of a value. */
  open: FilterReason[];
}

const UNKNOWN = '\0unknown';
const ANOTHER = '\0another';

/** The properties that decide whether a rule posts a page. */
export function decidingProperties(rule: TriedRule) {
  const ids = new Set([...rule.watchedProperties, ...filteredBy(rule)]);
  return rule.database.properties.filter(({ id }) => ids.has(id));
}

/** What a rule would have seen of a page at each of its turns. */
export function viewTurns(rule: TriedRule, past: Past, now: Date): View[] {
  const deciding = decidingProperties(rule);
  const followed = deciding.map((property) => ({ property, known: followProperty(past, property) }));
  return past.turns.map((turn, nth) => {
    const creation = rule.eventType === 'page_created' && turn.events.find(({ type }) => type === CREATED);
    const known = new Map(
      followed.map(({ property, known: all }) => {
        const one = all[nth] as Known;
        return [property.id, creation ? settledValue(past, { creation, property, now }, one) : one] as const;
      }),
    );
    return toView(rule, past, nth, known);
  });
}

function toView(rule: TriedRule, past: Past, nth: number, known: Map<string, Known>): View {
  const unsure = rule.conditions.items.filter((item) => isUnsure(item, known, rule));
  const values = new Map(
    decidingProperties(rule).map((property) => {
      const isUnsureHere = unsure.some(({ propertyId }) => propertyId === property.id);
      return [property.id, seenValue(property, known.get(property.id), isUnsureHere)] as const;
    }),
  );
  const open = openFilters(rule, (id) => Boolean(known.get(id)?.after));
  const present = past.page ?? NO_PAGE;
  const title = values.get(TITLE_ID)?.text ?? present.title;
  const page: Page = { ...present, title, isTrashed: trashingOf(past.turns[nth]) !== null, values };
  return { page, known, befores: beforesOf(rule, past, nth, { known, values }), unsure, open };
}

/** The event that moved a page to the trash, where its turn found it; null if the last of such events restored it. */
export function trashingOf(turn: PastTurn | undefined): PastEvent | null {
  const moves = turn?.events.filter(({ type }) => type === 'page.deleted' || type === 'page.undeleted');
  const last = moves?.at(-1);
  return last?.type === 'page.deleted' ? last : null;
}

const NO_PAGE: Page = {
  id: '',
  url: '',
  title: '',
  isTrashed: false,
  createdBy: null,
  lastEditedBy: null,
  createdAt: new Date(0),
  lastEditedAt: new Date(0),
  databaseId: null,
  parent: UNKNOWN_PARENT,
  icon: null,
  values: new Map(),
};

/** The value as the rule would have seen it. One that is unsure is marked: no condition accepts or refuses it. */
function seenValue(
  { name, type }: { name: string; type: string },
  known: Known | undefined,
  isUnsureHere: boolean,
): Named {
  const value = known?.after ?? { type, key: UNKNOWN, text: '' };
  return { name, ...value, ...(isUnsureHere && { result: UNSURE }) };
}

/** Whether a condition cannot be decided for the page. */
function isUnsure(condition: Condition, known: Map<string, Known>, { database }: TriedRule): boolean {
  const { change, before, after } = known.get(condition.propertyId) ?? NOTHING;
  if (!('from' in condition)) return after === null;
  if (change !== 'sure') return change === 'maybe';
  const { from, to, propertyId } = condition;
  const type = database.properties.find(({ id }) => id === propertyId)?.type ?? '';
  const isList = ['options', 'people', 'pages'].includes(kindOf(type));
  const needsBefore = from.length > 0 || (to.length > 0 && isList);
  const needsAfter = from.length > 0 || to.length > 0;
  return (needsBefore && before === null) || (needsAfter && after === null);
}

const NOTHING: Known = { change: 'maybe', before: null, after: null, isTouchedLater: true };

/**
 * Every snapshot with which the page may have been compared. It is enough to assume that none, one or all of the
 * uncertain properties had changed, because the card depends on no more.
 */
function beforesOf(
  rule: TriedRule,
  { turns }: Past,
  nth: number,
  { known, values }: { known: Map<string, Known>; values: Map<string, Named> },
): (Snapshot | null)[] {
  const isCreated = turns[nth]?.events.some(({ type }) => type === CREATED) ?? false;
  if (isCreated && nth === 0) return [null];
  const sure: Snapshot = {};
  const maybe: string[] = [];
  for (const [id, value] of values) {
    const { change, before } = known.get(id) ?? NOTHING;
    if (change === 'maybe') maybe.push(id);
    if (change === 'none') sure[id] = value;
    if (change === 'sure' && before) sure[id] = before;
  }
  const uncertain = maybe.filter((id) => rule.watchedProperties.includes(id));
  const worlds = [[], ...uncertain.map((id) => [id]), ...(uncertain.length > 1 ? [uncertain] : [])];
  const befores = worlds.map((changed) => ({
    ...sure,
    ...Object.fromEntries(
      maybe.map((id) => [id, changed.includes(id) ? another(values, id) : values.get(id)]),
    ),
  })) as Snapshot[];
  return isCreated ? [null, ...befores] : befores;
}

function another(values: Map<string, Named>, id: string): PropertyValue {
  return { ...(values.get(id) as Named), key: ANOTHER };
}
