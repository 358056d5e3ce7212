import { Prisma, runStatement } from '@/lib/db/database';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PageEvent } from '../matching/match';
import type { Destination } from '../matching/schema';
import type { NotifyMode } from './notify-setting';

/** Somebody to whom a rule may write: a linked person of its account. */
export interface Linked {
  id: string;
  discordUserId: string;
  notionUserId: string;
  /** Whether they want direct messages, and how. */
  notify: NotifyMode;
  /** Whether Discord refuses messages to them. */
  isClosed: boolean;
}

/** What becomes of an event for one person. */
type RecipientOutcome = 'message' | 'gathered' | 'not_asked_for' | 'inbox_closed';

export interface Recipient {
  link: Linked;
  fate: RecipientOutcome;
}

/** Why nobody gets it. */
type NobodyReason = 'not_asked_for' | 'inbox_closed' | 'by_themselves' | 'nobody_linked';

type Pages = Pick<Page, 'values'>[];

/** The linked people whom a rule to people may tell of events of at least one of these pages. */
export async function findLinked(
  accountId: string,
  destination: Destination,
  pages: Pages,
): Promise<Linked[]> {
  const notionUserIds = [...namedOn(destination, pages)];
  const discordUserId = destination.kind === 'person' ? destination.discordUserId : null;
  if (notionUserIds.length === 0 && discordUserId === null) return [];
  return runStatement<Linked>(Prisma.sql`
    select id, discord_user_id as "discordUserId", notion_user_id as "notionUserId", notify::text as notify,
      inbox_closed_at is not null as "isClosed"
    from account_link
    where account_id = ${accountId}::uuid
      and (notion_user_id = any(${notionUserIds}::text[]) or discord_user_id = ${discordUserId}::text)
    order by linked_at, id`);
}

/** Those of the linked people whom a rule to people may tell of events of at least one of these pages. */
export function linkedOn(linked: Linked[], destination: Destination, pages: Pages): Linked[] {
  if (destination.kind !== 'people') return linked;
  const named = namedOn(destination, pages);
  return linked.filter(({ notionUserId }) => named.has(notionUserId));
}

/** The Notion users in the property that a rule to people names. */
const namedOn = (destination: Destination, pages: Pages): Set<string> =>
  new Set(
    destination.kind === 'people'
      ? pages.flatMap(({ values }) => values.get(destination.propertyId)?.userIds ?? [])
      : [],
  );

/** Who caused an event. */
export type Caused = Pick<PageEvent, 'authors' | 'written' | 'causedBy'>;

/** What becomes of an event for each person, without those who caused it. */
export function recipientsOf(linked: Linked[], event: Caused): Recipient[] {
  const authors = [
    ...event.authors,
    ...(event.written?.writes.map(({ notionUserId }) => notionUserId) ?? []),
  ];
  return linked
    .filter(
      ({ notionUserId, discordUserId }) =>
        !authors.includes(notionUserId) && event.causedBy !== discordUserId,
    )
    .map((link) => ({ link, fate: fateOf(link) }));
}

function fateOf({ notify, isClosed }: Linked): RecipientOutcome {
  if (notify === 'off') return 'not_asked_for';
  if (isClosed) return 'inbox_closed';
  return notify === 'digest' ? 'gathered' : 'message';
}

/** The outcome of an event as a whole: whether somebody is told, or why nobody is. */
export function outcomeOf(linked: Linked[], recipients: Recipient[]): 'message' | 'gathered' | NobodyReason {
  if (linked.length === 0) return 'nobody_linked';
  const order = ['message', 'gathered', 'not_asked_for', 'inbox_closed'] as const;
  return order.find((fate) => recipients.some((each) => each.fate === fate)) ?? 'by_themselves';
}
