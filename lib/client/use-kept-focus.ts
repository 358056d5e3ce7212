import { useEffect } from 'react';
import { firstControlIn, ROW } from './focus-next-row';

/**
 * Keeps the focus when what has it goes away, by itself or in another tab: the row that took the place of its row gets
 * it, else the first control of its row or dialog, else the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    // A click may also take the focus from everything.
    const note = () => {
      last = document.activeElement;
    };
    const observer = new MutationObserver((changes) => {
      if (last === null || document.activeElement !== document.body) return;
      const lost = last;
      const change = changes.find(({ removedNodes }) =>
        [...removedNodes].some((node) => node.contains(lost)),
      );
      if (!change) return;
      // A row that is sorted anew loses the focus too, and is still there.
      const heir = lost.isConnected ? (lost as HTMLElement) : heirAfter(change);
      heir?.focus({ preventScroll: true });
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', note);
    document.addEventListener('click', note);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('click', note);
    };
  }, []);
}

/** What gets the focus of something that was removed. */
function heirAfter({ target, nextSibling, previousSibling }: MutationRecord): HTMLElement | null {
  const row = [nextSibling, previousSibling].find(
    (node): node is Element => node instanceof Element && node.isConnected && node.hasAttribute(ROW),
  );
  const around = target instanceof Element && target.isConnected ? target.closest(`[${ROW}]`) : null;
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
  const place = row ?? around ?? dialog;
  return (place && firstControlIn(place)) ?? document.getElementById('content');
}
