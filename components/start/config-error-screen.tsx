'use client';

import { Button } from '@/components/ui/button';
import { MessageScreen } from './message-screen';

export function ConfigErrorScreen() {
  return (
    <MessageScreen
      title="Configuration Error"
      urgent
      action={<Button onClick={() => window.location.reload()}>Retry</Button>}
    >
      <p>Failed to load application configuration</p>
    </MessageScreen>
  );
}
