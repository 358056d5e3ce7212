import { ChevronsUpDown } from 'lucide-react';
import { createElement } from 'react';
import { isolate, withPlainStart } from '@/lib/bidi';
import { cn } from '@/lib/client/class-names';
import { controlClass, type FieldAria } from './field';

export type SelectOption = {
  value: string;
  label: string;
  /** A second, quieter part of the option's text. */
  hint?: string | undefined;
  disabled?: boolean;
};

const textOf = ({ label, hint }: SelectOption) => (hint ? `${isolate(label)} · ${isolate(hint)}` : label);

/** The browser's own select in our style, including its list where the browser supports that. */
export function NativeSelect({
  id,
  value,
  onValueChange,
  options,
  placeholder,
  label,
  disabled = false,
  className,
  ...aria
}: FieldAria & {
  id?: string;
  value: string;
  onValueChange: (value: string) => void;
  options: SelectOption[];
  placeholder: string;
  /** The accessible name, if there is no label element. */
  label?: string;
  disabled?: boolean;
  className?: string;
}) {
  // The browser would show the first option instead of a value that is no longer among them.
  const shown = options.some((option) => option.value === value) ? value : '';
  return (
    <span className={cn('relative block', className)}>
      <select
        id={id}
        aria-label={label}
        value={shown}
        onChange={(event) => onValueChange(event.target.value)}
        disabled={disabled}
        {...aria}
        className={cn(controlClass, 'drawn-select h-9 pr-9', shown === '' && 'text-muted')}
      >
        {/* The closed select shows this, truncated if too long. Browsers that draw their own select ignore it. */}
        <button type="button" tabIndex={-1} aria-hidden className="block min-w-0 flex-1 truncate text-left">
          {createElement('selectedcontent')}
        </button>
        {shown === '' ? (
          <option value="" disabled>
            {placeholder}
          </option>
        ) : null}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {withPlainStart(textOf(option))}
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
