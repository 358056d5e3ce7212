import { cn } from '@/lib/client/class-names';

const ALARM_PERCENT = 80;

/**
 * A usage bar. It alarms when most is used, and its width is capped at 100 %; screen readers announce `text` as its
 * value.
 */
export function Progress({ percent, label, text }: { percent: number; label: string; text: string }) {
  const alarming = percent > ALARM_PERCENT;
  const width = Math.min(100, Math.max(0, percent));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(width)}
      aria-valuetext={text}
      data-state={alarming ? 'alarming' : 'calm'}
      className="h-2 overflow-hidden rounded-full bg-hover forced-colors:border"
    >
      <div
        className={cn(
          'h-full rounded-full transition-[width] duration-200 forced-colors:bg-[CanvasText]',
          alarming ? 'bg-danger' : 'bg-wire',
        )}
        style={{ width: `${width}%` }}
      />
    </div>
  );
}
