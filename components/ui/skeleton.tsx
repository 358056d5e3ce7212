import { cn } from '@/lib/client/class-names';

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('block animate-pulse bg-hover', className)} />;
}
