'use client';

import { type KeyboardEvent, type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { cn } from '@/lib/client/class-names';

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), [tabindex="0"]';

/** The open dialogs, the topmost last. */
const stack = new Set<HTMLDialogElement>();

/**
 * The browser's own modal dialog, open while rendered: it traps the focus, calls `onClose` on Escape, and restores the
 * focus. `locked` keeps it open; afterwards the focus is where it was.
 */
export function Modal({
  role,
  labelledBy,
  describedBy,
  locked = false,
  closeOutside = false,
  onClose,
  className,
  children,
}: {
  role?: 'alertdialog';
  labelledBy: string;
  describedBy?: string | undefined;
  locked?: boolean;
  /** Whether a click outside closes it. */
  closeOutside?: boolean;
  onClose: () => void;
  className: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const focused = useRef<HTMLElement>(null);
  const pressed = useRef<EventTarget>(null);
  const isUsed = useRef(false);
  const close = () => locked || onClose();

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    element.showModal();
    stack.add(element);
    return () => {
      stack.delete(element);
      element.close();
    };
  }, []);

  // A button that is disabled while it works loses the focus, to the dialog itself if it is clicked twice.
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isLost = activeElement === dialog.current || !dialog.current?.contains(activeElement);
    if (!locked && isLost) focused.current?.focus();
  }, [locked]);

  // Browsers let a second Escape close it, and others with it, without asking. Only its owner may close it: open it
  // again, below those that were above it.
  function reopen() {
    const element = dialog.current;
    if (!element || element.open) return;
    const all = [...stack];
    for (const each of all.slice(all.indexOf(element))) {
      each.close();
      each.showModal();
    }
    close();
  }

  // The second click of a double click on what opened it must neither close it nor confirm anything.
  function ignoreSecondClick(event: MouseEvent) {
    isUsed.current ||= event.detail <= 1;
    if (isUsed.current) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // By default Tab leaves the dialog for the browser's UI; wrap around.
  function wrapAround(event: KeyboardEvent) {
    if (event.key !== 'Tab') return;
    const all = [...(dialog.current?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].filter((element) =>
      element.checkVisibility(),
    );
    const [from, to] = event.shiftKey ? [all.at(0), all.at(-1)] : [all.at(-1), all.at(0)];
    if (document.activeElement !== from) return;
    event.preventDefault();
    to?.focus();
  }

  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClose={reopen}
      onClickCapture={ignoreSecondClick}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      // Text that is selected from the inside out ends with a click outside too.
      onClick={({ target }) =>
        closeOutside && target === dialog.current && pressed.current === target && close()
      }
      onKeyDown={wrapAround}
      onFocus={({ target }) => {
        if (target !== dialog.current) focused.current = target;
      }}
      className={cn(
        'fixed border text-foreground outline-none backdrop:animate-fade-in backdrop:bg-overlay',
        className,
      )}
    >
      {children}
    </dialog>
  );
}
