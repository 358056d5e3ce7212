import { ConfirmDialog } from './confirm-dialog';

/** Asks before a form discards what was entered. */
export function DiscardQuestion({
  title = 'Discard what you entered?',
  description,
  confirmLabel = 'Discard',
  onConfirm,
  onClose,
}: {
  title?: string;
  description: string;
  confirmLabel?: string;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title={title}
      description={description}
      confirmLabel={confirmLabel}
      cancelLabel="Keep editing"
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
