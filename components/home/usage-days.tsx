import { cn } from '@/lib/client/class-names';
import { count } from '@/lib/client/format';
import { useNow } from '@/lib/client/use-now';
import type { Me } from '@/lib/features/account/schema';
import { daysOfPeriod } from './days-of-period';

const SLOTS = 31;
const dayName = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });

/** One bar for each past day of the period; future days are ticks on the base line. */
export function UsageDays({ subscription }: { subscription: Me['subscription'] }) {
  const { notificationsByQuarter: sentAt, periodStart } = subscription;
  const shown = daysOfPeriod(new Date(periodStart), useNow(), sentAt).slice(-SLOTS);
  const most = Math.max(1, ...shown.map((day) => day.sent));
  const busiest = shown.find(({ sent }) => sent === most);
  const label = busiest
    ? `Notifications by day. Busiest: ${dayName.format(busiest.day)} with ${busiest.sent}.`
    : 'Notifications by day. None sent yet in this period.';
  return (
    <div role="img" aria-label={label} className="relative mt-4 flex h-28 items-end gap-[3px]">
      {busiest ? null : (
        <span className="absolute inset-0 grid place-items-center text-muted text-xs">
          None sent yet in this period
        </span>
      )}
      {Array.from({ length: SLOTS }, (_, index) => {
        const day = shown[index];
        const sent = day?.sent ?? 0;
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the slots have fixed positions
            key={index}
            title={day ? `${dayName.format(day.day)}: ${count(sent, 'notification')}` : undefined}
            className={cn(
              'min-h-1 flex-1 rounded-sm',
              sent > 0 ? 'bg-wire' : 'bg-hover',
              day ? '' : 'opacity-60',
            )}
            style={{ height: sent > 0 ? `${Math.max(8, (sent / most) * 100)}%` : '4px' }}
          />
        );
      })}
    </div>
  );
}
