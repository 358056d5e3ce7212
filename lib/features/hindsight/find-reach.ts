import type { Page } from '@/lib/integrations/notion/notion-page';
import { type Caused, findLinked, linkedOn, outcomeOf, recipientsOf } from '../letters/recipients';
import type { SkipReason } from '../matching/match';
import type { Destination } from '../matching/schema';
import { isToPeople } from '../matching/words';
import type { PastEvent } from './past';
import { lostOf, type PagesRead } from './read-pages';
import type { Judged } from './report';
import { WHOM_UNKNOWN } from './why-unknown';

interface ToPeople {
  accountId: string;
  destination: Destination;
}

type Unreached = { outcome: 'skipped'; reasons: SkipReason[] } | { outcome: 'unknown'; why: string };

/** Says why nobody is told of what happened to these pages; null if somebody is. */
export type Reach = (pages: Page[], event: Caused) => Unreached | null;

const NOT_ALL_READ = 'There are more people in the property than Pagewire looks at to try a rule.';

/**
 * Whom a rule tells, by the people of its pages as they are now and by what they have chosen since; null for a rule to
 * a channel. Asks the database once for all pages.
 */
export async function findReach({ accountId, destination }: ToPeople, pages: Page[]): Promise<Reach | null> {
  if (!isToPeople({ destination })) return null;
  const all = await findLinked(accountId, destination, pages);
  const property = destination.kind === 'people' ? destination.propertyId : null;
  const isCut = ({ values }: Page) => property !== null && (values.get(property)?.isCut ?? false);
  return (those, event) => {
    const linked = linkedOn(all, destination, those);
    const outcome = outcomeOf(linked, recipientsOf(linked, event));
    if (outcome === 'message' || outcome === 'gathered') return null;
    if (those.some(isCut)) return { outcome: 'unknown', why: NOT_ALL_READ };
    return { outcome: 'skipped', reasons: [outcome] };
  };
}

/** For a rule to people, skips what nobody would be told. If a page was not read, whom it concerns is unknown. */
export async function withoutUnreached(
  rule: ToPeople,
  judged: Judged<PastEvent>[],
  read: PagesRead,
): Promise<Judged<PastEvent>[]> {
  const ids = new Set(judged.flatMap(({ outcome, event }) => (outcome === 'posted' ? [event.pageId] : [])));
  const reach = await findReach(
    rule,
    [...ids].flatMap((id) => read.pages.get(id) ?? []),
  );
  if (!reach) return judged;
  return judged.map((one) => {
    if (one.outcome !== 'posted') return one;
    const page = read.pages.get(one.event.pageId);
    if (!page && rule.destination.kind === 'people') {
      return { ...one, outcome: 'unknown', why: WHOM_UNKNOWN[lostOf(read, one.event.pageId)] };
    }
    return { ...one, ...reach(page ? [page] : [], one.event) };
  });
}
