'use client';

import { useEffect } from 'react';
import { MessageScreen } from '@/components/start/message-screen';
import { Button } from '@/components/ui/button';
import { log } from '@/lib/client/log';

export default function ErrorPage({ error }: { error: Error }) {
  // A part of the script that did not arrive, and data that cannot be shown, come anew only with the page.
  const isIncomplete = error.name === 'ChunkLoadError';
  useEffect(() => log.error('A page failed to render', error), [error]);
  return (
    <MessageScreen
      title="This page failed"
      urgent
      action={<Button onClick={() => window.location.reload()}>Try again</Button>}
    >
      <p>
        {isIncomplete
          ? 'A part of it did not arrive, perhaps because there is a new version. Try again to load the page anew.'
          : 'Rules keep working and cards keep arriving. Try again to load the page anew.'}
      </p>
    </MessageScreen>
  );
}
