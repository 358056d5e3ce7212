'use client';

import { ConfirmDialog } from '@/components/ui/confirm-dialog';

const QUESTIONS = {
  leaveNew: {
    title: 'Discard what you entered?',
    description: 'This rule is not created yet.',
    confirmLabel: 'Discard',
  },
  leave: {
    title: 'Discard what you entered?',
    description: 'Your changes to this rule are not saved.',
    confirmLabel: 'Discard',
  },
  leavePreferences: {
    title: 'Discard what you entered?',
    description: 'Your time zone and quiet hours are not saved.',
    confirmLabel: 'Discard',
  },
  replace: {
    title: 'Replace what you entered?',
    description: 'The recipe fills in the event and everything that depends on what the rule watches.',
    confirmLabel: 'Replace',
  },
};

/** Asks before a form discards changes. */
export function DiscardQuestion({
  about,
  onConfirm,
  onClose,
}: {
  about: keyof typeof QUESTIONS;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog {...QUESTIONS[about]} cancelLabel="Keep editing" onConfirm={onConfirm} onClose={onClose} />
  );
}
