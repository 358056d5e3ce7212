'use client';

import { Button } from '@/components/ui/button';
import { MessageScreen } from './message-screen';

/** Shown while the session cannot be checked; the person stays signed in. */
export function SessionErrorScreen() {
  return (
    <MessageScreen
      title="Sign-in not available"
      urgent
      action={<Button onClick={() => window.location.reload()}>Retry</Button>}
    >
      <p>The sign-in service does not answer. You stay signed in. Try again in a minute.</p>
    </MessageScreen>
  );
}
