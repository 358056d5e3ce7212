'use client';

import { Menu, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { useObstacle } from '@/components/rules/use-obstacle';
import { Button } from '@/components/ui/button';
import { lateDialog } from '@/components/ui/late';
import { focusRow } from '@/lib/client/focus-next-row';
import { useGo } from '@/lib/client/use-go';
import { PALETTE_KEY, useKeys } from '@/lib/client/use-keys';
import { AccountHeader } from './account-header';
import { OfflineBanner } from './offline-banner';
import { Sidebar } from './sidebar';

const Drawer = lateDialog(() => import('@/components/ui/drawer').then((module) => module.Drawer));
const Palette = lateDialog(() => import('@/components/palette/palette').then((module) => module.Palette));
const ShortcutsDialog = lateDialog(() =>
  import('@/components/palette/shortcuts-dialog').then((module) => module.ShortcutsDialog),
);

/** The frame of the dashboard: the sidebar (a drawer on small screens), the page, and the keys that work everywhere. */
export function Shell({ children }: { children: ReactNode }) {
  const goTo = useGo();
  const obstacle = useObstacle();
  const [opened, setOpened] = useState<'menu' | 'palette' | 'shortcuts' | null>(null);
  const close = () => setOpened(null);
  const showPalette = () => setOpened('palette');
  const showShortcuts = () => setOpened('shortcuts');

  function go(href: string) {
    const { origin } = new URL(href, window.location.href);
    // Closing the palette restores the focus; only after that can the next page or a question take it.
    flushSync(close);
    if (origin === window.location.origin) goTo(href);
    else window.open(href, '_blank', 'noopener');
  }

  function search() {
    const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
    if (field) field.focus();
    else showPalette();
  }

  useKeys({
    [PALETTE_KEY]: showPalette,
    '/': search,
    '?': showShortcuts,
    // If no rule can be created, the Rules page says why.
    n: () => go(obstacle ? '/rules' : '/rules?new=1'),
    j: () => focusRow(1),
    k: () => focusRow(-1),
  });

  return (
    <div className="min-h-dvh shell:grid shell:grid-cols-[15rem_minmax(0,1fr)] print:block">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-lg bg-foreground px-3 py-2 font-medium text-background focus:translate-y-0 print:hidden"
      >
        Skip to content
      </a>
      <aside
        aria-label="Sidebar"
        className="sticky top-0 hidden h-dvh border-r bg-sunken shell:block print:hidden"
      >
        <Sidebar onSearch={showPalette} onShortcuts={showShortcuts} />
      </aside>
      <div className="sticky top-0 z-30 shell:hidden print:hidden">
        <AccountHeader
          menu={
            <Button variant="ghost" size="icon" aria-label="Open menu" onClick={() => setOpened('menu')}>
              <Menu aria-hidden />
            </Button>
          }
          search={
            <Button variant="ghost" size="icon" aria-label="Search" onClick={showPalette}>
              <Search aria-hidden />
            </Button>
          }
        />
      </div>
      {opened === 'menu' ? (
        <Drawer onClose={close} title="Menu">
          <Sidebar onNavigate={close} onSearch={showPalette} onShortcuts={showShortcuts} />
        </Drawer>
      ) : null}
      {opened === 'palette' ? <Palette onClose={close} onGo={go} onShortcuts={showShortcuts} /> : null}
      {opened === 'shortcuts' ? <ShortcutsDialog onClose={close} /> : null}
      <main id="content" tabIndex={-1} className="outline-none">
        <OfflineBanner className="max-shell:top-14" />
        <div className="mx-auto max-w-260 px-4 py-6 sm:px-8 sm:py-10">{children}</div>
      </main>
    </div>
  );
}
