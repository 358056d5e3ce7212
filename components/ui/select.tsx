'use client';

import { Check, ChevronsUpDown } from 'lucide-react';
import { Select as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '@/lib/client/class-names';

export type SelectOption = {
  value: string;
  label: string;
  /** A second, quieter line part. */
  hint?: string | undefined;
  icon?: ReactNode;
  disabled?: boolean;
};

export const controlClass =
  'flex h-9 w-full min-w-0 items-center justify-between gap-2 rounded-lg border border-border-strong bg-surface px-3 text-left text-sm transition-colors duration-150 hover:bg-hover disabled:pointer-events-none disabled:opacity-50';

export const menuClass =
  'z-60 max-h-64 overflow-y-auto rounded-lg border bg-surface p-1 shadow-float data-[state=open]:animate-fade-in';

export const menuItemClass =
  'relative flex select-none items-center gap-2 rounded-md py-1.5 pr-8 pl-2 text-sm outline-none data-[disabled]:pointer-events-none data-[disabled]:text-muted data-[highlighted]:bg-hover data-[disabled]:opacity-60';

export function Select({
  id,
  value,
  onValueChange,
  options,
  placeholder,
  disabled,
  className,
  ...aria
}: {
  id?: string;
  value: string;
  onValueChange: (value: string) => void;
  options: SelectOption[];
  placeholder: string;
  disabled?: boolean;
  className?: string;
  'aria-labelledby'?: string;
}) {
  return (
    <Primitive.Root value={value} onValueChange={onValueChange} disabled={disabled ?? false}>
      <Primitive.Trigger
        id={id}
        className={cn(controlClass, 'data-[placeholder]:text-muted [&>span]:truncate', className)}
        {...aria}
      >
        <Primitive.Value placeholder={placeholder} />
        <Primitive.Icon asChild>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
        </Primitive.Icon>
      </Primitive.Trigger>
      <Primitive.Content
        position="popper"
        sideOffset={4}
        collisionPadding={8}
        className={cn(menuClass, 'min-w-(--radix-select-trigger-width) max-w-[calc(100vw-1rem)]')}
      >
        <Primitive.Viewport>
          {options.map((option) => (
            <Primitive.Item
              key={option.value}
              value={option.value}
              disabled={option.disabled ?? false}
              className={menuItemClass}
            >
              {option.icon}
              <Primitive.ItemText>{option.label}</Primitive.ItemText>
              {option.hint ? <span className="truncate text-muted text-xs">{option.hint}</span> : null}
              <Primitive.ItemIndicator className="absolute right-2">
                <Check className="size-4 text-signal" aria-hidden />
              </Primitive.ItemIndicator>
            </Primitive.Item>
          ))}
        </Primitive.Viewport>
      </Primitive.Content>
    </Primitive.Root>
  );
}
