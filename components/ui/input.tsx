import type { ComponentProps } from 'react';
import { cn } from '@/lib/client/class-names';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      dir="auto"
      className={cn(
        'h-9 w-full min-w-0 rounded-lg border border-border-strong bg-surface px-3 text-sm placeholder:text-muted disabled:opacity-50 aria-invalid:border-warning',
        className,
      )}
      {...props}
    />
  );
}
