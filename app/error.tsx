'use client';

import { useEffect } from 'react';
import { MessageScreen } from '@/components/start/message-screen';
import { Button } from '@/components/ui/button';
import { log } from '@/lib/client/log';

export default function ErrorPage({ error, reset }: { error: Error; reset: () => void }) {
  // A part of the script that did not arrive is loaded again only with the page.
  const isIncomplete = error.name === 'ChunkLoadError';
  useEffect(() => log.error('A page failed to render', error), [error]);
  return (
    <MessageScreen
      title="This page failed"
      urgent
      action={<Button onClick={isIncomplete ? () => window.location.reload() : reset}>Try again</Button>}
    >
      <p>
        {isIncomplete
          ? 'A part of it did not arrive, perhaps because there is a new version. Try again to load the page anew.'
          : 'The rest of the application is not affected. If it keeps failing, reload the page.'}
      </p>
    </MessageScreen>
  );
}
