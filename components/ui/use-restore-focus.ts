import { useRef } from 'react';

/** Gives the focus back to where it was when the dialog opened; Radix does so only for its own triggers. */
export function useRestoreFocus() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
