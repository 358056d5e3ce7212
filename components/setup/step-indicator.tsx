import { Check } from 'lucide-react';
import { cn } from '@/lib/client/class-names';

function Step({
  number,
  label,
  done,
  current,
}: {
  number: number;
  label: string;
  done: boolean;
  current: boolean;
}) {
  return (
    <li aria-current={current ? 'step' : undefined} className="flex items-center gap-2">
      <span
        className={cn(
          'nums grid size-7 place-items-center rounded-full border font-semibold text-xs',
          done && 'border-signal bg-signal text-on-signal',
          current && 'border-signal text-signal',
          !done && !current && 'border-border-strong text-muted',
        )}
      >
        {done ? <Check className="size-4" aria-hidden /> : number}
      </span>
      <span className={cn('font-medium', !done && !current && 'text-muted')}>
        {label}
        {done ? <span className="sr-only"> (done)</span> : null}
      </span>
    </li>
  );
}

/** Which steps are done; none while that is unknown. */
export function StepIndicator({ discord = false, notion = false }) {
  return (
    <ol aria-label="Setup steps" className="flex items-center justify-center gap-3">
      <Step number={1} label="Discord" done={discord} current={!discord} />
      <li
        aria-hidden="true"
        className={cn('h-0.5 w-12 rounded-full sm:w-24', discord ? 'bg-wire' : 'bg-border-strong')}
      />
      <Step number={2} label="Notion" done={notion} current={discord && !notion} />
    </ol>
  );
}
