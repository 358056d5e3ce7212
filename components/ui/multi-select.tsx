'use client';

import { Check, ChevronsUpDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '@/lib/client/class-names';
import { controlClass, menuClass, menuItemClass } from './select';

export type MultiSelectOption = { value: string; label: string; hint?: string; icon?: ReactNode };

/** Chooses any number of options; the values keep the order of the options. */
export function MultiSelect({
  id,
  values,
  onValuesChange,
  options,
  placeholder,
  disabled = false,
  ...aria
}: {
  id: string;
  values: string[];
  onValuesChange: (values: string[]) => void;
  options: MultiSelectOption[];
  placeholder: string;
  disabled?: boolean;
  'aria-labelledby': string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean;
}) {
  const chosen = options.filter((option) => values.includes(option.value));
  const toggle = (value: string, on: boolean) =>
    onValuesChange(
      options
        .map((option) => option.value)
        .filter((other) => (other === value ? on : values.includes(other))),
    );
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        id={id}
        disabled={disabled}
        aria-haspopup="listbox"
        className={cn(controlClass, 'h-auto min-h-9 py-1')}
        {...aria}
        aria-labelledby={`${aria['aria-labelledby']} ${id}`}
      >
        {chosen.length === 0 ? (
          <span className="text-muted">{placeholder}</span>
        ) : (
          <span className="flex min-w-0 flex-wrap gap-1">
            {chosen.map((option) => (
              <span key={option.value} className="truncate rounded-md bg-sunken px-1.5 py-0.5 text-xs">
                {option.label}
              </span>
            ))}
          </span>
        )}
        <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        role="listbox"
        aria-multiselectable
        aria-labelledby={aria['aria-labelledby']}
        align="start"
        sideOffset={4}
        collisionPadding={8}
        className={cn(menuClass, 'min-w-(--radix-dropdown-menu-trigger-width)')}
      >
        {options.map((option) => (
          <DropdownMenu.CheckboxItem
            key={option.value}
            role="option"
            aria-selected={values.includes(option.value)}
            checked={values.includes(option.value)}
            onCheckedChange={(on) => toggle(option.value, on)}
            onSelect={(event) => event.preventDefault()}
            className={menuItemClass}
          >
            {option.icon}
            {option.label}
            {option.hint ? <span className="text-muted text-xs">{option.hint}</span> : null}
            <DropdownMenu.ItemIndicator className="absolute right-2">
              <Check className="size-4 text-signal" aria-hidden />
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.CheckboxItem>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
