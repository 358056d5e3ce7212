'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';
import { TakeoversWanted } from '@/components/discord/takeover-wanted';
import { AccountHeader } from '@/components/shell/account-header';
import { LoadingScreen } from '@/components/start/loading-screen';
import { MessageScreen } from '@/components/start/message-screen';
import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { RetryButton } from '@/components/ui/retry-button';
import { isUnauthorized } from '@/lib/client/api';
import { log } from '@/lib/client/log';
import { useLoadedMe, useSetupStatus } from '@/lib/client/resources';
import { DiscordStep } from './discord-step';
import { NotionStep } from './notion-step';
import { SetupComplete } from './setup-complete';
import { cancelledText, setupErrorText } from './setup-errors';
import { StepIndicator } from './step-indicator';
import { useConnectDiscord, useConnectNotion } from './use-connect';

export function SetupScreen() {
  const router = useRouter();
  const query = useSearchParams();
  const { user } = useLoadedMe();
  const { data, error, mutate } = useSetupStatus();
  const [discord, notion] = [useConnectDiscord(), useConnectNotion('/setup')];
  const code = query.get('error');
  const justConnected = query.get('discord') === 'connected';

  useEffect(() => {
    if (justConnected) void mutate();
  }, [justConnected, mutate]);

  useEffect(() => {
    if (error) log.error('Failed to load setup status', error);
  }, [error]);

  if (isUnauthorized(error))
    return (
      <MessageScreen
        title="Authentication Required"
        urgent
        action={
          <a href="/" className={buttonClass({ variant: 'primary' })}>
            Go back home
          </a>
        }
      >
        <p>You need to be logged in to complete setup.</p>
      </MessageScreen>
    );
  if (!data && !error) return <LoadingScreen text="Loading setup..." />;

  const failure = discord.error ?? notion.error;
  const banner =
    failure ??
    (code ? setupErrorText(code, query.get('details')) : null) ??
    (data ? null : 'Failed to load setup status');

  const cancelled = !failure && code === 'oauth_failed' ? cancelledText(query.get('cancelled')) : null;

  function dismiss() {
    discord.forget();
    notion.forget();
    if (code) router.replace('/setup');
    if (!data) void mutate();
  }

  return (
    <div className="min-h-dvh">
      <AccountHeader />
      <main id="content" tabIndex={-1} className="mx-auto max-w-2xl px-4 pt-8 pb-12 outline-none sm:pt-14">
        {!data || data.needsSetup || banner ? (
          <>
            <h1 className="text-balance text-center font-semibold text-xl tracking-tight">
              Connect both ends of the wire
            </h1>
            <p className="mx-auto mt-1 mb-8 max-w-md text-balance text-center text-muted">
              Two steps, about a minute. Nothing is posted until you create a rule.
            </p>
            <StepIndicator discord={data?.discord.connected} notion={data?.notion.connected} />
            <div className="mt-8 space-y-4">
              {banner ? (
                <Alert
                  variant={cancelled ? 'info' : 'danger'}
                  urgent
                  onDismiss={dismiss}
                  action={data ? null : <RetryButton onRetry={mutate} />}
                >
                  {cancelled}
                  <p className={cancelled ? 'text-muted text-xs' : undefined}>{banner}</p>
                </Alert>
              ) : null}
              {data ? (
                <>
                  {data.discord.connected ? null : <TakeoversWanted />}
                  <DiscordStep discord={data.discord} action={discord} />
                  <NotionStep status={data} action={notion} />
                </>
              ) : null}
            </div>
            <footer className="mt-8 flex flex-wrap items-center justify-between gap-3 text-muted">
              <p>
                Logged in as <span className="text-foreground">{user.email ?? user.discordUsername}</span>
              </p>
              <Link href="/" className="font-medium text-foreground underline-offset-4 hover:underline">
                Skip for now
              </Link>
            </footer>
          </>
        ) : (
          <SetupComplete />
        )}
      </main>
    </div>
  );
}
