'use client';

import { useState } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { api, isUnauthorized } from '@/lib/client/api';
import { logOut } from '@/lib/client/session';
import { unlessDone } from '@/lib/client/unless-done';
import { gone, useAction } from '@/lib/client/use-action';

const CONFIRMATION = 'DELETE';

/** Deletes the account once the confirmation word is typed exactly, then logs out. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const { busy, error, run } = useAction('Failed to delete account');

  const confirm = () =>
    run(async () => {
      await api('/api/app/account', 'DELETE').catch(
        unlessDone(() => api('/api/app/me').then(() => false, isUnauthorized)),
      );
      logOut();
      await gone();
    });

  return (
    <ConfirmDialog
      onClose={onClose}
      title="Delete Account"
      description="Everything that belongs to this account is removed for good. This action cannot be undone."
      confirmLabel="Delete Account"
      busyLabel="Deleting..."
      busy={busy}
      disabled={typed !== CONFIRMATION}
      error={error}
      onConfirm={confirm}
    >
      <Field id="delete-confirmation" label={`Type ${CONFIRMATION} to confirm`}>
        <Input
          id="delete-confirmation"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          disabled={busy}
        />
      </Field>
    </ConfirmDialog>
  );
}
