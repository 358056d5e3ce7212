'use client';

import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { api } from '@/lib/client/api';
import { failureText } from '@/lib/client/error-text';
import { unlessGone } from '@/lib/client/unless-done';
import { useAction } from '@/lib/client/use-action';
import type { Me } from '@/lib/features/account/schema';

/** Unlinks the person's own link with this id and name. Without the id, as when the links could not be read, any. */
export function UnlinkNotionDialog({
  link,
  onClose,
  onUnlinked,
}: {
  link: { id: string | undefined; name: string | null };
  onClose: () => void;
  onUnlinked: () => Promise<unknown>;
}) {
  const { busy, error, run } = useAction('Failed to unlink Notion account', (reason) =>
    failureText(reason, 'Failed to unlink Notion account', 'Failed to unlink account'),
  );

  const unlink = () =>
    run(async () => {
      await api(`/api/app/notion/link${link.id ? `?id=${link.id}` : ''}`, 'DELETE').catch(
        unlessGone(async () => !(await api<Me>('/api/app/me')).user.isLinked),
      );
      await onUnlinked();
      onClose();
    });

  return (
    <ConfirmDialog
      onClose={onClose}
      title="Unlink Notion Account?"
      subject={link.name ? <bdi>{link.name}</bdi> : null}
      description='You will no longer receive @mentions or be able to use "Assign to me" until you link again. The workspace stays connected.'
      confirmLabel="Unlink Account"
      busyLabel="Unlinking..."
      busy={busy}
      error={error}
      onConfirm={unlink}
    />
  );
}
