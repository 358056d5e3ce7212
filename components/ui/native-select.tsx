import { ChevronsUpDown } from 'lucide-react';
import { cn } from '@/lib/client/class-names';

/** The browser's own select in our clothes: for pages that should not load a menu for one choice. */
export function NativeSelect({
  value,
  onValueChange,
  options,
  placeholder,
  label,
  disabled,
  className,
}: {
  value: string;
  onValueChange: (value: string) => void;
  options: { value: string; label: string }[];
  placeholder: string;
  label: string;
  disabled: boolean;
  className?: string;
}) {
  return (
    <span className={cn('relative block', className)}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        disabled={disabled}
        className={cn(
          'h-9 w-full appearance-none truncate rounded-lg border border-border-strong bg-surface pr-9 pl-3 text-sm transition-colors duration-150 hover:bg-hover disabled:pointer-events-none disabled:opacity-50',
          value === '' && 'text-muted',
        )}
      >
        <option value="" disabled>
          {placeholder}
        </option>
        {options.map((option) => (
          <option key={option.value} value={option.value} className="text-foreground">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronsUpDown
        className="pointer-events-none absolute top-2.5 right-3 size-4 text-muted"
        aria-hidden
      />
    </span>
  );
}
