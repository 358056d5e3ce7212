'use client';

import { LogOut } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { Logo } from '@/components/brand/logo';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { cn } from '@/lib/client/class-names';
import { planName } from '@/lib/client/format';
import { useAccountLinks, useLoadedMe } from '@/lib/client/resources';
import { logOut } from '@/lib/client/session';
import { NAVIGATION } from './navigation';
import { ThemeSwitch } from './theme-switch';

function Entries({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const { data: links } = useAccountLinks();
  return <NavigationList waiting={links?.pendingRequests.length ?? 0} onNavigate={onNavigate} />;
}

/** The eight entries, with the number of people who wait to be linked. */
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
        return (
          <li key={href}>
            <Link
              href={query ? `${href}?${query}` : href}
              aria-current={current ? 'page' : undefined}
              onClick={onNavigate}
              className={cn(
                'flex h-9 items-center gap-3 rounded-lg px-3 font-medium transition-colors duration-150 hover:bg-hover hover:text-foreground',
                current ? 'bg-hover text-foreground' : 'text-muted',
              )}
            >
              <Icon className={cn('size-4', current && 'text-signal')} aria-hidden />
              {label}
              {href === '/accounts' && waiting > 0 ? (
                <span
                  aria-hidden
                  title={`${waiting} pending`}
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

/** The logo, the eight entries, and at the bottom the signed-in person. */
export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const { user, subscription } = useLoadedMe();
  return (
    <SidebarFrame
      label={onNavigate ? 'Menu' : 'Main'}
      logo={
        <Link href="/" className="mb-6 flex self-start rounded-lg px-2" onClick={onNavigate}>
          <Logo />
        </Link>
      }
      entries={<Entries onNavigate={onNavigate} />}
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

/** The parts of the sidebar, with what needs no data: the themes and the way out. */
export function SidebarFrame({
  label = 'Main',
  logo,
  entries,
  person,
}: {
  label?: string;
  logo: ReactNode;
  entries: ReactNode;
  person: ReactNode;
}) {
  return (
    <div className="flex h-full flex-col px-3 py-4">
      {logo}
      <nav aria-label={label} className="min-h-0 flex-1 overflow-y-auto p-0.5">
        {entries}
      </nav>
      <div className="mt-4 space-y-3 border-t pt-4">
        <ThemeSwitch />
        <div className="flex items-center gap-3 px-1">{person}</div>
        <Button variant="ghost" size="sm" className="w-full justify-start px-3" onClick={logOut}>
          <LogOut aria-hidden />
          Logout
        </Button>
      </div>
    </div>
  );
}
