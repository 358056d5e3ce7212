'use client';

import { useState } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { Rule } from '@/lib/features/rules/schema';
import { useRuleChanges } from './rule-changes';

export function DeleteRuleDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { remove } = useRuleChanges();
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    const removed = await remove(rule.id);
    setBusy(false);
    if (removed) onClose();
  }

  return (
    <ConfirmDialog
      onClose={onClose}
      title="Delete Notification Rule"
      description="Are you sure you want to delete this notification rule? This action cannot be undone."
      confirmLabel="Delete Rule"
      busyLabel="Deleting..."
      busy={busy}
      onConfirm={confirm}
    />
  );
}
