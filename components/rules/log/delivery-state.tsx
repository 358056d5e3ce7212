import { Check, CircleAlert, CircleSlash, Clock, type LucideIcon, Pause, PencilLine } from 'lucide-react';
import { cn } from '@/lib/client/class-names';
import type { DeliveryEntry } from '@/lib/features/deliveries/schema';

export const DELIVERY_STATES: Record<
  DeliveryEntry['state'],
  { word: string; icon: LucideIcon; tone: string }
> = {
  sent: { word: 'Posted', icon: Check, tone: 'text-signal' },
  settling: { word: 'Settling', icon: PencilLine, tone: 'text-muted' },
  waiting: { word: 'Waiting', icon: Clock, tone: 'text-warning' },
  held: { word: 'Held', icon: Pause, tone: 'text-warning' },
  failed: { word: 'Failed', icon: CircleAlert, tone: 'text-danger' },
  skipped: { word: 'Not posted', icon: CircleSlash, tone: 'text-muted' },
};

/** The state of a delivery, as an icon and a word. */
export function DeliveryState({ state, className }: { state: DeliveryEntry['state']; className?: string }) {
  const { word, icon: Icon, tone } = DELIVERY_STATES[state];
  return (
    <span
      className={cn('inline-flex shrink-0 items-center gap-1 font-medium text-xs leading-5', tone, className)}
    >
      <Icon className="size-3.5 shrink-0" aria-hidden />
      {word}
    </span>
  );
}
