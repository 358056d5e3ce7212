'use client';

import { Unplug } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { api } from '@/lib/client/api';
import { log } from '@/lib/client/log';
import { Button } from './button';

const ConfirmDialog = dynamic(() => import('./confirm-dialog').then((module) => module.ConfirmDialog), {
  ssr: false,
});

/** Asks for confirmation, disconnects, and reloads the page; the dialog shows a failure. */
export function DisconnectButton({
  label,
  path,
  title,
  warning,
  failure,
}: {
  label: string;
  path: string;
  title: string;
  warning: string;
  failure: string;
}) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function disconnect() {
    setBusy(true);
    setError(null);
    try {
      await api(path, 'DELETE');
      window.location.reload();
    } catch (reason) {
      log.error(failure, reason);
      setError(failure);
      setBusy(false);
    }
  }

  function show(next: boolean) {
    setOpen(next);
    setError(null);
  }

  return (
    <>
      <Button variant="quietDanger" onClick={() => show(true)}>
        <Unplug aria-hidden />
        {label}
      </Button>
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
    </>
  );
}
