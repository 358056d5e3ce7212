'use client';

import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button';
import { useLoadedMe } from '@/lib/client/resources';
import type { Standing } from '@/lib/client/session';
import { useStanding } from '@/lib/client/use-standing';

/** In a form with input: says that the session has ended, and how to save all the same. */
export function SessionNotice({ className }: { className?: string }) {
  const { user } = useLoadedMe();
  const standing = useStanding();

  if (standing === 'same') return null;
  const { text, link, href } = notice(standing, user.discordUsername ?? user.email);
  return (
    <Alert
      variant="warning"
      urgent
      className={className}
      action={
        <a
          href={href}
          target="_blank"
          rel="noopener"
          className={buttonClass({ variant: 'outline', size: 'sm' })}
        >
          {link}
        </a>
      }
    >
      {text}
    </Alert>
  );
}

function notice(standing: Exclude<Standing, 'same'>, name: string | null) {
  if (standing === 'ended') {
    return {
      text: 'Your session has ended. What you entered is still here: sign in again in a new tab, then come back and save it.',
      link: 'Sign in again',
      href: '/login',
    };
  }
  return {
    text: `Somebody else is signed in in this browser now, so this cannot be saved. What you entered is still here: sign in ${name ? `as ${name}` : 'with your own account'} in a new tab, then come back and save it.`,
    link: 'Change account',
    href: '/logout',
  };
}
