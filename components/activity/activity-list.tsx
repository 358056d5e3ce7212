'use client';

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { WireDrawing } from '@/components/brand/wire-drawing';
import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { loadedText } from '@/components/ui/load-more';
import { NoMatch } from '@/components/ui/no-match';
import { ReadFailed } from '@/components/ui/read-failed';
import { RetryButton } from '@/components/ui/retry-button';
import { StaleNote } from '@/components/ui/stale-note';
import { byDay } from '@/lib/client/by-day';
import { cn } from '@/lib/client/class-names';
import { failureText } from '@/lib/client/error-text';
import { focusRow } from '@/lib/client/focus-next-row';
import { count, formatNumber } from '@/lib/client/format';
import { useRules } from '@/lib/client/resources';
import type { Rule } from '@/lib/features/rules/schema';
import { type ActivityFilters, lookedBackTo } from './activity-filters';
import { ActivityRow, COLUMNS } from './activity-row';
import { ActivitySkeleton } from './activity-skeleton';
import { SearchEnd } from './search-end';
import { useActivity } from './use-activity';

/** The entries of a path, grouped by day, newest first. New ones wait behind a counter. */
export function ActivityList({
  path,
  rules,
  filters,
  onFound,
  onClear,
}: {
  path: string;
  rules: Rule[];
  filters: ActivityFilters;
  /** Receives how much the list shows, in words; null while it loads. */
  onFound: (found: string | null) => void;
  onClear: () => void;
}) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const stream = useActivity(path, open);
  const list = useRef<HTMLDivElement>(null);
  const { shown, error, news } = stream;

  // A link from Home names an entry in the address's hash, which the server does not see.
  useEffect(() => {
    const id = window.location.hash.slice(1);
    if (id) setOpen(new Set([id]));
  }, []);

  const isFiltered = Object.values(filters).some(Boolean);
  const found = shown && loadedText(shown.items.length, shown.next !== null);
  useEffect(() => onFound(found), [found, onFound]);

  if (!shown) {
    return error ? (
      <Alert
        variant="danger"
        urgent
        title="The activity could not be loaded"
        action={<RetryButton onRetry={stream.retry} />}
      />
    ) : (
      <ActivitySkeleton />
    );
  }

  function showNews() {
    stream.showNews();
    const buttons = () => list.current?.querySelectorAll<HTMLElement>('[aria-expanded]') ?? [];
    requestAnimationFrame(() => {
      list.current?.scrollIntoView({ block: 'start' });
      buttons()[0]?.focus({ preventScroll: true });
    });
  }

  const toggle = (id: string) =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });

  return (
    <>
      <p role="status" className="sr-only">
        {news.count > 0 ? `${count(news.count, 'new entry', 'new entries')} at the top` : null}
      </p>
      {news.count > 0 ? (
        <div className="sticky top-3 z-20 flex h-0 justify-center max-shell:top-17">
          <button
            type="button"
            onClick={showNews}
            className="nums h-7 -translate-y-3 rounded-full bg-foreground px-3 font-medium text-background text-xs shadow-float"
          >
            {formatNumber(news.count)}
            {news.isMore ? '+' : ''} new
          </button>
        </div>
      ) : null}
      <StaleNote when={error !== undefined}>
        New entries could not be read. They are looked for again.
      </StaleNote>
      <div ref={list}>
        {shown.items.length > 0 ? (
          <Card className="overflow-clip">
            <div
              aria-hidden
              className={cn(
                'hidden border-b bg-sunken px-5 py-2 font-medium text-muted text-xs md:grid',
                COLUMNS,
              )}
            >
              <span>Time</span>
              <span>Page</span>
              <span>Posts to</span>
              <span>Outcome</span>
            </div>
            {byDay(shown.items).map(({ day, entries }) => (
              <Day key={entries[0]?.id} day={day}>
                {entries.map((item) => (
                  <ActivityRow
                    key={item.id}
                    item={item}
                    rule={rules.find(({ id }) => id === item.ruleId)}
                    isOpen={open.has(item.id)}
                    onToggle={() => toggle(item.id)}
                    onChange={stream.change}
                  />
                ))}
              </Day>
            ))}
          </Card>
        ) : isFiltered ? (
          <NoMatch label="Show all activity" onEnd={onClear}>
            {shown.next === null ? 'Nothing matches these filters.' : 'Nothing found so far.'}
          </NoMatch>
        ) : (
          <NoActivity />
        )}
      </div>
      <SearchEnd
        backTo={isFiltered && shown.next !== null ? lookedBackTo(shown.next) : null}
        hasMore={shown.next !== null}
        isEmpty={shown.items.length === 0}
        {...stream.further}
        onLook={stream.lookFurther}
      />
    </>
  );
}

/** The empty list. The next step depends on the rules, which may not be known. */
function NoActivity() {
  const { data: rules, error, mutate } = useRules();
  if (!rules)
    return <ReadFailed onRetry={mutate}>{failureText(error, 'Failed to load the rules')}</ReadFailed>;
  const hasRules = rules.length > 0;
  return (
    <Card>
      <EmptyState
        drawing={<WireDrawing />}
        title="Nothing has happened yet"
        action={
          hasRules ? null : (
            <Link href="/rules" className={buttonClass()}>
              Create First Rule
            </Link>
          )
        }
      >
        {hasRules
          ? 'Change a page in a database that a rule watches. It is listed here within seconds, with what the rule made of it.'
          : 'Once a rule watches a database, everything that happens there is listed here.'}
      </EmptyState>
    </Card>
  );
}

function Day({ day, children }: { day: string; children: React.ReactNode }) {
  return (
    <section aria-label={day} className="not-last:border-b">
      <h2 className="sticky top-0 z-10 border-b bg-sunken px-4 py-1.5 font-medium text-muted text-xs max-shell:top-14 md:px-5">
        {day}
      </h2>
      <ul className="divide-y" onKeyDown={moveFocus}>
        {children}
      </ul>
    </section>
  );
}

const STEPS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

/** The up and down arrows move between rows, across days. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = STEPS[event.key];
  if (!step || !(event.target as HTMLElement).closest('[aria-expanded]')) return;
  event.preventDefault();
  focusRow(step);
}
