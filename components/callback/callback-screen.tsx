'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { ConfigGate } from '@/components/start/config-gate';
import { MessageScreen } from '@/components/start/message-screen';
import { SessionErrorScreen } from '@/components/start/session-error-screen';
import { Avatar } from '@/components/ui/avatar';
import { api } from '@/lib/client/api';
import { log } from '@/lib/client/log';
import { useSession } from '@/lib/client/resources';
import type { SetupStatus } from '@/lib/features/setup/schema';
import { AuthenticationFailed } from './authentication-failed';
import { NextSteps } from './next-steps';

function Completing() {
  const query = useSearchParams();
  const error = query.get('error');
  const router = useRouter();
  const { data: session, error: isUnknown } = useSession(error === null);
  const checked = useRef(false);
  const [checking, setChecking] = useState(true);

  useEffect(() => {
    if (!session || checked.current) return;
    checked.current = true;
    api<SetupStatus>('/api/app/setup/status')
      .then((status) => (status.needsSetup ? '/setup' : '/'))
      .catch((reason: unknown) => {
        log.error('Failed to load setup status', reason);
        return '/';
      })
      .then((next) => {
        setChecking(false);
        router.replace(next);
      });
  }, [session, router]);

  if (error !== null) return <AuthenticationFailed code={error} detail={query.get('error_description')} />;

  if (isUnknown) return <SessionErrorScreen />;

  if (session === undefined)
    return (
      <MessageScreen title="Completing Login">
        <p>Verifying your Discord credentials...</p>
      </MessageScreen>
    );

  if (session === null)
    return (
      <MessageScreen title="Authentication Incomplete" urgent action={<NextSteps />}>
        <p>The login process completed but authentication failed.</p>
      </MessageScreen>
    );

  const name = session.profile?.nickname ?? session.user?.name ?? session.user?.email ?? 'there';
  return (
    <MessageScreen title="Login Successful">
      <Avatar name={name} picture={session.profile?.picture ?? session.user?.image ?? null} size="lg" />
      <p className="font-medium text-base text-foreground">
        Welcome, <bdi>{name}</bdi>!
      </p>
      <p>
        <small className="text-xs">
          {checking ? 'Checking setup status...' : 'Taking you to the next step...'}
        </small>
      </p>
    </MessageScreen>
  );
}

/** The end of the login: greets, checks the setup once, and moves on. */
export function CallbackScreen() {
  return (
    <ConfigGate>
      <Completing />
    </ConfigGate>
  );
}
