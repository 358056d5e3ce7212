'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useDeferredValue, useEffect } from 'react';
import { ShellSkeleton } from '@/components/shell/shell-skeleton';
import { ApiError } from '@/lib/client/api';
import { log } from '@/lib/client/log';
import { useAccountLinks, useMe, useRules, useServer, useWorkspace } from '@/lib/client/resources';
import { isLoggingOut, logOut } from '@/lib/client/session';
import { LoadingScreen } from './loading-screen';

const isUnauthorized = (error: Error | undefined) => error instanceof ApiError && error.status === 401;

/**
 * Loads the account's data with five parallel calls before it renders its children. Without the account itself there is
 * nothing to show, so the person is logged out. The other four calls may fail.
 */
export function AccountData({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const me = useMe();
  const tolerated = [useRules(), useServer(), useWorkspace(), useAccountLinks()];
  const failure = me.data === undefined ? me.error : undefined;
  const errors: (Error | undefined)[] = [me, ...tolerated].map((call) => call.error);
  // The first call to learn that the session has ended.
  const ending = pathname === '/setup' ? undefined : errors.find(isUnauthorized);
  const cause = failure ?? ending;

  useEffect(() => {
    if (!cause) return;
    if (!isLoggingOut()) log.error('Failed to load app data', cause);
    logOut();
  }, [cause]);

  const settled = tolerated.every((call) => call.data !== undefined || call.error !== undefined);
  const isLoaded = me.data !== undefined && settled && !ending;
  // Deferred, so that the browser renders a page in slices and can respond to input between them.
  const canShow = useDeferredValue(isLoaded);
  if (isLoaded && canShow) return children;
  if (pathname === '/setup') return <LoadingScreen text="Loading setup..." />;
  return <ShellSkeleton />;
}
