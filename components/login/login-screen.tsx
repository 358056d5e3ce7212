'use client';

import { Bell, ListChecks, MessageSquare } from 'lucide-react';
import { LogoMark } from '@/components/brand/logo';
import { PRODUCT } from '@/components/brand/product';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { startLogin } from '@/lib/client/session';
import { gone, useAction } from '@/lib/client/use-action';
import { LoginPicture } from './login-picture';

const BENEFITS = [
  { icon: MessageSquare, text: 'Create Notion tasks from Discord' },
  { icon: Bell, text: 'Get notifications for updates' },
  { icon: ListChecks, text: 'Manage tasks with quick actions' },
];

const LEGAL = [
  { href: '/docs/terms', label: 'Terms' },
  { href: '/docs/privacy', label: 'Privacy' },
];

export function LoginScreen() {
  const { busy, run } = useAction('Failed to start login');

  const logIn = () =>
    run(() =>
      startLogin().then(gone, (error) => {
        window.location.assign('/callback?error=OAuthSignin');
        throw error;
      }),
    );

  return (
    <main className="grid min-h-dvh lg:grid-cols-[minmax(26rem,1fr)_1.25fr]">
      <div className="flex flex-col justify-center px-6 py-12 sm:px-12">
        <div className="mx-auto w-full max-w-sm">
          <LogoMark className="size-12" />
          <h1 className="mt-6 font-semibold text-xl tracking-tight">{PRODUCT}</h1>
          <p className="mt-1 text-base text-muted">Connect your Discord and Notion</p>
          <Button
            variant="discord"
            size="lg"
            className="mt-8 w-full"
            busy={busy}
            busyLabel="Opening Discord..."
            onClick={logIn}
            data-leaves
          >
            Login with Discord
          </Button>
          <p className="mt-3 text-center text-muted">Sign in with Discord to get started</p>
          <ul className="mt-10 space-y-3 border-t pt-8">
            {BENEFITS.map(({ icon: Icon, text }) => (
              <li key={text} className="flex items-center gap-3">
                <span className="grid size-8 place-items-center rounded-lg bg-signal-soft text-signal">
                  <Icon className="size-4" aria-hidden />
                </span>
                {text}
              </li>
            ))}
          </ul>
          <p className="mt-10 flex gap-4 text-muted text-xs">
            {LEGAL.map(({ href, label }) => (
              <Link key={href} href={href} className="underline underline-offset-4 hover:text-foreground">
                {label}
              </Link>
            ))}
          </p>
        </div>
      </div>
      <LoginPicture />
    </main>
  );
}
