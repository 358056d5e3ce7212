'use client';

import dynamic from 'next/dynamic';
import { useEffect } from 'react';
import { loadScript } from '@/lib/client/load-script';
import { log } from '@/lib/client/log';

const loadDialog = () => loadScript(() => import('./confirm-dialog')).then((module) => module.ConfirmDialog);

const ConfirmDialog = dynamic(loadDialog, { ssr: false });

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

/** Loads the question once a form has changes, because the connection may be lost by the time it is asked. */
export function useDiscardQuestion(isTouched: boolean): void {
  useEffect(() => {
    if (isTouched) loadDialog().catch((reason) => log.warn('Failed to load a question', reason));
  }, [isTouched]);
}
