import { cn } from '@/lib/client/class-names';

/** A key as it is drawn on a keyboard. */
export function Kbd({ children, className }: { children: string; className?: string }) {
  return (
    <kbd
      className={cn(
        'inline-flex h-5 min-w-5 items-center justify-center rounded-sm border bg-sunken px-1 font-sans text-muted text-xs',
        className,
      )}
    >
      {children}
    </kbd>
  );
}
