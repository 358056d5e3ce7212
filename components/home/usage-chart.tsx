'use client';

import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { cn } from '@/lib/client/class-names';
import { count, formatNumber, formatShortDay } from '@/lib/client/format';
import { useNow } from '@/lib/client/use-now';
import type { Me } from '@/lib/features/account/schema';
import { daysAhead, daysOfPeriod, MAX_DAYS, scaleTop } from './days-of-period';

const WEEK = 7;

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/**
 * The days of the period as bars, with a scale and dates; days to come are empty. The value of a day is shown when the
 * pointer is over it, or when the arrow keys have reached it.
 */
export function UsageChart({ subscription }: { subscription: Me['subscription'] }) {
  const { notificationsByQuarter, periodStart, periodEnd } = subscription;
  const [chosen, setChosen] = useState<number | null>(null);
  const past = daysOfPeriod(new Date(periodStart), useNow(), notificationsByQuarter);
  const last = past.at(-1)?.day ?? new Date(periodStart);
  const ahead = daysAhead(last, new Date(periodEnd), MAX_DAYS - past.length);
  const days = [...past, ...ahead.map((day) => ({ day, sent: null }))];
  const top = scaleTop(Math.max(0, ...past.map(({ sent }) => sent)));
  const today = Math.max(0, past.length - 1);
  const shown = past[chosen ?? today];

  function point({ currentTarget, clientX }: PointerEvent<HTMLElement>) {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * days.length);
    setChosen(index >= 0 && index < past.length ? index : null);
  }

  function step(event: KeyboardEvent) {
    if (event.key === 'Escape') return setChosen(null);
    const jumps: Record<string, number> = { Home: 0, End: today };
    const to = jumps[event.key] ?? (chosen ?? today) + (STEPS[event.key] ?? Number.NaN);
    if (Number.isNaN(to)) return;
    event.preventDefault();
    setChosen(Math.min(today, Math.max(0, to)));
  }

  return (
    <div className="@container mt-4">
      <p className="nums flex flex-wrap justify-between gap-x-3 text-muted text-xs">
        <span>Notifications by day</span>
        {shown ? (
          <span>
            {formatShortDay(shown.day)}:{' '}
            <span className="font-medium text-foreground">{count(shown.sent, 'notification')}</span>
          </span>
        ) : null}
      </p>
      <div className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div
          aria-hidden
          className="nums relative h-28 min-w-5 text-right text-[0.6875rem] text-muted leading-none"
        >
          {/* The widest label, invisible, keeps room for all of them. */}
          <span className="invisible">{formatNumber(top)}</span>
          {[top, top / 2, 0].map((value, index) => (
            <span key={value} className="absolute right-0 -translate-y-1/2" style={{ top: `${index * 50}%` }}>
              {formatNumber(value)}
            </span>
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label="Notifications by day"
          aria-valuemin={1}
          aria-valuemax={Math.max(1, past.length)}
          aria-valuenow={(chosen ?? today) + 1}
          aria-valuetext={
            shown ? `${formatShortDay(shown.day)}: ${count(shown.sent, 'notification')}` : 'None yet'
          }
          onKeyDown={step}
          onPointerMove={point}
          onPointerLeave={() => setChosen(null)}
          onBlur={() => setChosen(null)}
          className="relative flex h-28 rounded-sm"
        >
          {[0, 50, 100].map((percent) => (
            <span
              key={percent}
              aria-hidden
              className="pointer-events-none absolute inset-x-0 border-t"
              style={{ top: `${percent}%` }}
            />
          ))}
          {days.map(({ day, sent }, index) => (
            <span key={day.getTime()} className="relative flex flex-1 items-end px-px">
              {index === chosen ? <span className="absolute inset-0 bg-hover" /> : null}
              <span
                className={cn(
                  'relative w-full rounded-t-xs bg-wire forced-colors:bg-[CanvasText]',
                  index === chosen && 'bg-signal forced-colors:bg-[SelectedItem]',
                )}
                style={{ height: sent ? `max(3px, ${(sent / top) * 100}%)` : 0 }}
              />
            </span>
          ))}
        </div>
        <div aria-hidden className="nums relative col-start-2 mt-1.5 h-4 text-[0.6875rem] text-muted">
          {days.map(({ day }, index) =>
            index % WEEK === 0 && index <= days.length - 3 ? (
              <span
                key={day.getTime()}
                className={cn(
                  'absolute whitespace-nowrap',
                  index > 0 && '-translate-x-1/2',
                  // A phone has no room for every week.
                  index % (2 * WEEK) > 0 && '@max-md:hidden',
                  index === 2 * WEEK && '@max-[12rem]:hidden',
                )}
                style={{ left: `${(index === 0 ? 0 : (index + 0.5) / days.length) * 100}%` }}
              >
                {formatShortDay(day)}
              </span>
            ) : null,
          )}
        </div>
      </div>
    </div>
  );
}
