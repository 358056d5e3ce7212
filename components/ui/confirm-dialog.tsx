'use client';

import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Alert } from './alert';
import { Button } from './button';
import { overlayClass } from './dialog';
import { useRestoreFocus } from './use-restore-focus';

/** Asks before something that cannot be undone. Stays open while busy and shows `error` inside. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  confirmLabel,
  busyLabel,
  busy,
  disabled = false,
  error = null,
  onConfirm,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  children?: ReactNode;
  confirmLabel: string;
  busyLabel: string;
  busy: boolean;
  disabled?: boolean;
  error?: string | null;
  onConfirm: () => void;
}) {
  const focus = useRestoreFocus();
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => busy || onOpenChange(next)}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayClass} />
        <AlertDialog.Content
          {...focus}
          className="fixed inset-x-4 top-[18dvh] z-50 mx-auto max-w-[440px] rounded-xl border bg-surface p-5 shadow-float outline-none data-[state=open]:animate-rise"
        >
          <AlertDialog.Title className="font-semibold text-base">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-pretty text-muted">
            {description}
          </AlertDialog.Description>
          {children ? <div className="mt-4">{children}</div> : null}
          {error ? (
            <Alert variant="danger" urgent className="mt-4">
              {error}
            </Alert>
          ) : null}
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button variant="outline" disabled={busy}>
                Cancel
              </Button>
            </AlertDialog.Cancel>
            <Button
              variant="danger"
              busy={busy}
              busyLabel={busyLabel}
              disabled={disabled}
              onClick={onConfirm}
            >
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
