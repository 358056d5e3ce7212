'use client';

import dynamic from 'next/dynamic';
import { useEffect } from 'react';
import { loadScript } from '@/lib/client/load-script';
import { log } from '@/lib/client/log';

const loadDialog = () => loadScript(() => import('./confirm-dialog')).then((module) => module.ConfirmDialog);

const ConfirmDialog = dynamic(loadDialog, { ssr: false });

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

/** Loads the question once a form has changes, because the connection may be lost by the time it is asked. */
export function useDiscardQuestion(isTouched: boolean): void {
  useEffect(() => {
    if (isTouched) loadDialog().catch((reason) => log.warn('Failed to load a question', reason));
  }, [isTouched]);
}
