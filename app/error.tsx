'use client';

import { useEffect } from 'react';
import { MessageScreen } from '@/components/start/message-screen';
import { Button } from '@/components/ui/button';
import { log } from '@/lib/client/log';

export default function ErrorPage({ error, reset }: { error: Error; reset: () => void }) {
  useEffect(() => log.error('A page failed to render', error), [error]);
  return (
    <MessageScreen title="This page failed" urgent action={<Button onClick={reset}>Try again</Button>}>
      <p>The rest of the application is not affected. If it keeps failing, reload the page.</p>
    </MessageScreen>
  );
}
