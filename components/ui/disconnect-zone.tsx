'use client';

import { Unplug } from 'lucide-react';
import { useState } from 'react';
import { api } from '@/lib/client/api';
import { unlessDone } from '@/lib/client/unless-done';
import { gone, useAction } from '@/lib/client/use-action';
import { Button } from './button';
import { Card, CardHeader } from './card';
import { lateDialog } from './late';

const ConfirmDialog = lateDialog(() => import('./confirm-dialog').then((module) => module.ConfirmDialog));

/**
 * The bottom of a page: says what disconnecting means, asks for confirmation, disconnects, and reloads the page. What is
 * connected may change while the dialog is open: it then disconnects only what it has named.
 */
export function DisconnectZone({
  heading,
  consequence,
  label,
  path,
  id,
  title,
  warning,
  failure,
}: {
  heading: string;
  consequence: string;
  label: string;
  path: string;
  id: string;
  title: string;
  warning: string;
  failure: string;
}) {
  const [asked, setAsked] = useState<{ id: string; warning: string } | null>(null);
  const { busy, error, run, forget } = useAction(failure);

  const disconnect = (meant: string) =>
    run(async () => {
      await api(`${path}?id=${encodeURIComponent(meant)}`, 'DELETE').catch(
        unlessDone(async () => (await api<{ id: string } | null>(path))?.id !== meant),
      );
      window.location.reload();
      await gone();
    });

  function ask(next: typeof asked) {
    setAsked(next);
    forget();
  }

  return (
    <Card aria-labelledby="disconnect-title">
      <CardHeader
        id="disconnect-title"
        title={heading}
        description={consequence}
        action={
          <Button variant="quietDanger" onClick={() => ask({ id, warning })}>
            <Unplug aria-hidden />
            {label}
          </Button>
        }
      />
      {asked ? (
        <ConfirmDialog
          onClose={() => ask(null)}
          title={title}
          description={asked.warning}
          confirmLabel={label}
          busyLabel="Disconnecting..."
          busy={busy}
          error={error}
          onConfirm={() => disconnect(asked.id)}
        />
      ) : null}
    </Card>
  );
}
