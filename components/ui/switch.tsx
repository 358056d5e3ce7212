'use client';

import { Switch as Primitive } from 'radix-ui';

export function Switch({
  checked,
  onCheckedChange,
  label,
}: {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  label: string;
}) {
  return (
    <Primitive.Root
      checked={checked}
      onCheckedChange={onCheckedChange}
      aria-label={label}
      className="inline-flex h-5 w-9 shrink-0 items-center rounded-full bg-border-strong p-0.5 transition-colors duration-150 data-[state=checked]:bg-signal"
    >
      <Primitive.Thumb className="size-4 rounded-full bg-surface transition-transform duration-150 data-[state=checked]:translate-x-4" />
    </Primitive.Root>
  );
}
