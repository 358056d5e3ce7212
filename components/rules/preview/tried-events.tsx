'use client';

import { Check, CircleHelp, CircleSlash, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { RuleDraft } from '@/components/rules/form/rule-terms';
import { ChangedValues } from '@/components/rules/log/changed-values';
import { cn } from '@/lib/client/class-names';
import { count, formatExactTime, formatMoment, formatNumber, formatWeekday } from '@/lib/client/format';
import type { Tried, TriedEvent } from '@/lib/features/hindsight/schema';
import { isClockEvent } from '@/lib/features/matching/words';

type Outcome = TriedEvent['outcome'];

const OUTCOMES: Record<Outcome, { word: string; icon: LucideIcon; tone: string }> = {
  posted: { word: 'Card', icon: Check, tone: 'text-signal' },
  skipped: { word: 'Not posted', icon: CircleSlash, tone: 'text-muted' },
  unknown: { word: 'Not known', icon: CircleHelp, tone: 'text-warning' },
};

const VIEWS: { view: Outcome | 'all'; label: string }[] = [
  { view: 'all', label: 'All' },
  { view: 'posted', label: 'Cards' },
  { view: 'skipped', label: 'Not posted' },
  { view: 'unknown', label: 'Not known' },
];

/** The word for what a clock rule counts, where it is not pages. */
const CLOCKED: Partial<Record<RuleDraft['eventType'], string>> = { summary: 'time' };

/** A sentence about how many events there were, and how many cards. */
export function TriedSummary({ tried, draft, days }: { tried: Tried; draft: RuleDraft; days: number }) {
  const { events, cards, digests, unknown, note } = tried;
  const nothing = draft.source ? 'Nothing that it watches happened' : 'Nothing happened in this database';
  const isClocked = isClockEvent(draft.eventType);
  if (events === 0 && isClocked) return `Nothing was due in the last ${days} days. ${note ?? ''}`;
  if (events === 0) return `${nothing} in the last ${days} days. ${note ?? ''}`;
  const rest = formatNumber(events - cards - unknown);
  const told = digests === null ? '' : ` in ${count(digests, 'digest')}`;
  const what = digests === null ? 'card' : 'change';
  return `${count(cards, what)}${told} from ${count(events, isClocked ? (CLOCKED[draft.eventType] ?? 'page') : 'event')}: ${rest} not posted, ${formatNumber(unknown)} not known.`;
}

/** What a rule would have posted on each day, and the outcome of each event. */
export function TriedEvents({ tried }: { tried: Tried }) {
  const { perDay, items, note } = tried;
  const [view, setView] = useState<Outcome | 'all'>('all');
  const shown = items.filter(({ outcome }) => view === 'all' || outcome === view);
  return (
    <div>
      <Days perDay={perDay} />
      {note ? <p className="mt-3 text-pretty text-warning text-xs">{note}</p> : null}
      <fieldset className="mt-3 flex flex-wrap gap-1">
        <legend className="sr-only">Events that are listed</legend>
        {VIEWS.map((each) => (
          <button
            key={each.view}
            type="button"
            aria-pressed={view === each.view}
            onClick={() => setView(each.view)}
            className={cn(
              'rounded-md px-2 py-1 font-medium text-xs transition-colors duration-150 hover:bg-hover',
              view === each.view ? 'bg-hover text-foreground' : 'text-muted',
            )}
          >
            {each.label}
          </button>
        ))}
      </fieldset>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
        aria-label="Events"
        className="mt-2 max-h-80 overflow-y-auto rounded-lg border bg-surface"
      >
        {shown.length > 0 ? (
          <ul className="divide-y">
            {shown.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <Item key={index} item={item} />
            ))}
          </ul>
        ) : (
          <p className="px-3 py-3 text-muted text-xs">None of these.</p>
        )}
      </section>
    </div>
  );
}

/** The number of cards of each day, as small bars. */
function Days({ perDay }: Pick<Tried, 'perDay'>) {
  const top = Math.max(1, ...perDay.map(({ cards }) => cards));
  return (
    <ol aria-label="Cards by day, in UTC" className="nums mt-3 flex gap-1.5 text-[0.6875rem] leading-none">
      {perDay.map(({ date, cards }) => (
        <li key={date} className="flex min-w-0 flex-1 flex-col items-center gap-1">
          <span className="sr-only">
            {formatWeekday(date, 'long')}: {count(cards, 'card')}
          </span>
          <span aria-hidden className={cards > 0 ? 'font-medium' : 'text-muted'}>
            {formatNumber(cards)}
          </span>
          <span aria-hidden className="flex h-12 w-full items-end border-b">
            <span
              className="w-full rounded-t-xs bg-wire"
              style={{ height: cards > 0 ? `max(3px, ${(cards / top) * 100}%)` : 0 }}
            />
          </span>
          <span aria-hidden className="text-muted">
            {formatWeekday(date, 'short')}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Item({ item }: { item: TriedEvent }) {
  const { word, icon: Icon, tone } = OUTCOMES[item.outcome];
  return (
    <li className="px-3 py-2">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 break-words">
          {item.url ? (
            <a href={item.url} target="_blank" rel="noreferrer" className="font-medium hover:underline">
              <bdi>{item.title}</bdi>
            </a>
          ) : (
            <bdi className="text-muted">{item.title}</bdi>
          )}
        </p>
        <span className={cn('inline-flex shrink-0 items-center gap-1 font-medium text-xs leading-5', tone)}>
          <Icon className="size-3.5 shrink-0" aria-hidden />
          {word}
        </span>
      </div>
      {item.changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: properties may share a name, and their order is fixed
        <p key={index} className="break-words">
          <span className="text-muted">
            <bdi>{change.property}</bdi>:
          </span>{' '}
          <ChangedValues before={change.before} after={change.after} />
        </p>
      ))}
      <p className="mt-0.5 text-pretty text-muted text-xs">
        <time dateTime={item.at} title={formatExactTime(item.at)} className="nums">
          {formatMoment(item.at)}
        </time>
        {item.reason ? ` · ${item.reason}` : null}
      </p>
    </li>
  );
}
