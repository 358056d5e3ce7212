import { Skeleton } from '@/components/ui/skeleton';
import { cn } from '@/lib/client/class-names';

/** The shape of a page below its title, while it loads. */
export function PageShape({ pathname }: { pathname: string }) {
  switch (pathname) {
    case '/':
      return (
        <>
          <div className="grid gap-4 md:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
            <Skeleton className="h-84 rounded-xl" />
            <Skeleton className="h-84 rounded-xl" />
          </div>
          <Tiles count={3} className="h-16 sm:h-26" />
          <Rows heights={Array(5).fill('h-10')} />
        </>
      );
    case '/rules':
      return <Rows heights={['h-8.5', ...Array(5).fill('h-13')]} />;
    case '/activity':
      return (
        <>
          <Skeleton className="h-9 rounded-lg" />
          <Rows heights={['h-7', ...Array(8).fill('h-10')]} />
        </>
      );
    case '/discord':
    case '/notion':
      return (
        <>
          <Skeleton className="h-42 rounded-xl" />
          <Skeleton className="h-16 rounded-lg" />
          <Rows heights={['h-14', ...Array(5).fill('h-13')]} />
        </>
      );
    case '/accounts':
      return (
        <>
          <Rows heights={['h-13', 'h-44']} />
          <Rows heights={['h-13', 'h-9', 'h-16']} />
        </>
      );
    case '/settings':
      return (
        <>
          <Rows heights={['h-13', 'h-19']} />
          <Rows heights={['h-20', 'h-19']} />
          <Skeleton className="h-20 rounded-xl" />
        </>
      );
    case '/settings/billing':
      return (
        <>
          <Skeleton className="h-11.5 rounded-lg" />
          <BillingShape />
        </>
      );
    case '/help':
      return (
        <>
          <Tiles count={6} className="h-18" />
          <Rows heights={['h-13', ...Array(6).fill('h-12')]} />
        </>
      );
    default:
      return <Skeleton className="h-64 rounded-xl" />;
  }
}

/** The cards of the billing page. */
export function BillingShape() {
  return (
    <div className="grid items-start gap-4 md:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]">
      <div className="space-y-4">
        <Skeleton className="h-44 rounded-xl" />
        <Skeleton className="h-40 rounded-xl" />
      </div>
      <Skeleton className="h-88 rounded-xl" />
    </div>
  );
}

function Tiles({ count, className }: { count: number; className: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {Array.from({ length: count }, (_, tile) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={tile} className={cn('rounded-xl', className)} />
      ))}
    </div>
  );
}

/** A card of rows with a head as its first row. */
function Rows({ heights }: { heights: string[] }) {
  return (
    <div className="divide-y overflow-hidden rounded-xl border bg-surface">
      {heights.map((height, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={row} className={cn('flex items-center gap-4 px-5', height)}>
          <Skeleton className="h-4 w-2/5 rounded-md" />
          <Skeleton className="ml-auto h-4 w-16 rounded-md" />
        </div>
      ))}
    </div>
  );
}
