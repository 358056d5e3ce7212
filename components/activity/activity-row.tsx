'use client';

import { ChevronRight, Hash, User } from 'lucide-react';
import { ChangedValues } from '@/components/rules/log/changed-values';
import { type DELIVERY_STATES, DeliveryState } from '@/components/rules/log/delivery-state';
import { isolate } from '@/lib/bidi';
import { cn } from '@/lib/client/class-names';
import { formatExactTime, formatTime } from '@/lib/client/format';
import type { ActivityItem } from '@/lib/features/deliveries/schema';
import type { EventType } from '@/lib/features/matching/schema';
import { EVENT_WORDS } from '@/lib/features/matching/words';
import type { Rule } from '@/lib/features/rules/schema';
import { ActivityDetails } from './activity-details';

/** The columns of entries and of their heading. The first has room for a time with am or pm. */
export const COLUMNS =
  'md:grid-cols-[4.25rem_minmax(0,1fr)_8rem_6rem_1rem] md:gap-x-4 lg:grid-cols-[4.25rem_minmax(0,1fr)_11rem_6rem_1rem] xl:grid-cols-[4.25rem_minmax(0,1fr)_17rem_6rem_1rem]';

/** The entry's outcome as a state of the rule's log. */
export const stateOf = ({ outcome }: ActivityItem): keyof typeof DELIVERY_STATES =>
  outcome === 'posted' ? 'sent' : outcome;

/** Shown for events that changed no property. */
const WITHOUT_CHANGES: Partial<Record<EventType, string>> = {
  page_created: 'New page',
  content_updated: EVENT_WORDS.content_updated,
  page_deleted: EVENT_WORDS.page_deleted,
  page_restored: EVENT_WORDS.page_restored,
  date_near: EVENT_WORDS.date_near,
  page_untouched: EVENT_WORDS.page_untouched,
  summary: EVENT_WORDS.summary,
};

/** What changed, in one line; for skipped events, the reason. */
export function EntryDetail({ item: { outcome, reason, changes, eventType } }: { item: ActivityItem }) {
  const [first, ...rest] = changes;
  const why = outcome === 'skipped' ? reason : null;
  if (why || !first) {
    return (
      <span className="block text-pretty text-muted xl:truncate">
        {why || (eventType && WITHOUT_CHANGES[eventType])}
      </span>
    );
  }
  return (
    // The old and the new value share the room, so that each is cut at its own end.
    <span
      className={cn(
        'grid gap-x-1 text-muted [&>bdi]:truncate',
        first.before === null
          ? 'grid-cols-[minmax(0,max-content)_minmax(0,max-content)_max-content]'
          : 'grid-cols-[minmax(0,max-content)_minmax(0,max-content)_max-content_minmax(0,max-content)_max-content]',
      )}
    >
      <span className="truncate">
        <bdi>{first.property}</bdi>:
      </span>{' '}
      <ChangedValues before={first.before} after={first.after} />
      {rest.length > 0 ? ` and ${rest.length} more` : null}
    </span>
  );
}

/** An entry as a row that opens its details: when, which page, what changed, where it went, and the outcome. */
export function ActivityRow({
  item,
  rule,
  isOpen,
  onToggle,
  onChange,
}: {
  item: ActivityItem;
  rule: Rule | undefined;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (item: Pick<ActivityItem, 'id'> & Partial<ActivityItem>) => void;
}) {
  const { id, at, title, place, outcome, reason } = item;
  const Mark = item.channelId === null ? User : Hash;
  const hasTrouble = outcome === 'failed' || outcome === 'held' || outcome === 'waiting';
  return (
    <li data-row={id} className={cn(isOpen && 'bg-background')}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `activity-${id}` : undefined}
        onClick={onToggle}
        className={cn(
          '-outline-offset-2 grid w-full scroll-mt-10 grid-cols-[auto_minmax(0,1fr)_auto_auto] items-start gap-x-3 px-4 py-2.5 text-left transition-colors duration-150 hover:bg-hover md:px-5',
          COLUMNS,
        )}
      >
        <time
          dateTime={at}
          title={formatExactTime(at)}
          className="nums whitespace-nowrap text-muted text-xs leading-5 max-md:row-start-2"
        >
          {formatTime(at)}
        </time>
        <span className="min-w-0 max-md:col-span-full max-md:row-start-1">
          {/* On one line, each part gets half of it, plus the space that the other does not need. */}
          <span className="block xl:grid xl:grid-cols-[minmax(0,max-content)_minmax(0,max-content)] xl:gap-x-2">
            <span
              title={title}
              dir="auto"
              className={cn('break-words xl:truncate', item.url ? 'font-medium' : 'text-muted')}
            >
              {title}
            </span>{' '}
            <EntryDetail item={item} />
          </span>
          {hasTrouble && reason && !isOpen ? (
            <span
              className={cn(
                'mt-0.5 block truncate text-xs',
                outcome === 'failed' ? 'text-danger' : 'text-warning',
              )}
            >
              {reason}
            </span>
          ) : null}
        </span>
        {/* The rule and the place share the room as well. */}
        <span
          title={rule ? `${isolate(rule.name ?? rule.sourceName)} → ${isolate(place)}` : item.ruleName}
          className={cn(
            'flex min-w-0 items-center max-md:row-start-2 max-md:text-xs max-md:leading-5',
            rule &&
              'lg:grid lg:grid-cols-[minmax(0,max-content)_max-content_max-content_minmax(0,max-content)]',
            outcome === 'skipped' ? 'text-muted' : '',
          )}
        >
          {rule ? (
            <>
              <span dir="auto" className="hidden truncate text-muted lg:block">
                {rule.name ?? rule.sourceName}
              </span>
              <span className="hidden px-1 text-muted lg:block">→</span>
            </>
          ) : null}
          <Mark
            className={cn('size-3.5 shrink-0', outcome === 'posted' ? 'text-blurple-text' : 'text-muted')}
            aria-hidden
          />
          <span dir="auto" className="truncate">
            {item.channelId === null ? null : <span className="sr-only">#</span>}
            {place.replace(/^#/, '')}
          </span>
        </span>
        <DeliveryState state={stateOf(item)} className="max-md:row-start-2" />
        <ChevronRight
          aria-hidden
          className={cn(
            'mt-0.5 size-4 justify-self-end text-muted transition-transform duration-150 max-md:row-start-2',
            isOpen && 'rotate-90',
          )}
        />
      </button>
      {isOpen ? (
        <div id={`activity-${id}`} className="px-4 pt-1 pb-4 md:pr-5 md:pl-[calc(4.25rem+2.25rem)]">
          <ActivityDetails item={item} onChange={onChange} />
        </div>
      ) : null}
    </li>
  );
}
