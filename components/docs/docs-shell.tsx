import type { ReactNode } from 'react';
import { LogoMark } from '@/components/brand/logo';
import { PRODUCT } from '@/components/brand/product';
import { OfflineBanner } from '@/components/shell/offline-banner';
import { ThemeSwitch } from '@/components/shell/theme-switch';
import { buttonClass } from '@/components/ui/button';
import { Departures } from '@/components/ui/departures';
import { Link } from '@/components/ui/link';
import { DOC_GROUPS } from './content/doc-groups';
import { DocsNav } from './docs-nav';
import { DocsSearch } from './docs-search';

/** The frame of the documentation, readable without signing in. */
export function DocsShell({ children }: { children: ReactNode }) {
  const groups = DOC_GROUPS.map(({ name, pages }) => ({
    name,
    pages: pages.map(({ path, title }) => ({ path, title })),
  }));
  return (
    <Departures>
      <header className="sticky top-0 z-30 border-b bg-background print:hidden">
        <OfflineBanner />
        <div className="mx-auto flex min-h-14 max-w-6xl flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 sm:px-8">
          <Link href="/docs" className="mr-auto flex items-center gap-2 rounded-lg">
            <LogoMark />
            <span className="font-semibold text-base tracking-tight max-sm:sr-only">{PRODUCT}</span>
            <span className="text-muted">Docs</span>
          </Link>
          <DocsSearch />
          <Link href="/" className={buttonClass({ variant: 'outline', size: 'sm' })}>
            Open app
          </Link>
        </div>
      </header>
      <div className="mx-auto max-w-6xl gap-12 px-4 py-8 sm:px-8 md:grid md:grid-cols-[13rem_minmax(0,1fr)] md:py-12 print:block">
        <aside className="sticky top-24 hidden self-start md:block print:hidden">
          <DocsNav groups={groups} />
          <div className="mt-8 w-32 px-3">
            <ThemeSwitch />
          </div>
        </aside>
        <details className="mb-8 rounded-xl border bg-surface p-4 md:hidden print:hidden">
          <summary className="font-medium">All pages</summary>
          <div className="mt-4">
            <DocsNav groups={groups} />
          </div>
        </details>
        <main>{children}</main>
      </div>
    </Departures>
  );
}
