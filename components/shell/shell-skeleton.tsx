'use client';

import { Menu } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { Logo } from '@/components/brand/logo';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { AccountHeader } from './account-header';
import { PageShape } from './page-shape';
import { NavigationList, SidebarFrame } from './sidebar';

/** The frame of the dashboard while the account's data loads: the sidebar, and the shape of the page. */
export function ShellSkeleton() {
  const pathname = usePathname();
  return (
    <div className="min-h-dvh shell:grid shell:grid-cols-[15rem_minmax(0,1fr)]">
      <aside aria-label="Sidebar" className="sticky top-0 hidden h-dvh border-r bg-sunken shell:block">
        <SidebarFrame
          logo={
            <span className="mb-5 flex self-start px-2">
              <Logo />
            </span>
          }
          search={<Skeleton className="mb-4 h-9 shrink-0 rounded-lg" />}
          entries={<NavigationList />}
          shortcuts={<Skeleton className="size-8 shrink-0 rounded-lg" />}
          person={
            <>
              <Skeleton className="size-8 rounded-full" />
              <span className="flex-1 space-y-2">
                <Skeleton className="h-3.5 w-24 rounded-md" />
                <Skeleton className="h-3 w-16 rounded-md" />
              </span>
            </>
          }
        />
      </aside>
      <div className="shell:hidden">
        <AccountHeader
          menu={
            <Button variant="ghost" size="icon" aria-label="Open menu" disabled>
              <Menu aria-hidden />
            </Button>
          }
        />
      </div>
      <main aria-busy="true">
        <div role="status">
          <h1 className="h-0 overflow-hidden">Loading your account</h1>
        </div>
        <div className="mx-auto max-w-260 space-y-4 px-4 py-6 sm:px-8 sm:py-10">
          <div className="mb-6 space-y-2 py-0.5">
            <Skeleton className="h-7 w-56 rounded-md" />
            <Skeleton className="h-4.5 w-80 max-w-full rounded-md" />
          </div>
          <PageShape pathname={pathname} />
        </div>
      </main>
    </div>
  );
}
