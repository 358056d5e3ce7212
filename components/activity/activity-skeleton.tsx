import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';

const WIDTHS = ['w-3/5', 'w-2/5', 'w-1/2', 'w-2/3', 'w-2/5', 'w-3/5', 'w-1/2', 'w-1/3'];

/** The activity list while it loads, in the shape of the real one. */
export function ActivitySkeleton({ rows = WIDTHS.length }: { rows?: number }) {
  return (
    <Card className="divide-y" role="status" aria-label="Loading activity">
      {WIDTHS.slice(0, rows).map((width, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have fixed positions
          key={index}
          className="flex h-[41px] items-center gap-4 px-4 md:px-5"
        >
          <span className="w-17 shrink-0">
            <Skeleton className="h-3 w-12 rounded-md" />
          </span>
          <span className="min-w-0 flex-1">
            <Skeleton className={`h-4 rounded-md ${width}`} />
          </span>
          <Skeleton className="h-3 w-16 rounded-md" />
        </div>
      ))}
    </Card>
  );
}
