'use client';

import { type ReactNode, useEffect } from 'react';
import { LoginScreen } from '@/components/login/login-screen';
import { preloadSession, useSession } from '@/lib/client/resources';
import { AccountData } from './account-data';
import { ConfigGate } from './config-gate';
import { LoadingScreen } from './loading-screen';
import { SessionErrorScreen } from './session-error-screen';

function SignedIn({ children }: { children: ReactNode }) {
  const { data: session, error } = useSession(true);
  if (error) return <SessionErrorScreen />;
  if (session === undefined) return <LoadingScreen text="Loading... Please wait" />;
  if (session === null) return <LoginScreen />;
  return <AccountData>{children}</AccountData>;
}

/** Starts the application: loads the configuration, then the session, then the account's data. */
export function AppStart({ children }: { children: ReactNode }) {
  useEffect(preloadSession, []);
  return (
    <ConfigGate>
      <SignedIn>{children}</SignedIn>
    </ConfigGate>
  );
}
