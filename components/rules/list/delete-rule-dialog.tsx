'use client';

import { useState } from 'react';
import { useRuleChanges } from '@/components/rules/rule-changes';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { nextRowAfter } from '@/lib/client/focus-next-row';
import type { Rule } from '@/lib/features/rules/schema';
import { titleOf } from './arrange-rules';

export function DeleteRuleDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { remove } = useRuleChanges();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function confirm() {
    setBusy(true);
    setError(null);
    const focusNext = nextRowAfter(rule.id);
    const failure = await remove(rule.id);
    setBusy(false);
    setError(failure);
    if (failure !== null) return;
    focusNext(onClose);
  }

  return (
    <ConfirmDialog
      onClose={onClose}
      title="Delete Notification Rule"
      subject={titleOf(rule)}
      description="Are you sure you want to delete this notification rule? This action cannot be undone."
      confirmLabel="Delete Rule"
      busyLabel="Deleting..."
      busy={busy}
      error={error}
      onConfirm={confirm}
    />
  );
}
