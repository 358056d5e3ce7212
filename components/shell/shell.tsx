'use client';

import { Menu } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { AccountHeader } from './account-header';
import { OfflineBanner } from './offline-banner';
import { Sidebar } from './sidebar';

const Drawer = dynamic(() => import('@/components/ui/drawer').then((module) => module.Drawer), {
  ssr: false,
});

/** The frame of the dashboard: the sidebar (a drawer on small screens) and the page next to it. */
export function Shell({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  return (
    <div className="min-h-dvh shell:grid shell:grid-cols-[240px_minmax(0,1fr)]">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-lg bg-foreground px-3 py-2 font-medium text-background focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside aria-label="Sidebar" className="sticky top-0 hidden h-dvh border-r bg-sunken shell:block">
        <Sidebar />
      </aside>
      <div className="sticky top-0 z-30 shell:hidden">
        <AccountHeader
          menu={
            <Button variant="ghost" size="icon" aria-label="Open menu" onClick={() => setOpened(true)}>
              <Menu aria-hidden />
            </Button>
          }
        />
      </div>
      {opened ? (
        <Drawer onClose={() => setOpened(false)} title="Menu">
          <Sidebar onNavigate={() => setOpened(false)} />
        </Drawer>
      ) : null}
      <main id="content" tabIndex={-1} className="outline-none">
        <OfflineBanner />
        <div className="mx-auto max-w-[1040px] px-4 py-6 sm:px-8 sm:py-10">{children}</div>
      </main>
    </div>
  );
}
