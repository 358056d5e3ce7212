'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useDeferredValue, useEffect, useEffectEvent } from 'react';
import { ShellSkeleton } from '@/components/shell/shell-skeleton';
import { isUnauthorized } from '@/lib/client/api';
import { log } from '@/lib/client/log';
import { useAccountLinks, useMe, useRules, useServer, useWorkspace } from '@/lib/client/resources';
import { currentStanding, isLoggingOut, logOut, readSession } from '@/lib/client/session';
import { useHasInput } from '@/lib/client/use-leave-guard';
import { useStanding } from '@/lib/client/use-standing';
import { LoadingScreen } from './loading-screen';

/**
 * Loads the account's data with five parallel calls before it renders its children. Without the account itself there is
 * nothing to show, so the person is logged out. The other four calls may fail. When the session ends while the page
 * holds input that was not saved, the page stays; signing in again in another tab brings it back to life. Whoever comes
 * back to the page is looked for anew.
 */
export function AccountData({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const me = useMe();
  const tolerated = [useRules(), useServer(), useWorkspace(), useAccountLinks()];
  const failure = me.data === undefined ? me.error : undefined;
  const calls = [me, ...tolerated];
  // The first call to learn that the session has ended.
  const ending = pathname === '/setup' ? undefined : calls.map(({ error }) => error).find(isUnauthorized);
  const hasInput = useHasInput();
  const standing = useStanding();
  const isBack = ending !== undefined && standing === 'same' && !isLoggingOut();
  const ended = hasInput || isBack ? undefined : ending;
  const cause = failure ?? ended;

  const readAgain = useEffectEvent(() => {
    for (const { mutate } of calls) void mutate();
  });
  useEffect(() => {
    if (isBack) readAgain();
  }, [isBack]);

  const lookAgain = useEffectEvent(async () => {
    if (isLoggingOut()) return;
    // While it is unknown, the page stays as it is.
    await readSession().catch(() => null);
    if (currentStanding() !== 'same') readAgain();
  });
  // In another tab the person may have signed out or in. This tab's own token would stay good for a while.
  useEffect(() => {
    const onReturn = () => void (document.visibilityState === 'visible' && lookAgain());
    window.addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      window.removeEventListener('focus', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, []);

  useEffect(() => {
    if (!cause) return;
    // Whoever has signed in here sees their own account.
    if (standing === 'other') return window.location.reload();
    if (!isLoggingOut()) log.error('Failed to load app data', cause);
    logOut();
  }, [cause, standing]);

  const settled = tolerated.every((call) => call.data !== undefined || call.error !== undefined);
  const isLoaded = me.data !== undefined && settled && !ended;
  // Deferred, so that the browser renders a page in slices and can respond to input between them.
  const canShow = useDeferredValue(isLoaded);
  if (isLoggingOut()) return <LoadingScreen text="Logging out..." />;
  if (isLoaded && canShow) return children;
  if (pathname === '/setup') return <LoadingScreen text="Loading setup..." />;
  return <ShellSkeleton />;
}
