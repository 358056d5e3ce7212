import { cn } from '@/lib/client/class-names';
import { withDistinctLabels } from './distinct-labels';
import { NativeSelect, type SelectOption } from './native-select';

// The select shows its placeholder for an empty value, so "all" needs a value of its own.
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
  /** The label of the option that does not filter. */
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

/** Options for these pairs, each value once and told apart from others of its name, sorted by label. */
export function toOptions(pairs: (readonly [value: string, label: string])[]): SelectOption[] {
  const options = [...new Map(pairs)].map(([value, label]) => ({ value, label }));
  return withDistinctLabels(options).toSorted((one, other) => one.label.localeCompare(other.label));
}
