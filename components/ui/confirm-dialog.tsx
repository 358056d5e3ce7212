'use client';

import { type ReactNode, useId } from 'react';
import { Alert } from './alert';
import { Button } from './button';
import { Modal } from './modal';

/**
 * Asks for confirmation before something that cannot be undone, and names its `subject` if the description does not.
 * Stays open while `busy`, and shows `error` inside.
 */
export function ConfirmDialog({
  title,
  subject,
  description,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  busyLabel,
  busy = false,
  disabled = false,
  error = null,
  onConfirm,
  onClose,
}: {
  title: string;
  subject?: ReactNode;
  description: ReactNode;
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  busyLabel?: string;
  busy?: boolean;
  disabled?: boolean;
  error?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const id = useId();
  return (
    <Modal
      role="alertdialog"
      labelledBy={`${id}-title`}
      describedBy={subject ? `${id}-subject ${id}-text` : `${id}-text`}
      locked={busy}
      onClose={onClose}
      className="inset-x-4 top-[18dvh] bottom-auto mx-auto max-h-[80dvh] w-auto max-w-110 animate-rise rounded-xl bg-surface p-5 shadow-float"
    >
      <h2 id={`${id}-title`} className="font-semibold text-base">
        {title}
      </h2>
      {subject ? (
        <p id={`${id}-subject`} className="wrap-anywhere mt-2 font-medium">
          {subject}
        </p>
      ) : null}
      <p id={`${id}-text`} className="mt-2 text-pretty text-muted">
        {description}
      </p>
      {children ? <div className="mt-4">{children}</div> : null}
      {error ? (
        <Alert variant="danger" urgent className="mt-4">
          {error}
        </Alert>
      ) : null}
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button variant="outline" disabled={busy} onClick={onClose}>
          {cancelLabel}
        </Button>
        <Button variant="danger" busy={busy} busyLabel={busyLabel} disabled={disabled} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Modal>
  );
}
