'use client';

import { useState } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { api } from '@/lib/client/api';
import { failureText } from '@/lib/client/error-text';
import { log } from '@/lib/client/log';

export function UnlinkNotionDialog({
  onClose,
  onUnlinked,
}: {
  onClose: () => void;
  onUnlinked: () => Promise<unknown>;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function unlink() {
    setBusy(true);
    setError(null);
    try {
      await api('/api/app/notion/link', 'DELETE');
      await onUnlinked();
      onClose();
    } catch (reason) {
      log.error('Failed to unlink Notion account', reason);
      setError(failureText(reason, 'Failed to unlink Notion account', 'Failed to unlink account'));
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog
      onClose={onClose}
      title="Unlink Notion Account?"
      description='You will no longer receive @mentions or be able to use "Assign to me" until you link again. The workspace stays connected.'
      confirmLabel="Unlink Account"
      busyLabel="Unlinking..."
      busy={busy}
      error={error}
      onConfirm={unlink}
    />
  );
}
