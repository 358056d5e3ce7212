'use client';

import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cn } from '@/lib/client/class-names';
import { Alert } from './alert';
import { Modal } from './modal';

/**
 * A dialog with a heading, a scrolling body and a footer of buttons, where `error` says why one failed. On a phone it
 * slides up from the bottom.
 */
export function Dialog({
  title,
  footer,
  error = null,
  wide = false,
  locked = false,
  onClose,
  children,
}: {
  title: string;
  footer?: ReactNode;
  error?: string | null;
  wide?: boolean;
  locked?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Modal
      labelledBy={id}
      locked={locked}
      closeOutside
      onClose={onClose}
      className={cn(
        'inset-x-0 top-auto bottom-0 mx-auto max-h-[92dvh] w-full max-w-none animate-rise overflow-hidden rounded-t-xl bg-surface shadow-float sm:top-[6dvh] sm:bottom-auto sm:max-h-[88dvh] sm:rounded-xl',
        wide ? 'sm:w-[calc(100%-3rem)] sm:max-w-245' : 'sm:max-w-140',
      )}
    >
      <div className="flex max-h-[inherit] flex-col short:overflow-y-auto">
        <div className="flex items-start justify-between gap-4 border-b px-5 py-4">
          <h2 id={id} className="font-semibold text-base">
            {title}
          </h2>
          <button
            type="button"
            aria-label="Close"
            disabled={locked}
            onClick={onClose}
            className="-m-1 rounded-md p-1 text-muted hover:bg-hover hover:text-foreground"
          >
            <X className="size-4" aria-hidden />
          </button>
        </div>
        {/* Positioned, so that text for screen readers only scrolls here and does not make the whole dialog scroll. */}
        <div className="relative min-h-0 flex-1 overflow-y-auto short:flex-none short:overflow-y-visible">
          {children}
        </div>
        {footer ? (
          <div className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">
            {error ? (
              <Alert
                variant="danger"
                urgent
                className="mb-1 max-h-[30dvh] min-w-0 basis-full overflow-y-auto"
              >
                {error}
              </Alert>
            ) : null}
            {footer}
          </div>
        ) : null}
      </div>
    </Modal>
  );
}
