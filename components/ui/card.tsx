import type { ComponentProps, ReactNode } from 'react';
import { cn } from '@/lib/client/class-names';

export function Card({ className, ...props }: ComponentProps<'section'>) {
  return <section className={cn('rounded-xl border bg-surface', className)} {...props} />;
}

/** The heading of a card or of a group of cards. */
export function CardTitle({ className, ...props }: ComponentProps<'h2'>) {
  return <h2 className={cn('font-semibold text-base', className)} {...props} />;
}

/** A card's header: its title, a sentence, and content at the right. */
export function CardHeader({
  title,
  description,
  action,
  id,
}: {
  title: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  id?: string;
}) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-4 pb-3">
      <div className="min-w-0">
        <CardTitle id={id}>{title}</CardTitle>
        {description ? <p className="mt-0.5 max-w-prose text-muted">{description}</p> : null}
      </div>
      {action}
    </div>
  );
}
