'use client';

import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Modal } from './modal';

/** A panel over the right side of the page, with a heading, a fixed part below it and a scrolling body. */
export function Sheet({
  title,
  description,
  header,
  onClose,
  children,
}: {
  title: string;
  description: ReactNode;
  header?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Modal
      labelledBy={`${id}-title`}
      describedBy={`${id}-text`}
      closeOutside
      onClose={onClose}
      className="inset-y-0 right-0 left-auto h-dvh max-h-none w-full max-w-none animate-slide-from-right border-y-0 border-r-0 bg-surface shadow-float sm:w-140"
    >
      <div className="flex h-full flex-col short:overflow-y-auto">
        <div className="border-b px-5 pt-4 pb-3">
          <div className="flex items-start justify-between gap-4">
            <div className="min-w-0">
              <h2 id={`${id}-title`} className="wrap-anywhere font-semibold text-base">
                {title}
              </h2>
              <div id={`${id}-text`} className="mt-0.5 text-muted">
                {description}
              </div>
            </div>
            <button
              type="button"
              aria-label="Close"
              onClick={onClose}
              className="-m-1 rounded-md p-1 text-muted hover:bg-hover hover:text-foreground"
            >
              <X className="size-4" aria-hidden />
            </button>
          </div>
          {header}
        </div>
        <div className="min-h-0 flex-1 scroll-pt-10 overflow-y-auto short:flex-none short:overflow-y-visible">
          {children}
        </div>
      </div>
    </Modal>
  );
}
