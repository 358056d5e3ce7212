'use client';

import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '@/lib/client/class-names';
import { useRestoreFocus } from './use-restore-focus';

export const overlayClass = 'fixed inset-0 z-40 bg-overlay data-[state=open]:animate-fade-in';

/** A dialog with a heading, a scrolling body and a footer of buttons. Closes on Escape and restores focus. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  wide = false,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  footer?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  const focus = useRestoreFocus();
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={overlayClass} />
        <Primitive.Content
          {...focus}
          onEscapeKeyDown={(event) => {
            // A list that has dropped from a control takes the key for itself.
            if (document.querySelector(':popover-open, select:open')) event.preventDefault();
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cn(
            'fixed inset-x-0 bottom-0 z-50 mx-auto flex max-h-[92dvh] w-full flex-col rounded-t-xl border bg-surface shadow-float outline-none data-[state=open]:animate-rise sm:top-[6dvh] sm:bottom-auto sm:max-h-[88dvh] sm:rounded-xl',
            wide ? 'sm:w-[calc(100%-3rem)] sm:max-w-[980px]' : 'sm:max-w-[560px]',
          )}
        >
          <div className="flex items-start justify-between gap-4 border-b px-5 py-4">
            <div>
              <Primitive.Title className="font-semibold text-base">{title}</Primitive.Title>
              {description ? (
                <Primitive.Description className="mt-0.5 text-muted">{description}</Primitive.Description>
              ) : null}
            </div>
            <Primitive.Close
              aria-label="Close"
              className="-m-1 rounded-md p-1 text-muted hover:bg-hover hover:text-foreground"
            >
              <X className="size-4" aria-hidden />
            </Primitive.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
          {footer ? (
            <div className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</div>
          ) : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
