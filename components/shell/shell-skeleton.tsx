'use client';

import { usePathname } from 'next/navigation';
import { Logo } from '@/components/brand/logo';
import { Skeleton } from '@/components/ui/skeleton';
import { NavigationList } from './sidebar';

/** The frame of the dashboard while the account's data loads: the sidebar, and the shape of the page that follows. */
export function ShellSkeleton() {
  return (
    <div className="min-h-dvh shell:grid shell:grid-cols-[240px_minmax(0,1fr)]">
      <aside
        aria-label="Sidebar"
        className="sticky top-0 hidden h-dvh flex-col border-r bg-sunken px-3 py-4 shell:flex"
      >
        <span className="mb-5 px-2">
          <Logo />
        </span>
        <Skeleton className="mb-4 h-9 shrink-0 rounded-lg" />
        <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto p-0.5">
          <NavigationList />
        </nav>
        <div className="mt-4 flex items-center gap-3 border-t px-1 pt-4">
          <Skeleton className="size-8 rounded-full" />
          <span className="flex-1 space-y-2">
            <Skeleton className="h-3.5 w-24 rounded-md" />
            <Skeleton className="h-3 w-16 rounded-md" />
          </span>
        </div>
      </aside>
      <header className="flex h-14 items-center border-b px-4 shell:hidden">
        <Logo />
      </header>
      <main aria-busy="true">
        <p role="status" className="sr-only">
          Loading your account
        </p>
        <div className="mx-auto max-w-[1040px] px-4 py-6 sm:px-8 sm:py-10">
          <Skeleton className="h-7 w-56 rounded-md" />
          <Skeleton className="mt-3 h-4 w-80 max-w-full rounded-md" />
          <PageShape />
        </div>
      </main>
    </div>
  );
}

function PageShape() {
  const pathname = usePathname();
  if (pathname === '/')
    return (
      <div className="mt-6 space-y-4">
        <div className="grid gap-4 md:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
          <Skeleton className="h-72 rounded-xl" />
          <Skeleton className="h-72 rounded-xl" />
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          {[1, 2, 3].map((card) => (
            <Skeleton key={card} className="h-28 rounded-xl" />
          ))}
        </div>
      </div>
    );
  if (pathname === '/rules') return <Rows heights={['h-9', ...Array(5).fill('h-13')]} />;
  if (pathname === '/discord' || pathname === '/notion')
    return (
      <div className="mt-6 space-y-4">
        <Skeleton className="h-40 rounded-xl" />
        <Skeleton className="h-16 rounded-lg" />
        <Rows heights={['h-14', ...Array(5).fill('h-11')]} />
      </div>
    );
  return (
    <div className="mt-6 space-y-4">
      <Skeleton className="h-40 rounded-xl" />
      <Skeleton className="h-56 rounded-xl" />
    </div>
  );
}

/** A card of rows, the first of which is its head. */
function Rows({ heights }: { heights: string[] }) {
  return (
    <div className="mt-6 divide-y overflow-hidden rounded-xl border bg-surface">
      {heights.map((height, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={row} className={`flex items-center gap-4 px-5 ${height}`}>
          <Skeleton className="h-4 w-2/5 rounded-md" />
          <Skeleton className="ml-auto h-4 w-16 rounded-md" />
        </div>
      ))}
    </div>
  );
}
