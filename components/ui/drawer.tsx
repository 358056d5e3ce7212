'use client';

import { type ReactNode, useId } from 'react';
import { Modal } from './modal';

/** A panel that slides in from the left on small screens. */
export function Drawer({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Modal
      labelledBy={id}
      closeOutside
      onClose={onClose}
      className="inset-y-0 right-auto left-0 h-dvh max-h-none w-68 animate-slide-in border-y-0 border-l-0 bg-sunken"
    >
      <h2 id={id} className="sr-only">
        {title}
      </h2>
      {children}
    </Modal>
  );
}
