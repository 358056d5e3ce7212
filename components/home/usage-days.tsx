import { cn } from '@/lib/client/class-names';
import { count } from '@/lib/client/format';
import type { Me } from '@/lib/features/account/schema';

const SLOTS = 31;
const dayName = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** One bar for each day of the period that has begun; the days to come are marks on the base line. */
export function UsageDays({ days }: { days: Me['subscription']['notificationsByDay'] }) {
  const shown = days.slice(-SLOTS);
  const most = Math.max(1, ...shown.map((day) => day.sent));
  const busiest = shown.reduce((best, day) => (day.sent > best.sent ? day : best), { day: '', sent: 0 });
  const label = busiest.sent
    ? `Notifications by day. Busiest: ${dayName.format(new Date(busiest.day))} with ${busiest.sent}.`
    : 'Notifications by day. None sent yet in this period.';
  return (
    <div role="img" aria-label={label} className="mt-4 flex h-28 items-end gap-[3px]">
      {Array.from({ length: SLOTS }, (_, index) => {
        const day = shown[index];
        const sent = day?.sent ?? 0;
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the slots are fixed places
            key={index}
            title={day ? `${dayName.format(new Date(day.day))}: ${count(sent, 'notification')}` : undefined}
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
