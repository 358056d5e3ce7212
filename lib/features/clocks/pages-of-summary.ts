import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import type { Summary as SummarySchedule } from '../calendar/schema';
import type { ListedPage } from '../cards/summary-card';
import { asItIs } from '../matching/conditions';
import { type FilteringRule, findRefusal } from '../matching/filters';
import { toSummary } from '../matching/summary';
import { TITLE_ID } from '../matching/words';
import { schemaOf } from '../workspaces/database-schema';
import type { DueRule } from './due-pages';

type SortKey = number | string | null;

interface Listed extends ListedPage {
  key: SortKey;
  /** The people in the property that decides who is told. */
  userIds: string[];
}

/** What decides which pages a due rule lists. */
interface Listing {
  rule: FilteringRule;
  run: { dueAt: Date };
}

/** Collects the pages that a summary lists. */
export class PagesOfSummary<Due extends Listing = DueRule> {
  private readonly listed = new Map<string, Listed>();

  constructor(
    readonly due: Due,
    readonly schedule: SummarySchedule,
    private readonly database: { properties: unknown },
  ) {}

  /** Adds a page if it meets the conditions. */
  add(page: Page): void {
    const { rule, run } = this.due;
    if (page.isTrashed || findRefusal(rule, asItIs(page, run.dueAt)) !== null) return;
    const shown = rule.displayedFields.flatMap((propertyId) => {
      const value = page.values.get(propertyId);
      return value && value.key !== '' ? [{ propertyId, name: value.name, before: null, after: value }] : [];
    });
    const { title, url, changes } = toSummary(page, shown);
    const to = rule.destination.kind === 'people' ? page.values.get(rule.destination.propertyId) : undefined;
    const key = this.keyOf(page.values.get(this.schedule.sort?.propertyId ?? TITLE_ID));
    this.listed.set(page.id, { id: page.id, title, url, changes, key, userIds: to?.userIds ?? [] });
  }

  /** The pages in the schedule's order; pages without a value come last. */
  get pages(): Listed[] {
    const sign = this.schedule.sort?.direction === 'descending' ? -1 : 1;
    return [...this.listed.values()].toSorted((one, other) => {
      if (one.key === null || other.key === null)
        return Number(one.key === null) - Number(other.key === null);
      return sign * compare(one.key, other.key) || compare(one.title, other.title);
    });
  }

  private keyOf(value: PropertyValue | undefined): SortKey {
    if (!value || value.key === '') return null;
    const { type, result, optionId, key, text } = value;
    if (optionId !== undefined) {
      const id = this.schedule.sort?.propertyId;
      const options = schemaOf(this.database).find((property) => property.id === id)?.options ?? [];
      return options.findIndex((option) => option.id === optionId);
    }
    if (type === 'number' || result === 'number') return Number(key);
    if (type === 'unique_id') return Number(key.slice(key.lastIndexOf('-') + 1));
    const isTime = ['date', 'created_time', 'last_edited_time'].includes(result ?? type);
    return isTime ? Date.parse(key.split('/')[0] ?? '') : text;
  }
}

const compare = (one: number | string, other: number | string) =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other), 'en', { sensitivity: 'base', numeric: true });
