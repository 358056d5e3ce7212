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

/** The bottom of a page: says what disconnecting means, asks for confirmation, disconnects, and reloads the page. */
export function DisconnectZone({
  heading,
  consequence,
  label,
  path,
  title,
  warning,
  failure,
}: {
  heading: string;
  consequence: string;
  label: string;
  path: string;
  title: string;
  warning: string;
  failure: string;
}) {
  const [open, setOpen] = useState(false);
  const { busy, error, run, forget } = useAction(failure);

  const disconnect = () =>
    run(async () => {
      await api(path, 'DELETE').catch(unlessDone(async () => (await api(path)) === null));
      window.location.reload();
      await gone();
    });

  function show(next: boolean) {
    setOpen(next);
    forget();
  }

  return (
    <Card aria-labelledby="disconnect-title">
      <CardHeader
        id="disconnect-title"
        title={heading}
        description={consequence}
        action={
          <Button variant="quietDanger" onClick={() => show(true)}>
            <Unplug aria-hidden />
            {label}
          </Button>
        }
      />
      {open ? (
        <ConfirmDialog
          onClose={() => show(false)}
          title={title}
          description={warning}
          confirmLabel={label}
          busyLabel="Disconnecting..."
          busy={busy}
          error={error}
          onConfirm={disconnect}
        />
      ) : null}
    </Card>
  );
}
