'use client';

import { useState } from 'react';
import { titleOf } from '@/components/rules/list/arrange-rules';
import { RuleHealth } from '@/components/rules/list/rule-health';
import { Alert } from '@/components/ui/alert';
import { LoadMore, loadedText } from '@/components/ui/load-more';
import { RetryButton } from '@/components/ui/retry-button';
import { Sheet } from '@/components/ui/sheet';
import { Skeleton } from '@/components/ui/skeleton';
import { StaleNote } from '@/components/ui/stale-note';
import { cn } from '@/lib/client/class-names';
import type { DeliveryEntry, DeliveryView } from '@/lib/features/deliveries/schema';
import type { Rule } from '@/lib/features/rules/schema';
import { DeliveryRow } from './delivery-row';
import { END_OF_LOG, emptyLog } from './empty-log';
import { useDeliveries } from './use-deliveries';

const VIEWS: { view: DeliveryView; label: string }[] = [
  { view: 'all', label: 'All' },
  { view: 'posted', label: 'Posted' },
  { view: 'failed', label: 'Failed' },
  { view: 'skipped', label: 'Not posted' },
];

/** A rule's log, newest first: for every event of its database, where and when a card was posted, or why not. */
export function DeliveriesSheet({
  rule,
  isGone,
  onClose,
}: {
  rule: Rule;
  /** Whether the rule was deleted while its log was open. */
  isGone: boolean;
  onClose: () => void;
}) {
  const [view, setView] = useState<DeliveryView>('all');
  const log = useDeliveries(rule.id, view);
  const empty = emptyLog(rule, view);
  return (
    <Sheet
      onClose={onClose}
      title={titleOf(rule)}
      description={
        <>
          <p className="break-words text-pretty">
            <bdi>{rule.sourceName}</bdi>: {rule.watching}
          </p>
          <StaleNote when={isGone}>This rule was deleted meanwhile, and its log with it.</StaleNote>
          {isGone ? null : <RuleHealth rule={rule} />}
        </>
      }
      header={<Views value={view} onChange={setView} />}
    >
      <p role="status" className="sr-only">
        {log.loaded === null ? null : loadedText(log.loaded, log.hasMore)}
      </p>
      {isGone && log.days.length === 0 ? null : log.error && log.days.length === 0 ? (
        <div className="p-5">
          <Alert
            variant="danger"
            urgent
            title="The deliveries could not be loaded"
            action={<RetryButton onRetry={log.readAgain} />}
          />
        </div>
      ) : log.loading ? (
        <Loading />
      ) : log.days.length === 0 ? (
        <div className="px-6 py-14 text-center">
          <p className="font-semibold">{empty.title}</p>
          <p className="mx-auto mt-1 max-w-sm text-pretty text-muted">{empty.text}</p>
        </div>
      ) : (
        <>
          <StaleNote when={Boolean(log.error) && !log.moreFailed && !isGone} className="mx-5 mt-3">
            New entries could not be read. They are looked for again.
          </StaleNote>
          {log.days.map(({ day, entries }) => (
            <Day key={entries[0]?.id} day={day} entries={entries} ruleId={rule.id} onResent={log.readAgain} />
          ))}
          <LoadMore
            busyLabel="Loading..."
            hasMore={log.hasMore}
            busy={log.loadingMore}
            failed={log.moreFailed}
            onLoad={log.more}
            end={END_OF_LOG}
          />
        </>
      )}
    </Sheet>
  );
}

function Views({ value, onChange }: { value: DeliveryView; onChange: (view: DeliveryView) => void }) {
  return (
    <fieldset aria-label="Show" className="mt-3 flex flex-wrap gap-1.5">
      {VIEWS.map(({ view, label }) => (
        <button
          key={view}
          type="button"
          aria-pressed={view === value}
          onClick={() => onChange(view)}
          className={cn(
            'h-7 rounded-full border px-3 font-medium text-xs transition-colors duration-150',
            view === value
              ? 'border-foreground bg-foreground text-background'
              : 'border-border-strong text-muted hover:bg-hover hover:text-foreground',
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

function Day({
  day,
  entries,
  ruleId,
  onResent,
}: {
  day: string;
  entries: DeliveryEntry[];
  ruleId: string;
  onResent: () => Promise<unknown>;
}) {
  return (
    <section aria-label={day}>
      <h3 className="sticky top-0 z-10 border-b bg-sunken px-5 py-1.5 font-medium text-muted text-xs">
        {day}
      </h3>
      <ul className="divide-y border-b">
        {entries.map((entry) => (
          <DeliveryRow key={entry.id} entry={entry} ruleId={ruleId} onResent={onResent} />
        ))}
      </ul>
    </section>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading deliveries" className="divide-y">
      {[64, 48, 56, 40].map((width) => (
        <div key={width} className="flex gap-4 px-5 py-3.5">
          <Skeleton className="h-4 w-10" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-3 w-2/3" />
          </div>
        </div>
      ))}
    </div>
  );
}
