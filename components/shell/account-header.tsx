'use client';

import type { ReactNode } from 'react';
import { Logo } from '@/components/brand/logo';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { useSession } from '@/lib/client/resources';
import { logOut } from '@/lib/client/session';
import { leave } from '@/lib/client/use-leave-guard';

/** The header of a signed-in page without a sidebar: who is signed in, and the log-out button. */
export function AccountHeader({ menu, search }: { menu?: ReactNode; search?: ReactNode }) {
  const { data: session } = useSession(true);
  const name = session?.profile?.nickname ?? session?.user?.name ?? session?.user?.email ?? '';
  return (
    <header className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-background px-4 py-2">
      {menu}
      <Link href="/" className="mr-auto flex rounded-lg">
        <Logo />
      </Link>
      {search}
      <span className="flex min-w-0 items-center gap-2 max-[359px]:hidden">
        <Avatar name={name || 'U'} picture={session?.profile?.picture ?? session?.user?.image ?? null} />
        <span className="truncate max-sm:sr-only">{name}</span>
      </span>
      <Button variant="outline" size="sm" onClick={() => leave(logOut)} data-leaves>
        Logout
      </Button>
    </header>
  );
}
