'use client';

import dynamic from 'next/dynamic';
import { usePathname } from 'next/navigation';
import { type ReactNode, useDeferredValue, useEffect } from 'react';
import { OfflineBanner } from '@/components/shell/offline-banner';
import { Departures } from '@/components/ui/departures';
import { loadScript } from '@/lib/client/load-script';
import { preloadSession, useSession } from '@/lib/client/resources';
import { useKeptFocus } from '@/lib/client/use-kept-focus';
import { AccountData } from './account-data';
import { ConfigGate } from './config-gate';
import { LoadingScreen } from './loading-screen';
import { SessionErrorScreen } from './session-error-screen';

const loadLogin = () =>
  loadScript(() => import('@/components/login/login-screen')).then((module) => module.LoginScreen);

// Loaded only when it is needed: not for people who are signed in.
const LoginScreen = dynamic(loadLogin, {
  ssr: false,
  loading: () => <LoadingScreen text="Loading... Please wait" />,
});

function SignedIn({ children }: { children: ReactNode }) {
  const { data, error } = useSession(true);
  const session = useDeferredValue(data);
  if (error) return <SessionErrorScreen />;
  if (session === undefined) return <LoadingScreen text="Loading... Please wait" />;
  if (session === null)
    return (
      <>
        <OfflineBanner />
        <LoginScreen />
      </>
    );
  return <AccountData>{children}</AccountData>;
}

/** Starts the application: loads the configuration, then the session, then the account's data. */
export function AppStart({ children }: { children: ReactNode }) {
  const isLogin = usePathname() === '/login';
  useKeptFocus();
  useEffect(() => {
    preloadSession();
    if (isLogin) void loadLogin();
  }, [isLogin]);
  return (
    <Departures>
      <ConfigGate>
        <SignedIn>{children}</SignedIn>
      </ConfigGate>
    </Departures>
  );
}
