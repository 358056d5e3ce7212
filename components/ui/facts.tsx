import type { ReactNode } from 'react';
import { cn } from '@/lib/client/class-names';

/** Names and values in columns. */
export function Facts({
  columns = 2,
  className,
  children,
}: {
  columns?: 2 | 3;
  className?: string;
  children: ReactNode;
}) {
  const wide = columns === 3 ? 'sm:grid-cols-3' : 'sm:grid-cols-2';
  return <dl className={cn('grid gap-x-6 gap-y-4', wide, className)}>{children}</dl>;
}

export function Fact({
  name,
  mono = false,
  children,
}: {
  name: string;
  mono?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd
        className={cn(
          'nums wrap-anywhere mt-0.5 font-medium',
          mono && 'font-mono font-normal text-[0.8125rem]',
        )}
      >
        {children}
      </dd>
    </div>
  );
}
