'use client';

import { Keyboard, LogOut, Search } from 'lucide-react';
import { usePathname, useSearchParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { Logo } from '@/components/brand/logo';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { Link } from '@/components/ui/link';
import { cn } from '@/lib/client/class-names';
import { planName } from '@/lib/client/format';
import { useAccountLinks, useLoadedMe } from '@/lib/client/resources';
import { logOut } from '@/lib/client/session';
import { modKey } from '@/lib/client/use-keys';
import { leave } from '@/lib/client/use-leave-guard';
import { NAVIGATION } from './navigation';
import { ThemeSwitch } from './theme-switch';

function Entries({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const { data: links } = useAccountLinks();
  return <NavigationList waiting={links?.pendingRequests.length ?? 0} onNavigate={onNavigate} />;
}

/** The eight entries, with the number of people who are waiting to be linked. */
export function NavigationList({
  waiting = 0,
  onNavigate,
}: {
  waiting?: number;
  onNavigate?: (() => void) | undefined;
}) {
  const pathname = usePathname();
  const query = useSearchParams().toString();
  return (
    <ul className="space-y-0.5">
      {NAVIGATION.map(({ href, label, icon: Icon }) => {
        const current = pathname === href;
        const pending = href === '/accounts' && waiting > 0 ? `${waiting} pending` : undefined;
        return (
          <li key={href}>
            <Link
              href={query ? `${href}?${query}` : href}
              aria-current={current ? 'page' : undefined}
              aria-description={pending}
              onClick={onNavigate}
              className={cn(
                'flex h-9 items-center gap-3 rounded-lg px-3 font-medium transition-colors duration-150 hover:bg-hover hover:text-foreground',
                current ? 'bg-hover text-foreground' : 'text-muted',
              )}
            >
              <Icon className={cn('size-4', current && 'text-signal')} aria-hidden />
              {label}
              {pending ? (
                <span
                  aria-hidden
                  title={pending}
                  className="nums ml-auto rounded-full bg-signal-soft px-1.5 text-signal text-xs"
                >
                  {waiting}
                </span>
              ) : null}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The logo, the button of the palette, the eight entries, and at the bottom the signed-in person. */
export function Sidebar({
  onNavigate,
  onSearch,
  onShortcuts,
}: {
  onNavigate?: () => void;
  onSearch: () => void;
  onShortcuts: () => void;
}) {
  const { user, subscription } = useLoadedMe();
  return (
    <SidebarFrame
      label={onNavigate ? 'Menu' : 'Main'}
      logo={
        <Link href="/" className="mb-5 flex self-start rounded-lg px-2" onClick={onNavigate}>
          <Logo />
        </Link>
      }
      search={
        <button
          type="button"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={onSearch}
          className="mb-4 flex h-9 shrink-0 items-center gap-3 rounded-lg border bg-surface px-3 text-muted transition-colors duration-150 hover:border-border-strong hover:text-foreground"
        >
          <Search className="size-4" aria-hidden />
          Search
          <span aria-hidden className="ml-auto flex gap-1 max-shell:hidden">
            <Kbd>{modKey()}</Kbd>
            <Kbd>K</Kbd>
          </span>
        </button>
      }
      entries={<Entries onNavigate={onNavigate} />}
      shortcuts={
        <Button
          variant="ghost"
          size="icon"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts"
          onClick={onShortcuts}
        >
          <Keyboard aria-hidden />
        </Button>
      }
      person={
        <>
          <Avatar name={user.discordUsername || 'U'} />
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium">{user.discordUsername ?? user.email}</p>
            <p className="truncate text-muted text-xs">{planName(subscription.plan)} Plan</p>
          </div>
        </>
      }
    />
  );
}

/** The frame of the sidebar, with the parts that need no data: the themes and the log-out button. */
export function SidebarFrame({
  label = 'Main',
  logo,
  search,
  entries,
  shortcuts,
  person,
}: {
  label?: string;
  logo: ReactNode;
  search: ReactNode;
  entries: ReactNode;
  shortcuts?: ReactNode;
  person: ReactNode;
}) {
  return (
    <div className="flex h-full flex-col overflow-y-auto px-3 py-4">
      {logo}
      {search}
      <nav aria-label={label} className="min-h-24 flex-1 overflow-y-auto p-0.5">
        {entries}
      </nav>
      <div className="mt-4 space-y-3 border-t pt-4">
        <div className="flex items-center gap-2">
          <div className="min-w-0 flex-1">
            <ThemeSwitch />
          </div>
          {shortcuts}
        </div>
        <div className="flex items-center gap-3 px-1">{person}</div>
        <Button
          variant="ghost"
          size="sm"
          className="w-full justify-start px-3"
          onClick={() => leave(logOut)}
          data-leaves
        >
          <LogOut aria-hidden />
          Logout
        </Button>
      </div>
    </div>
  );
}
