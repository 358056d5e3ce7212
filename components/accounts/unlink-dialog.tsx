'use client';

import { useState } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { api } from '@/lib/client/api';
import { errorText } from '@/lib/client/error-text';
import { nextRowAfter } from '@/lib/client/focus-next-row';
import { unlessGone } from '@/lib/client/unless-done';
import type { AccountLink, AccountLinks } from '@/lib/features/links/schema';
import { isDecided } from './is-decided';

export function UnlinkDialog({
  account,
  onClose,
  onError,
  onChanged,
}: {
  account: AccountLink;
  onClose: () => void;
  onError: (message: string | null) => void;
  onChanged: () => Promise<AccountLinks | undefined>;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function unlink() {
    setBusy(true);
    setError(null);
    onError(null);
    const focusNext = nextRowAfter(account.id);
    try {
      await api(`/api/app/account-links/link/${account.id}`, 'DELETE').catch(
        unlessGone(async () => isDecided(await onChanged(), account.id)),
      );
      await onChanged();
      focusNext(onClose);
    } catch (reason) {
      const text = errorText(reason, 'Failed to unlink account', 'Failed to unlink account');
      setError(text);
      onError(text);
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog
      onClose={onClose}
      title="Unlink Account?"
      subject={
        <>
          {account.discord_username ? `@${account.discord_username}` : account.discord_user_id} and{' '}
          <bdi>{account.notion_display_name}</bdi>
        </>
      }
      description={
        'This will remove the connection between this Discord account and their Notion account. They will no longer receive @mentions or be able to use "Assign to me" until re-linked.'
      }
      confirmLabel="Unlink Account"
      busyLabel="Unlinking.."
      busy={busy}
      error={error}
      onConfirm={unlink}
    />
  );
}
