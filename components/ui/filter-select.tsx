import { cn } from '@/lib/client/class-names';
import { NativeSelect, type SelectOption } from './native-select';

// An empty value is how the select shows its placeholder, so "all" has a value of its own.
const ALL = 'all';

/** A select that filters a list. The empty value means no filter. */
export function FilterSelect({
  label,
  all,
  value,
  options,
  onChange,
  className,
}: {
  label: string;
  /** The label of no filter. */
  all: string;
  value: string;
  options: SelectOption[];
  onChange: (value: string) => void;
  className?: string;
}) {
  return (
    <NativeSelect
      label={label}
      placeholder={all}
      className={cn('md:w-40', className)}
      value={value || ALL}
      options={[{ value: ALL, label: all }, ...options]}
      onValueChange={(chosen) => onChange(chosen === ALL ? '' : chosen)}
    />
  );
}

/** Options for these values and labels, each value once, in the order of the labels. */
export function toOptions(pairs: (readonly [value: string, label: string])[]): SelectOption[] {
  return [...new Map(pairs)]
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
